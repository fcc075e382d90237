import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Up to where the ledger check has found everything right. */
export type Checkpoint = {
  /** Transfers and entries up to these ids are proved. */
  transferId: bigint;
  entryId: bigint;
  checkedAt: Date;
  /** Totals before this beginning of a day are proved. */
  totalsFrom: Date;
  /** Chains are proved as far as they had these transfers, and heads up to this day. */
  chainedId: bigint;
  headDay: string | null;
  /** Audit records up to this one are proved. */
  auditedId: bigint;
};

/** What a check that begins after it will have proved. */
export type Horizon = Omit<Checkpoint, 'totalsFrom'> & { sealedUntil: Date | null };

/** What is under way has ended by then: statements are cancelled after ten seconds. */
const WAITS_MAX = 120;
const WAIT_MS = 100;

export async function findCheckpoint(db: pg.Pool): Promise<Checkpoint | null> {
  const { rows } = await db.query<Checkpoint>(
    `SELECT transfer_id AS "transferId", entry_id AS "entryId", checked_at AS "checkedAt",
      date_trunc('day', coalesce(sealed_until, 'epoch'), 'America/Sao_Paulo') AS "totalsFrom", chained_id AS "chainedId",
      head_day::text AS "headDay", audited_id AS "auditedId"
    FROM ledger_checkpoints`,
  );
  return rows[0] ?? null;
}

/**
 * Returns the last ids of transfers and entries, once every transaction that may have taken a lower
 * id has ended. A transaction has a number of PostgreSQL's before it posts, so those with a number
 * below a new one are waited for. Null when one takes longer than any of ours may: then this check
 * proves nothing for the next one.
 */
export async function readHorizon(db: pg.Pool, now: Date): Promise<Horizon | null> {
  const { rows } = await db.query<Omit<Horizon, 'checkedAt'>>(
    `SELECT coalesce((SELECT max(id) FROM ledger_transfers), 0) AS "transferId",
      coalesce((SELECT max(id) FROM ledger_entries), 0) AS "entryId", sealed_until AS "sealedUntil", g.transfer_id AS "chainedId",
      (SELECT max(h.day)::text FROM ledger_heads h) AS "headDay", s.record_id AS "auditedId"
    FROM totals_progress CROSS JOIN ledger_sealing g CROSS JOIN audit_sealing s`,
  );
  const [ids] = rows;
  if (!ids) return null;
  const { rows: numbers } = await db.query<{ own: string }>('SELECT pg_current_xact_id()::text AS own');
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const { rows: oldest } = await db.query<{ ended: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS ended',
      [numbers[0]?.own],
    );
    if (oldest[0]?.ended) return { ...ids, checkedAt: now };
    await sleep(WAIT_MS);
  }
  return null;
}

/**
 * Stores what a check has proved. Does nothing when the pool's role may not write the table: only
 * its owner may.
 */
export async function saveCheckpoint(db: pg.Pool, horizon: Horizon): Promise<void> {
  const { rows } = await db.query<{ may: boolean }>(
    "SELECT has_table_privilege('ledger_checkpoints', 'INSERT, UPDATE') AS may",
  );
  if (!rows[0]?.may) return;
  await db.query(
    `INSERT INTO ledger_checkpoints (transfer_id, entry_id, checked_at, sealed_until, chained_id, head_day, audited_id)
     VALUES ($1, $2, $3, $4, $5, $6::date, $7)
     ON CONFLICT (id) DO UPDATE SET transfer_id = excluded.transfer_id, entry_id = excluded.entry_id,
       checked_at = excluded.checked_at, sealed_until = excluded.sealed_until, chained_id = excluded.chained_id,
       head_day = excluded.head_day, audited_id = excluded.audited_id`,
    [
      horizon.transferId,
      horizon.entryId,
      horizon.checkedAt,
      horizon.sealedUntil,
      horizon.chainedId,
      horizon.headDay,
      horizon.auditedId,
    ],
  );
}
