import type pg from 'pg';
import { BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { withAudit } from '../audit/with-audit.ts';

/**
 * What a provider, or the ledger, has of a day; each amount as a figure above zero, in the smallest
 * unit of the day's currency: centavos of BRL, 10^-8 of a coin.
 */
export type DayFigures = {
  openingAmount: bigint;
  receivedAmount: bigint;
  returnedAmount: bigint;
  sentAmount: bigint;
  closingAmount: bigint;
};

/** What identifies a day of a rail; `day` is `YYYY-MM-DD`. */
export type DayOfRail = { rail: string; currency: string; day: string };

export type ReconciledDay = {
  id: string;
  rail: string;
  /** `BRL` of a PSP; a currency code of a crypto processor. */
  currency: string;
  /** Whose credentials they are; null: the installation's. */
  accountId: string | null;
  /** Of São Paulo, `YYYY-MM-DD`. */
  day: string;
  /** Null while the day has not been compared: then its figures say nothing. */
  checkedAt: Date | null;
  /** Whether all of it was read: false when it was not over yet. */
  isWhole: boolean;
  /** Its closing includes what changed the balance without being listed. */
  theirs: DayFigures;
  ours: DayFigures;
  /**
   * What a crypto processor and the network took, as the processor says; part of no other figure.
   */
  feesAmount: bigint;
  /** Of coins what the ledger has for those received and sent; null of BRL. */
  oursCentavos: { received: bigint; sent: bigint } | null;
  /**
   * Theirs less ours, as far as it is explained: by what both have on different days, for example.
   */
  explainedAmount: bigint;
  /** Theirs less ours, as far as nothing explains it. */
  differenceAmount: bigint;
  /** Null where the PSP does not say its balance. */
  balanceAmount: bigint | null;
  balanceDifferenceAmount: bigint;
  /** All differences that nothing explains, without their signs. */
  unexplainedAmount: bigint;
  unreadable: number;
  itemCount: number;
  /** A digest of what nothing explains; null where nothing differs. */
  differences: string | null;
  /** When and why an operator has acknowledged that; null while nobody has. */
  acknowledged: { at: Date; reason: string } | null;
};

/** Why an item is not the same on both sides; compared_item says what each means. */
export type ReconciliationReason =
  | 'missing_here'
  | 'missing_there'
  | 'other_amount'
  | 'other_day'
  | 'before'
  | 'foreign'
  | 'remainder';

export type ReconciliationItem = {
  why: ReconciliationReason;
  kind: 'payment' | 'refund' | 'payout';
  /**
   * The end-to-end id, with a devolução's id after it; of a withdrawal its id at the PSP; of an
   * operation its id at the crypto processor.
   */
  key: string;
  endToEndId: string | null;
  returnId: string | null;
  /** The change of what the PSP holds; null where a side does not have it. */
  theirsAmount: bigint | null;
  oursAmount: bigint | null;
  /** Of coins what the ledger has of them on the day. */
  oursCentavos: bigint | null;
  unexplainedAmount: bigint;
  theirsAt: Date | null;
  oursAt: Date | null;
  transactionId: string | null;
};

type FiguresRow = Omit<ReconciledDay, 'theirs' | 'ours' | 'oursCentavos' | 'acknowledged'> & {
  acknowledgedDifferences: string | null;
  acknowledgedAt: Date | null;
  acknowledgedReason: string | null;
  theirsOpening: bigint;
  theirsReceived: bigint;
  theirsReturned: bigint;
  theirsSent: bigint;
  oursOpening: bigint;
  oursReceived: bigint;
  oursReturned: bigint;
  oursSent: bigint;
  oursReceivedCentavos: bigint | null;
  oursSentCentavos: bigint | null;
};

/**
 * Of day `d`, which differs. The digest is of all its items, and not every day's is needed: most
 * days were never acknowledged.
 */
export const NOT_ACKNOWLEDGED =
  '(d.acknowledged_differences IS NULL OR d.acknowledged_differences <> reconciled_differences(d))';

/**
 * Days, the newest first, of one rail or of all, of an account's own credentials or (null) of
 * anybody's; `before` is the last one of the page before. Of a day that was not compared yet,
 * the figures are zero.
 */
export async function listReconciledDays(
  db: pg.Pool,
  which: {
    accountId: string | null;
    rail: string | null;
    /** `YYYY-MM-DD`; null: the newest. */
    day: string | null;
    dayId?: string | null;
    /**
     * Only days with a difference that nothing explains, or with what could not be read, and that
     * no operator has acknowledged.
     */
    isOpen?: boolean;
    before: DayOfRail | null;
    /** Null: all of them. */
    limit: number | null;
  },
): Promise<ReconciledDay[]> {
  const { rows } = await db.query<FiguresRow>({
    name: 'list-reconciled-days',
    // Materialized: the first balance is looked for once for each rail, not for each of its days.
    text: `WITH rails AS MATERIALIZED (
        SELECT r.rail, r.currency, r.account_id, r.opening_amount AS ours_opening,
          -- Where the PSP says its balance, it began with what the first one leaves.
          coalesce((
            SELECT b.balance_amount - (
                SELECT sum(m.theirs_received_amount - m.theirs_returned_amount - m.theirs_sent_amount)
                FROM reconciled_days m WHERE m.rail = r.rail AND m.day <= b.day)
            FROM reconciled_days b
            WHERE b.rail = r.rail AND b.currency = 'BRL' AND r.currency = 'BRL' AND b.balance_amount IS NOT NULL
            ORDER BY b.day LIMIT 1), r.opening_amount) AS theirs_opening
        FROM reconciled_rails r WHERE ($1::uuid IS NULL OR r.account_id = $1) AND ($2::text IS NULL OR r.rail = $2)
      ), openings AS (
        SELECT d.id, r.account_id,
          r.ours_opening + coalesce(sum(d.ours_received_amount - d.ours_returned_amount - d.ours_sent_amount)
            OVER earlier, 0) AS ours_opening,
          r.theirs_opening + coalesce(sum(d.theirs_received_amount - d.theirs_returned_amount - d.theirs_sent_amount
            + CASE WHEN r.currency = 'BRL' THEN d.balance_difference_amount ELSE 0 END) OVER earlier, 0) AS theirs_opening
        FROM rails r JOIN reconciled_days d ON d.rail = r.rail AND d.currency = r.currency
        WINDOW earlier AS (PARTITION BY d.rail, d.currency ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
      SELECT id, rail, currency, account_id AS "accountId", to_char(day, 'YYYY-MM-DD') AS day, checked_at AS "checkedAt",
        coalesce((SELECT ends_at FROM day_bounds(day)) <= read_until, false) AS "isWhole", theirs_opening::bigint AS "theirsOpening",
        theirs_received_amount AS "theirsReceived", theirs_returned_amount AS "theirsReturned",
        theirs_sent_amount AS "theirsSent", theirs_fees_amount AS "feesAmount",
        ours_received_centavos AS "oursReceivedCentavos", ours_sent_centavos AS "oursSentCentavos", ours_opening::bigint AS "oursOpening", ours_received_amount AS "oursReceived",
        ours_returned_amount AS "oursReturned", ours_sent_amount AS "oursSent",
        explained_amount AS "explainedAmount", difference_amount AS "differenceAmount",
        balance_amount AS "balanceAmount", balance_difference_amount AS "balanceDifferenceAmount",
        unexplained_amount AS "unexplainedAmount", unreadable, item_count AS "itemCount", reconciled_differences(d) AS differences,
        acknowledged_differences AS "acknowledgedDifferences", acknowledged_at AS "acknowledgedAt",
        acknowledged_reason AS "acknowledgedReason"
      FROM openings JOIN reconciled_days d USING (id)
      WHERE ($3::date IS NULL OR day = $3) AND ($4::date IS NULL OR (day, rail, currency) < ($4, $5::text, $8::text))
        AND ($7::uuid IS NULL OR id = $7) AND (NOT $9::boolean OR ((unexplained_amount > 0 OR unreadable > 0) AND ${NOT_ACKNOWLEDGED}))
      ORDER BY day DESC, rail DESC, currency DESC LIMIT $6`,
    values: [
      which.accountId,
      which.rail,
      which.day,
      which.before?.day ?? null,
      which.before?.rail ?? null,
      which.limit,
      which.dayId ?? null,
      which.before?.currency ?? null,
      which.isOpen ?? false,
    ],
  });
  return rows.map(toDay);
}

function toDay(row: FiguresRow): ReconciledDay {
  const { theirsOpening, theirsReceived, theirsReturned, theirsSent } = row;
  const { oursOpening, oursReceived, oursReturned, oursSent, oursReceivedCentavos, oursSentCentavos, ...others } = row;
  const { acknowledgedDifferences, acknowledgedAt: at, acknowledgedReason: reason, ...rest } = others;
  // Of coins the difference of the balance says nothing about the day: see coins_compare_balances.
  const unlisted = row.currency === BRL ? row.balanceDifferenceAmount : 0n;
  return {
    ...rest,
    acknowledged: at && reason !== null && acknowledgedDifferences === row.differences ? { at, reason } : null,
    oursCentavos: row.currency === BRL ? null : { received: oursReceivedCentavos ?? 0n, sent: oursSentCentavos ?? 0n },
    theirs: {
      openingAmount: theirsOpening,
      receivedAmount: theirsReceived,
      returnedAmount: theirsReturned,
      sentAmount: theirsSent,
      closingAmount: theirsOpening + theirsReceived - theirsReturned - theirsSent + unlisted,
    },
    ours: {
      openingAmount: oursOpening,
      receivedAmount: oursReceived,
      returnedAmount: oursReturned,
      sentAmount: oursSent,
      closingAmount: oursOpening + oursReceived - oursReturned - oursSent,
    },
  };
}

/** One day, if it is of the account's own credentials (null: anybody's). */
export async function findReconciledDay(
  db: pg.Pool,
  { dayId, accountId }: { dayId: string; accountId: string | null },
): Promise<ReconciledDay | null> {
  const [day] = await listReconciledDays(db, { accountId, rail: null, day: null, dayId, before: null, limit: 1 });
  return day ?? null;
}

/** Whether the books over an account's own credentials are compared. */
export async function hasReconciledRail(db: pg.Pool, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'has-reconciled-rail',
    text: 'SELECT EXISTS (SELECT FROM reconciled_rails WHERE account_id = $1) AS has',
    values: [accountId],
  });
  return rows[0]?.has ?? false;
}

/**
 * The items of a day that are not the same on both sides, those that nothing explains first: as
 * many of them as are kept. Empty for a day that is not the account's (null: anybody's).
 */
export async function listReconciliationItems(
  db: pg.Pool,
  which: { dayId: string; accountId: string | null },
): Promise<ReconciliationItem[]> {
  const { rows } = await db.query<ReconciliationItem>({
    name: 'list-reconciliation-items',
    text: `SELECT i.why, i.kind, i.key, i.end_to_end_id AS "endToEndId", i.return_id AS "returnId",
        i.theirs_amount AS "theirsAmount", i.ours_amount AS "oursAmount", i.ours_day_centavos AS "oursCentavos",
        i.unexplained_amount AS "unexplainedAmount", i.theirs_at AS "theirsAt", i.ours_at AS "oursAt",
        i.transaction_id AS "transactionId"
      FROM reconciled_days d JOIN reconciled_rails r ON r.rail = d.rail AND r.currency = d.currency
        CROSS JOIN LATERAL jsonb_to_recordset(d.items) AS i (why text, kind text, key text, end_to_end_id text,
          return_id text, theirs_amount bigint, ours_amount bigint, ours_day_centavos bigint, unexplained_amount bigint,
          theirs_at timestamptz, ours_at timestamptz, transaction_id uuid)
      WHERE d.id = $1 AND ($2::uuid IS NULL OR r.account_id = $2)`,
    values: [which.dayId, which.accountId],
  });
  return rows;
}

/**
 * Notes that an operator has acknowledged what nothing explains of a day, with the audit in the
 * same commit. Returns false, and notes nothing, where the day does not differ by that any more.
 */
export const acknowledgeDay = (
  db: pg.Pool,
  day: { dayId: string; differences: string; reason: string; now: Date },
  audit: AuditEntry,
): Promise<boolean> =>
  withAudit(
    db,
    async (client) => {
      const { rowCount } = await client.query(
        `UPDATE reconciled_days d SET acknowledged_differences = $2, acknowledged_reason = $3, acknowledged_at = $4
         WHERE id = $1 AND reconciled_differences(d) = $2`,
        [day.dayId, day.differences, day.reason, day.now],
      );
      return rowCount === 1;
    },
    (isNoted) => (isNoted ? audit : null),
  );

/**
 * Each rail that is compared, by its currencies, with what nothing explains and no operator has
 * acknowledged (in the currency's smallest unit), and the end of its last whole day.
 */
export async function findReconciliationState(
  db: pg.Pool,
): Promise<{ rail: string; currency: string; unexplainedAmount: bigint; unreadable: bigint; checkedUntil: Date }[]> {
  const { rows } = await db.query<{
    rail: string;
    currency: string;
    unexplainedAmount: bigint;
    unreadable: bigint;
    checkedUntil: Date;
  }>({
    name: 'find-reconciliation-state',
    text: `SELECT r.rail, r.currency, coalesce(differing.centavos, 0)::bigint AS "unexplainedAmount",
        coalesce(differing.unreadable, 0)::bigint AS unreadable,
        coalesce((SELECT ends_at FROM day_bounds(last.day)),
          r.first_day::timestamp AT TIME ZONE 'America/Sao_Paulo') AS "checkedUntil"
      FROM reconciled_rails r
        LEFT JOIN LATERAL (
          SELECT sum(d.unexplained_amount) AS centavos, sum(d.unreadable) AS unreadable FROM reconciled_days d
          WHERE d.rail = r.rail AND d.currency = r.currency AND (d.unexplained_amount > 0 OR d.unreadable > 0)
            AND ${NOT_ACKNOWLEDGED}
            AND d.read_until >= (d.day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo') AS differing ON true
        LEFT JOIN LATERAL (
          SELECT d.day FROM reconciled_days d
          WHERE d.rail = r.rail AND d.currency = r.currency AND d.read_until >= (d.day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo'
          ORDER BY d.day DESC LIMIT 1) AS last ON true
      ORDER BY r.rail, r.currency`,
  });
  return rows;
}

/**
 * The rails whose books are compared, by their currencies, each with its first day (`YYYY-MM-DD`).
 */
export async function listReconciledRails(
  db: pg.Pool,
): Promise<{ rail: string; currency: string; firstDay: string }[]> {
  const { rows } = await db.query<{ rail: string; currency: string; firstDay: string }>({
    name: 'list-reconciled-rails',
    text: `SELECT rail, currency, to_char(first_day, 'YYYY-MM-DD') AS "firstDay" FROM reconciled_rails
      ORDER BY rail, currency`,
  });
  return rows;
}

/**
 * Makes a day due for comparison now, from its beginning, whatever a run of it has read so far.
 * Returns the day's id; null when there is no such day.
 */
export async function expediteDay(db: pg.Pool, day: DayOfRail & { now: Date }): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'expedite-reconciliation',
    text: `WITH asked AS (SELECT id, run_id FROM reconciled_days WHERE rail = $1 AND day = $2 AND currency = $4),
      stopped AS (
        UPDATE reconciled_days d SET run_id = NULL, run_at = NULL, run_step = NULL FROM asked WHERE d.id = asked.id),
      forgotten AS (
        DELETE FROM listed_movements l USING asked WHERE l.run_id = asked.run_id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'reconcile_day', id, $3 FROM asked
      ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at
      RETURNING subject_id AS id`,
    values: [day.rail, day.day, day.now, day.currency],
  });
  return rows[0]?.id ?? null;
}
