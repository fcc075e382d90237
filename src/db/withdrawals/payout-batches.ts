import type pg from 'pg';
import type { WithdrawalStatus } from '#domain/transactions/transaction-states.ts';
import type { WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import type { BatchStatus } from '#domain/withdrawals/batch-state.ts';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';
import type { MoneyOutBlock } from './find-pause-end.ts';
import type { LimitPeriods, NewWithdrawal, RequestOutcome } from './withdrawals.ts';
import { rowOf } from './withdrawals.ts';

/**
 * Batches of PIX withdrawals: each change is one SQL function, one commit, with its audit.
 */

export type NewBatch = {
  id: string;
  accountId: string;
  memberId: string;
  /** Sealed: the rows as they are kept. */
  sealed: string;
  /** What the index of the same rows may be; the first is written. */
  rowsIndexes: readonly [Buffer, ...Buffer[]];
  /**
   * `earlierRowNewId`: `withdrawalId` is taken over from a row of an earlier batch, and that row
   * gets this id instead; null where `withdrawalId` is new.
   */
  rows: readonly { withdrawalId: string; earlierRowNewId: string | null; centavos: bigint }[];
  /** Until when a second person decides, where one has to. */
  decideUntil: Date;
  now: Date;
};

/** `exists`: the account has a batch of these rows, and nothing was done. */
export type MakeOutcome = 'running' | 'pending_approval' | 'exists' | MoneyOutBlock;

/** Makes a batch with its rows. `audit`: what the audit says of it, in the same statement. */
export function makeBatch(db: pg.Pool, batch: NewBatch, audit: EntryWithoutNotices): Promise<MakeOutcome> {
  const { id, accountId, memberId, sealed, rowsIndexes, rows, decideUntil, now } = batch;
  const row = {
    ...{ id, account_id: accountId, sealed, made_by_id: memberId, made_at: now },
    rows_index: `\\x${rowsIndexes[0].toString('hex')}`,
  };
  const rowsOf = rows.map(({ withdrawalId, earlierRowNewId, centavos }, at) => ({
    ...{ batch_id: id, number: at + 1, withdrawal_id: withdrawalId, spare_id: earlierRowNewId },
    centavos: String(centavos),
  }));
  return askNoted<MakeOutcome>(
    db,
    'SELECT payout_batch_make($1, $2, $3, $4) AS outcome',
    [JSON.stringify(row), JSON.stringify(rowsOf), rowsIndexes, decideUntil],
    { entry: audit, when: ['running', 'pending_approval'] },
  );
}

/**
 * The account's batch of these rows that sent something, or may; null: it has none. One that was
 * declined, or not approved in time, or of which every row failed, is none.
 */
export async function findBatchOfRows(
  db: pg.Pool,
  { accountId, rowsIndexes, now }: { accountId: string; rowsIndexes: readonly Buffer[]; now: Date },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-batch-of-rows',
    text: `SELECT id FROM payout_batches
      WHERE account_id = $1 AND rows_index = ANY ($2) AND status NOT IN ('declined', 'expired', 'failed')
        AND (status <> 'pending_approval' OR decide_until > $3)
        AND NOT (status = 'running' AND payout_batch_has_failed(id))`,
    values: [accountId, rowsIndexes, now],
  });
  return rows[0]?.id ?? null;
}

/**
 * The account's last batch of these rows that was declined, or not approved in time; null: there is
 * none.
 */
export async function findUnapprovedBatchOfRows(
  db: pg.Pool,
  { accountId, rowsIndexes, now }: { accountId: string; rowsIndexes: readonly Buffer[]; now: Date },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-unapproved-batch-of-rows',
    text: `SELECT id FROM payout_batches
      WHERE account_id = $1 AND rows_index = ANY ($2)
        AND (status IN ('declined', 'expired') OR status = 'pending_approval' AND decide_until <= $3)
      ORDER BY id DESC LIMIT 1`,
    values: [accountId, rowsIndexes, now],
  });
  return rows[0]?.id ?? null;
}

export type AwaitedBatches = { count: number; centavos: bigint; oldestId: string; oldestAt: Date };

/** The batches of an account that wait for a second person; null: none does. */
export async function findAwaitedBatches(db: pg.Pool, accountId: string, now: Date): Promise<AwaitedBatches | null> {
  const { rows } = await db.query<AwaitedBatches>({
    name: 'find-awaited-batches',
    text: `SELECT count(*)::integer AS count, sum(centavos)::bigint AS centavos,
        (array_agg(id ORDER BY id))[1] AS "oldestId", min(made_at) AS "oldestAt"
      FROM payout_batches WHERE account_id = $1 AND status = 'pending_approval' AND decide_until > $2
      HAVING count(*) > 0`,
    values: [accountId, now],
  });
  return rows[0] ?? null;
}

export type BatchDecision = 'running' | 'declined';

/** See payout_batch_decide in the migrations. */
export type DecideOutcome = BatchDecision | 'unknown' | 'decided' | 'own' | MoneyOutBlock | 'asker_paused';

/** Approves (`running`) or declines a batch that waits, once. `audit`: as above. */
export const decideBatch = (
  db: pg.Pool,
  {
    id,
    accountId,
    memberId,
    to,
    now,
  }: { id: string; accountId: string; memberId: string; to: BatchDecision; now: Date },
  audit: EntryWithoutNotices,
): Promise<DecideOutcome> =>
  askNoted<DecideOutcome>(
    db,
    'SELECT payout_batch_decide($1, $2, $3, $4, $5) AS outcome',
    [accountId, id, memberId, to, now],
    { entry: audit, when: [to] },
  );

/** `done`: it was run before, or its batch does not run. */
export type RowOutcome = RequestOutcome | 'done';

/** Runs a row of a batch, once, as a withdrawal of who made the batch. */
export function runBatchRow(
  db: pg.Pool,
  run: {
    batchId: string;
    number: number;
    withdrawal: NewWithdrawal & { type: 'pix_out' };
    periods: LimitPeriods;
    approveUntil: Date;
  },
): Promise<RowOutcome> {
  const { batchId, number, withdrawal, periods, approveUntil } = run;
  const { day, night } = periods;
  return askNoted<RowOutcome>(
    db,
    'SELECT payout_batch_row_run($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome',
    [
      ...[batchId, number, JSON.stringify(rowOf(withdrawal))],
      ...[day.start, day.end, night?.start ?? null, night?.end ?? null],
      ...[approveUntil, withdrawal.destination.pixKeyIndexes],
    ],
    null,
  );
}

/** Notes the error for which a row was rejected; nothing where it was run before. */
export async function failBatchRow(
  db: pg.Pool,
  row: { batchId: string; number: number; failure: string },
): Promise<void> {
  await db.query({
    name: 'payout-batch-row-fail',
    text: 'SELECT payout_batch_row_fail($1, $2, $3)',
    values: [row.batchId, row.number, row.failure],
  });
}

export type BatchRecord = {
  id: string;
  accountId: string;
  status: BatchStatus;
  /** Sealed; the rows as they are kept. */
  sealed: string;
  rows: number;
  centavos: bigint;
  madeById: string;
  /** The member's name, as below. */
  madeBy: string | null;
  madeAt: Date;
  decideUntil: Date | null;
  decidedBy: string | null;
  decidedAt: Date | null;
};

/** The batch of this id, of whichever account: the caller checks it. Null: there is none. */
export async function findBatch(db: pg.Pool, id: string): Promise<BatchRecord | null> {
  const { rows } = await db.query<BatchRecord>({
    name: 'find-batch',
    text: `SELECT b.id, b.account_id AS "accountId", b.status, b.sealed, b.rows, b.centavos,
        b.made_by_id AS "madeById", m.name AS "madeBy", b.made_at AS "madeAt", b.decide_until AS "decideUntil",
        d.name AS "decidedBy", b.decided_at AS "decidedAt"
      FROM payout_batches b LEFT JOIN members m ON m.id = b.made_by_id LEFT JOIN members d ON d.id = b.decided_by_id
      WHERE b.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export type BatchRowRecord = {
  number: number;
  withdrawalId: string;
  centavos: bigint;
  failure: string | null;
  /** Of its withdrawal; null: there is none. */
  status: WithdrawalStatus | null;
  subStatus: WithdrawalSubStatus | null;
};

/** The rows of a batch, in the order of its file, each with its outcome. */
export async function listBatchRows(db: pg.Pool, batchId: string): Promise<BatchRowRecord[]> {
  const { rows } = await db.query<BatchRowRecord>({
    name: 'list-batch-rows',
    text: `SELECT r.number, r.withdrawal_id AS "withdrawalId", r.centavos, r.failure, t.status,
        t.sub_status AS "subStatus"
      FROM payout_batch_rows r LEFT JOIN transactions t ON t.id = r.withdrawal_id
      WHERE r.batch_id = $1 ORDER BY r.number`,
    values: [batchId],
  });
  return rows;
}

export type ListedBatch = Omit<BatchRecord, 'sealed' | 'accountId' | 'decidedBy' | 'decidedAt' | 'madeById'> & {
  /** How many rows are still to be run. */
  toRun: number;
};

/** The newest batches of an account. */
export async function listBatches(db: pg.Pool, accountId: string, limit: number): Promise<ListedBatch[]> {
  const { rows } = await db.query<ListedBatch>({
    name: 'list-batches',
    text: `SELECT b.id, b.status, b.rows, b.centavos, m.name AS "madeBy", b.made_at AS "madeAt",
        b.decide_until AS "decideUntil", (SELECT count(*)::int FROM payout_batch_rows r
          WHERE r.batch_id = b.id AND r.failure IS NULL
            AND NOT EXISTS (SELECT FROM transactions t WHERE t.id = r.withdrawal_id)) AS "toRun"
      FROM payout_batches b LEFT JOIN members m ON m.id = b.made_by_id
      WHERE b.account_id = $1 ORDER BY b.id DESC LIMIT $2`,
    values: [accountId, limit],
  });
  return rows;
}
