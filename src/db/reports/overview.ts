import type pg from 'pg';
import type { TransactionStatus } from '#domain/transactions/transaction-states.ts';

/** The ledger's transfers of one kind in one step of a span, added up. */
export type MovementGroup = {
  kind: MovementKind;
  /** Which of `bounds` they were made in: the step from bounds[step - 1] on. */
  step: number;
  /** How many brought or took something that is final. */
  count: number;
  /** Positive: it came in. */
  grossCentavos: bigint;
  feeCentavos: bigint;
  /** To other accounts. */
  splitCentavos: bigint;
  pendingChangeCentavos: bigint;
};
export type MovementKind = 'pix_in' | 'crypto_in' | 'pix_out' | 'crypto_out' | 'refund' | 'split_received';

export type Movements = {
  balances: { availableCentavos: bigint; pendingCentavos: bigint; blockedCentavos: bigint };
  groups: MovementGroup[];
};

/** In the order of their numbers in `part`. */
const KINDS = [
  'pix_in',
  'crypto_in',
  'pix_out',
  'crypto_out',
  'refund',
  'split_received',
] as const satisfies MovementKind[];
/** Above any of these numbers. */
const KINDS_MAX = 8;
const numberOf = (kind: MovementKind): number => KINDS.indexOf(kind);

type SumsRow = Movements['balances'] & { part: number | null } & Omit<MovementGroup, 'kind' | 'step'>;

/**
 * An account's balances and all that changed their sum from `bounds[0]` on, of one moment: what the
 * groups come to (gross - fee - split + pending) is by how much the sum has changed. From two
 * indexes alone. Null: there is no such account.
 *
 * The groups are few hundreds, which PostgreSQL can't know: one number for step and kind, behind
 * OFFSET 0, makes it guess low, and is hashed faster than two.
 */
export async function sumMovements(db: pg.Pool, accountId: string, bounds: readonly Date[]): Promise<Movements | null> {
  const { rows } = await db.query<SumsRow>({
    name: 'sum-movements',
    text: `SELECT b.*, m.*
      FROM (
        SELECT max(balance_centavos) FILTER (WHERE kind = 'available') AS "availableCentavos",
          max(balance_centavos) FILTER (WHERE kind = 'pending') AS "pendingCentavos",
          max(balance_centavos) FILTER (WHERE kind = 'blocked') AS "blockedCentavos"
        FROM ledger_accounts WHERE account_id = $1 HAVING count(*) > 0
      ) AS b LEFT JOIN (
        SELECT part, (count(*) FILTER (WHERE gross_centavos <> 0))::integer AS count, sum(gross_centavos)::bigint AS "grossCentavos",
          sum(fee_centavos)::bigint AS "feeCentavos", sum(split_centavos)::bigint AS "splitCentavos",
          sum(pending_centavos)::bigint AS "pendingChangeCentavos"
        FROM (
          SELECT gross_centavos, fee_centavos, split_centavos, pending_centavos,
            width_bucket(created_at, $2::timestamptz[]) * ${KINDS_MAX}
              + CASE WHEN kind = 'refund_completed' THEN ${numberOf('refund')} WHEN type = 'pix_in' THEN ${numberOf('pix_in')}
                WHEN type = 'crypto_in' THEN ${numberOf('crypto_in')} WHEN type = 'pix_out' THEN ${numberOf('pix_out')}
                ELSE ${numberOf('crypto_out')} END AS part
          FROM ledger_transfers WHERE account_id = $1 AND created_at >= $3 AND (gross_centavos <> 0 OR pending_centavos <> 0)
          OFFSET 0
        ) AS own GROUP BY part
        UNION ALL
        SELECT width_bucket(created_at, $2::timestamptz[]) * ${KINDS_MAX} + ${numberOf('split_received')}, count(*)::integer,
          sum(split_centavos)::bigint, 0, 0, 0
        FROM ledger_transfers WHERE split_account_id = $1 AND created_at >= $3 GROUP BY 1
      ) AS m ON true`,
    values: [accountId, bounds, bounds[0]],
  });
  const [first] = rows;
  if (!first) return null;
  const { availableCentavos, pendingCentavos, blockedCentavos } = first;
  return {
    balances: { availableCentavos, pendingCentavos, blockedCentavos },
    groups: rows.flatMap(({ part, ...sums }) => {
      const kind = part === null ? undefined : KINDS[part % KINDS_MAX];
      return part === null || !kind ? [] : [{ ...sums, kind, step: Math.floor(part / KINDS_MAX) }];
    }),
  };
}

export type MadeGroup = { status: TransactionStatus; count: number };

/** How many charges and invoices of an account were made since an instant, by status. */
export async function countMade(db: pg.Pool, accountId: string, since: Date): Promise<MadeGroup[]> {
  const { rows } = await db.query<MadeGroup>({
    name: 'count-made',
    // Whatever was made since then was also changed since then, and the index is by change.
    text: `SELECT status, count(*)::integer AS count FROM transactions
      WHERE account_id = $1 AND updated_at >= $2 AND created_at >= $2 AND type IN ('pix_in', 'crypto_in') GROUP BY status`,
    values: [accountId, since],
  });
  return rows;
}

export type Pile = { count: number; centavos: bigint; oldestId: string | null; oldestAt: Date | null };

/**
 * Withdrawals that were asked for before an instant and have not come to an end. Whatever is under
 * way has a task, and those are few: they are walked, not the account's transactions.
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
 * What waits for the operator's decision: money that arrived and can't be credited as asked (the
 * open ones of an installation are few: they are walked), and withdrawals made since an instant
 * whose provider contradicted itself.
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
