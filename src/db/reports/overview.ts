import type pg from 'pg';
import { IS_AMOUNT_IN_REVIEW } from '../transactions/display-status.ts';

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

/** Charges and invoices made in a step that have ended so. */
type OutcomeGroup = { kind: OutcomeKind; step: number; count: number };
type OutcomeKind = 'made_paid' | 'made_expired' | 'made_cancelled';

export type Movements = {
  /** `owed`: what the account owes the platform; 0 or more. */
  balances: { availableCentavos: bigint; pendingCentavos: bigint; blockedCentavos: bigint; owedCentavos: bigint };
  groups: MovementGroup[];
  outcomes: OutcomeGroup[];
  /** How many charges and invoices that were made in a part with outcomes have not ended. */
  waiting: number;
};

/** What is added up: from `bounds[0]` on, in these parts. */
export type SummedSpan = {
  /** Where steps begin. */
  bounds: readonly Date[];
  /** Whether all bounds but the end of a part are beginnings of days, not only of hours. */
  unit: 'hour' | 'day';
  /** `end` null: there is none. `hasOutcomes`: charges and invoices are counted, too. */
  parts: readonly { start: Date; end: Date | null; hasOutcomes: boolean }[];
};

type SumsRow = Movements['balances'] & { waiting: number } & { kind: MovementKind | OutcomeKind | null } & Omit<
    MovementGroup,
    'kind'
  >;

/**
 * An account's balances and what changed their sum in a span, read at one moment: the groups
 * together (gross - fee - split + pending) are the change of the sum. Whole days and hours come
 * from account_totals, as far as these are sealed; the rest, an hour or two at most, from the
 * transfers that they are made of, by the same views. Null: there is no such account.
 */
export async function sumMovements(db: pg.Pool, accountId: string, span: SummedSpan): Promise<Movements | null> {
  const { rows } = await db.query<SumsRow>({
    name: 'sum-movements',
    text: `WITH part AS (
        SELECT p.starts, p.ends, p.has_outcomes, days.until AS days_until,
          greatest(days.until, date_trunc('hour', sealed.until)) AS hours_until
        FROM unnest($3::timestamptz[], $4::timestamptz[], $5::boolean[]) AS p (starts, ends, has_outcomes)
          CROSS JOIN LATERAL (SELECT least(p.ends, coalesce(sealed_until, '-infinity')) AS until FROM totals_progress) AS sealed
          CROSS JOIN LATERAL (SELECT CASE WHEN $6 = 'hour' THEN p.starts
            ELSE greatest(p.starts, date_trunc('day', sealed.until, 'America/Sao_Paulo')) END AS until) AS days
      )
      SELECT b.*, m.*
      FROM (
        SELECT max(balance_centavos) FILTER (WHERE kind = 'available') AS "availableCentavos",
          max(balance_centavos) FILTER (WHERE kind = 'pending') AS "pendingCentavos",
          max(balance_centavos) FILTER (WHERE kind = 'blocked') AS "blockedCentavos",
          coalesce(-max(balance_centavos) FILTER (WHERE kind = 'owed'), 0) AS "owedCentavos",
          (SELECT count(*)::integer FROM part p JOIN transactions t ON t.created_at >= p.starts AND t.created_at < p.ends
            WHERE p.has_outcomes AND t.account_id = $1 AND t.type IN ('pix_in', 'crypto_in')
              AND t.status IN ('pending', 'review')) AS waiting
        FROM ledger_accounts WHERE account_id = $1 HAVING count(*) > 0
      ) AS b LEFT JOIN (
        SELECT kind, width_bucket(at, $2::timestamptz[]) AS step, sum(count)::integer AS count,
          sum(gross_centavos)::bigint AS "grossCentavos", sum(fee_centavos)::bigint AS "feeCentavos",
          sum(split_centavos)::bigint AS "splitCentavos", sum(pending_centavos)::bigint AS "pendingChangeCentavos"
        FROM part p CROSS JOIN LATERAL (
          SELECT kind, starts_at AS at, count, gross_centavos, fee_centavos, split_centavos, pending_centavos
          FROM account_totals
          WHERE account_id = $1 AND unit = 'day' AND starts_at >= p.starts AND starts_at < p.days_until
          UNION ALL
          SELECT kind, starts_at, count, gross_centavos, fee_centavos, split_centavos, pending_centavos
          FROM account_totals
          WHERE account_id = $1 AND unit = 'hour' AND starts_at >= p.days_until AND starts_at < p.hours_until
          UNION ALL
          SELECT kind, at, count, gross_centavos, fee_centavos, split_centavos, pending_centavos
          FROM account_movements WHERE account_id = $1 AND at >= p.hours_until AND at < p.ends
          UNION ALL
          SELECT kind, at, count, 0, 0, 0, 0 FROM account_outcomes
          WHERE p.has_outcomes AND account_id = $1 AND updated_at >= p.hours_until AND at >= p.hours_until AND at < p.ends
        ) AS summed GROUP BY 1, 2
      ) AS m ON true`,
    values: [
      accountId,
      span.bounds,
      span.parts.map(({ start }) => start),
      span.parts.map(({ end }) => end ?? 'infinity'),
      span.parts.map(({ hasOutcomes }) => hasOutcomes),
      span.unit,
    ],
  });
  const [first] = rows;
  if (!first) return null;
  const { availableCentavos, pendingCentavos, blockedCentavos, owedCentavos, waiting } = first;
  return {
    waiting,
    balances: { availableCentavos, pendingCentavos, blockedCentavos, owedCentavos },
    groups: rows.flatMap(({ kind, ...sums }) => (kind === null || isOutcome(kind) ? [] : [{ ...sums, kind }])),
    outcomes: rows.flatMap(({ kind, step, count }) =>
      kind !== null && isOutcome(kind) ? [{ kind, step, count }] : [],
    ),
  };
}

const isOutcome = (kind: MovementKind | OutcomeKind): kind is OutcomeKind => kind.startsWith('made_');

export type Pile = { count: number; centavos: bigint; oldestId: string | null; oldestAt: Date | null };

/**
 * Withdrawals that were under way before an instant and have not come to an end: one that waited
 * for its date or for a second person is under way from then on. Whatever is has a task, and those
 * are few: they are walked, not the account's transactions.
 */
export async function findStuckWithdrawals(
  db: pg.Pool,
  accountId: string,
  before: { pix: Date; crypto: Date },
): Promise<Pile> {
  const { rows } = await db.query<Pile>({
    name: 'find-stuck-withdrawals',
    text: `SELECT count(*)::integer AS count, coalesce(sum(t.amount_centavos), 0)::bigint AS centavos,
        (array_agg(t.id ORDER BY way.since))[1] AS "oldestId", min(way.since) AS "oldestAt"
      FROM tasks k JOIN transactions t ON t.id = k.subject_id
        LEFT JOIN withdrawal_approvals a ON a.transaction_id = t.id AND a.outcome = 'approved'
        CROSS JOIN LATERAL (SELECT coalesce(t.begun_at, a.decided_at, t.created_at) AS since) AS way
      WHERE k.kind = 'payout' AND t.account_id = $1 AND t.status IN ('pending', 'processing')
        AND way.since < CASE t.type WHEN 'pix_out' THEN $2::timestamptz ELSE $3::timestamptz END`,
    values: [accountId, before.pix, before.crypto],
  });
  return rows[0] ?? NONE;
}

/** Withdrawals that wait for a second person. */
export async function findAwaitedApprovals(db: pg.Pool, accountId: string): Promise<Pile> {
  const { rows } = await db.query<Pile>({
    name: 'find-awaited-approvals',
    text: `SELECT count(*)::integer AS count, coalesce(sum(amount_centavos), 0)::bigint AS centavos,
        (array_agg(id ORDER BY created_at))[1] AS "oldestId", min(created_at) AS "oldestAt"
      FROM transactions WHERE account_id = $1 AND sub_status = 'pending_approval'
        AND (sub_status IS NOT NULL OR refunded_centavos > 0 AND status = 'paid')`,
    values: [accountId],
  });
  return rows[0] ?? NONE;
}

/**
 * The transactions that wait for the operator's decision, which the list shows under `review`:
 * money arrived and can't be credited as asked (the open ones of an installation are few: they are
 * walked), or a withdrawal's provider contradicted itself. The amounts are what is left of them.
 */
export async function findInReview(db: pg.Pool, accountId: string): Promise<Pile> {
  const { rows } = await db.query<Pile>({
    name: 'find-in-review',
    text: `SELECT count(*)::integer AS count, coalesce(sum(centavos), 0)::bigint AS centavos,
        (array_agg(id ORDER BY at))[1] AS "oldestId", min(at) AS "oldestAt"
      FROM (
        SELECT t.id, sum(r.received_centavos - r.returned_centavos) AS centavos, min(r.created_at) AS at
        FROM reviews r JOIN transactions t ON t.id = r.transaction_id
        WHERE ${IS_AMOUNT_IN_REVIEW} AND t.account_id = $1
        GROUP BY t.id
        UNION ALL
        SELECT id, amount_centavos, updated_at FROM transactions
        WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out') AND status = 'review'
      ) AS waiting`,
    values: [accountId],
  });
  return rows[0] ?? NONE;
}

const NONE: Pile = { count: 0, centavos: 0n, oldestId: null, oldestAt: null };
