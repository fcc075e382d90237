import type pg from 'pg';

/**
 * Stores a provider's callback and the task that processes it, in one commit: from then on it can't
 * be lost.
 */
export async function insertCallback(
  db: pg.Pool,
  callback: { id: string; rail: string; body: string; now: Date },
): Promise<void> {
  await db.query({
    name: 'insert-callback',
    text: `WITH stored AS (
        INSERT INTO inbound_callbacks (id, rail, body, received_at) VALUES ($1, $2, $3, $4) RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'process_callback', id, $4 FROM stored`,
    values: [callback.id, callback.rail, callback.body, callback.now],
  });
}

export async function findCallback(db: pg.Pool, id: string): Promise<{ rail: string; body: string } | null> {
  const { rows } = await db.query<{ rail: string; body: string }>(
    'SELECT rail, body FROM inbound_callbacks WHERE id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** Says what came of a callback. */
export async function finishCallback(db: pg.Pool, id: string, outcome: string, now: Date): Promise<void> {
  await db.query('UPDATE inbound_callbacks SET processed_at = $2, outcome = $3 WHERE id = $1', [id, now, outcome]);
}
