import type pg from 'pg';
import type { TransactionStatus, TransactionType } from '#domain/transaction-states.ts';

/** Transactions that are alike: of a type and state, whose money moved in the same step and that were made in or before the span. */
export type OverviewGroup = {
  type: TransactionType;
  status: TransactionStatus;
  /** Which of `bounds` its money moved in: 0 before the first one, then the step from bounds[step - 1] on; null: no money moved. */
  step: number | null;
  /** Whether it was made at `start` or later. */
  isNew: boolean;
  count: number;
  /** What the payer paid and was credited, or what left to the receiver. */
  movedCentavos: bigint;
  feeCentavos: bigint;
  refundedCentavos: bigint;
};

/**
 * Sums of an account's transactions from `bounds[0]` on, in one pass down (account_id, updated_at): whatever was made or paid since
 * an instant was also changed since then, so this is all of it, and late payments of old charges count when they come.
 *
 * The groups are few hundreds, which PostgreSQL can't know: it would sort all rows on disk instead of hashing them. One number for
 * step and age, behind OFFSET 0, makes it guess low (100,000 transactions, measured: 79 ms, 160 ms without).
 */
export async function sumTransactions(
  db: pg.Pool,
  accountId: string,
  span: { bounds: readonly Date[]; start: Date },
): Promise<OverviewGroup[]> {
  const { rows } = await db.query<Omit<OverviewGroup, 'step' | 'isNew'> & { part: number }>({
    name: 'sum-transactions',
    text: `SELECT type, status, part, count(*)::integer AS count,
        coalesce(sum(moved), 0)::bigint AS "movedCentavos", coalesce(sum(fee), 0)::bigint AS "feeCentavos",
        coalesce(sum(refunded_centavos), 0)::bigint AS "refundedCentavos"
      FROM (
        SELECT type, status, refunded_centavos,
          CASE type WHEN 'crypto_in' THEN credited_centavos WHEN 'pix_in' THEN amount_centavos ELSE net_centavos END AS moved,
          CASE type WHEN 'crypto_in' THEN credited_fee_centavos ELSE fee_centavos END AS fee,
          (CASE WHEN status IN ('paid', 'refunded', 'completed') OR credited_centavos > 0
            THEN width_bucket(coalesce(paid_at, updated_at), $2::timestamptz[]) ELSE ${UNMOVED} END) * 2
            + (created_at >= $3)::integer AS part
        FROM transactions WHERE account_id = $1 AND updated_at >= $4
        OFFSET 0
      ) AS t
      GROUP BY type, status, part`,
    values: [accountId, span.bounds, span.start, span.bounds[0]],
  });
  return rows.map(({ part, ...row }) => {
    const step = Math.floor(part / 2);
    return { ...row, step: step === UNMOVED ? null : step, isNew: part % 2 !== 0 };
  });
}

/** Below the number of any step. */
const UNMOVED = -1;

export type Pile = { count: number; centavos: bigint; oldestId: string | null; oldestAt: Date | null };

/**
 * Withdrawals that were asked for before an instant and have not come to an end. Whatever is under way has a task, and those are few:
 * they are walked, not the account's transactions.
 */
export async function findStuckWithdrawals(
  db: pg.Pool,
  accountId: string,
  before: { pix: Date; crypto: Date },
): Promise<Pile> {
  const { rows } = await db.query<Pile>({
    name: 'find-stuck-withdrawals',
    text: `SELECT count(*)::integer AS count, coalesce(sum(t.amount_centavos), 0)::bigint AS centavos,
        (array_agg(t.id ORDER BY t.created_at))[1] AS "oldestId", min(t.created_at) AS "oldestAt"
      FROM tasks k JOIN transactions t ON t.id = k.subject_id
      WHERE k.kind = 'payout' AND t.account_id = $1 AND t.status IN ('pending', 'processing')
        AND t.created_at < CASE t.type WHEN 'pix_out' THEN $2::timestamptz ELSE $3::timestamptz END`,
    values: [accountId, before.pix, before.crypto],
  });
  return rows[0] ?? NONE;
}

/**
 * What waits for the operator's decision: money that arrived and can't be credited as asked (the open ones of an installation are few:
 * they are walked), and withdrawals made since an instant whose provider contradicted itself.
 */
export async function findInReview(db: pg.Pool, accountId: string, withdrawnSince: Date): Promise<Pile> {
  const { rows } = await db.query<Pile>({
    name: 'find-in-review',
    text: `SELECT count(*)::integer AS count, coalesce(sum(centavos), 0)::bigint AS centavos,
        (array_agg(id ORDER BY at))[1] AS "oldestId", min(at) AS "oldestAt"
      FROM (
        SELECT t.id, r.received_centavos AS centavos, r.created_at AS at
        FROM reviews r JOIN transactions t ON t.id = r.transaction_id
        WHERE r.resolved_at IS NULL AND t.account_id = $1
        UNION ALL
        SELECT id, amount_centavos, updated_at FROM transactions
        WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out') AND created_at >= $2 AND status = 'review'
      ) AS waiting`,
    values: [accountId, withdrawnSince],
  });
  return rows[0] ?? NONE;
}

const NONE: Pile = { count: 0, centavos: 0n, oldestId: null, oldestAt: null };
