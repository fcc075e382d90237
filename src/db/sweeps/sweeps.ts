import type pg from 'pg';

export const SWEEP_SPANS = [
  'recent',
  'days',
  'quarter',
  'sent_recent',
  'sent_days',
  'sent_quarter',
  'disputes_recent',
  'disputes_quarter',
  'operations_recent',
  'operations_days',
] as const;
export type SweepSpan = (typeof SWEEP_SPANS)[number];

export type SweepRow = {
  id: string;
  rail: string;
  span: SweepSpan;
  createdAt: Date;
  /** The period that is being read; null between two. */
  fromAt: Date | null;
  toAt: Date | null;
  /** The next page of it. */
  page: number;
  /** Up to when the books were read through; null: never. */
  finishedAt: Date | null;
};

/**
 * Writes the sweeps of a rail, each with its task, where they are not there yet. A task that was
 * lost is written again.
 */
export async function insertSweeps(
  db: pg.Pool,
  sweeps: readonly { id: string; rail: string; span: SweepSpan; dueAt: Date }[],
  now: Date,
): Promise<void> {
  for (const { id, rail, span, dueAt } of sweeps) {
    await db.query({
      name: 'insert-sweep',
      text: `WITH added AS (
          INSERT INTO sweeps (id, rail, span, created_at) VALUES ($1, $2, $3, $4)
          ON CONFLICT (rail, span) DO NOTHING RETURNING id)
        INSERT INTO tasks (kind, subject_id, due_at)
        SELECT 'sweep', id, $5 FROM (SELECT id FROM added UNION SELECT id FROM sweeps WHERE rail = $2 AND span = $3) AS known
        ON CONFLICT DO NOTHING`,
      values: [id, rail, span, now, dueAt],
    });
  }
}

export async function findSweep(db: pg.Pool, id: string): Promise<SweepRow | null> {
  const { rows } = await db.query<SweepRow>({
    name: 'find-sweep',
    text: 'SELECT id, rail, span, created_at AS "createdAt", from_at AS "fromAt", to_at AS "toAt", page, finished_at AS "finishedAt" FROM sweeps WHERE id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}

/** Saves where a sweep is; without a `period` it has read the books through, up to `readUntil`. */
export async function saveSweep(
  db: pg.Pool,
  sweep: { id: string; period: { from: Date; to: Date; page: number } | null; readUntil: Date },
): Promise<void> {
  const { id, period, readUntil } = sweep;
  await db.query({
    name: 'save-sweep',
    text: `UPDATE sweeps SET from_at = $2, to_at = $3, page = $4,
        finished_at = CASE WHEN $2::timestamptz IS NULL THEN $5 ELSE finished_at END
      WHERE id = $1`,
    values: [id, period?.from ?? null, period?.to ?? null, period?.page ?? 0, readUntil],
  });
}

/** When the service first read a rail's books; null when it has not yet. */
export async function findFirstSweep(db: pg.Pool, rail: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>({
    name: 'find-first-sweep',
    text: 'SELECT min(created_at) AS at FROM sweeps WHERE rail = $1',
    values: [rail],
  });
  return rows[0]?.at ?? null;
}

/** The crypto processors whose operations are swept, each with when that was first planned. */
export async function listSweptProcessors(db: pg.Pool): Promise<{ rail: string; firstSweep: Date }[]> {
  const { rows } = await db.query<{ rail: string; firstSweep: Date }>({
    name: 'list-swept-processors',
    text: `SELECT rail, min(created_at) AS "firstSweep" FROM sweeps
      WHERE span IN ('operations_recent', 'operations_days') GROUP BY rail`,
  });
  return rows;
}

/** When what is recent of a rail was last read through, or first planned to be. */
export type LastSweep = {
  rail: string;
  at: Date;
  /** False: its credentials were an account's own, and were replaced or disconnected. */
  isInUse: boolean;
};

export async function findLastSweeps(db: pg.Pool): Promise<LastSweep[]> {
  const { rows } = await db.query<LastSweep>({
    name: 'find-last-sweeps',
    text: `SELECT s.rail, coalesce(s.finished_at, s.created_at) AS at, NOT is_own_rail(s.rail) OR EXISTS (
        SELECT FROM credentials c WHERE 'own-' || c.rail_id = s.rail AND c.is_active) AS "isInUse"
      FROM sweeps s WHERE s.span IN ('recent', 'operations_recent') ORDER BY s.rail`,
  });
  return rows;
}
