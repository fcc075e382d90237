import type pg from 'pg';
import type { StatementBalance } from '#domain/reports/statement-entry.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';

/**
 * The entries of one balance, in the order of their versions, which is the order in which the
 * ledger made them: each one's balance is that of the one before it plus its amount. A transfer's
 * instant is taken before its rows are locked, by the clock of whichever process makes it, so
 * versions and instants do not always agree: an entry may be a little older than the one before it.
 *
 * Therefore a day begins, for a balance, with the FIRST entry whose instant is in that day or
 * later, and everything from there on belongs to it or to a later day: an entry from 23:59:59 that
 * comes after one from 00:00:01 counts on the new day. Days and periods are then whole stretches of
 * versions, no entry is in two of them or in none, and opening + movements = closing holds by
 * construction, for every period and for adjacent ones together.
 */

/**
 * How much older than one before it an entry may be: twice what takes an instant and then waits (15
 * s for a provider, 5 s for a connection, 10 s for a statement), of processes that have the time of
 * one database. Should an entry be older still, then a day may begin at another entry near its
 * start than it would by the rule above; everything still adds up. Entries of this long are read
 * one by one at each bound of a period: of five minutes, that was a fifth of the time of a page of
 * ten million transactions.
 */
export const DISORDER_MS = 60_000;

/**
 * A stretch of versions: `first` is in it, `next` is the first one after it. Entries are immutable,
 * so what it holds never changes.
 */
export type StatementRange = {
  ledgerAccountId: bigint;
  first: bigint;
  next: bigint;
  openingCentavos: bigint;
  /** What came in. */
  creditCentavos: bigint;
  /** What went out; negative. */
  debitCentavos: bigint;
  closingCentavos: bigint;
};

/**
 * The versions at which days begin: no index knows when a transfer was made, and none is needed.
 * First by halving, up to an entry before which nothing can be as late as the instant: from the
 * greatest power of two down, a step is taken where it ends before the instant less the disorder.
 * Two instants take the same steps until one of them is passed, so a later one never comes out at
 * an earlier version. Then, with step 0, one by one up to the first entry that is late enough; -1
 * ends it. A recursion reads one entry at a time whatever the planner estimates; with a condition
 * on the instant it read and sorted the whole table.
 */
const FIRST_VERSIONS = `
  search(n, at, pos, step) AS (
    SELECT b.n, b.at, 0::bigint, 1::bigint << (floor(log(2, greatest(l.version, 1)))::int + 1) FROM bound b, ledger l
    UNION ALL
    SELECT s.n, s.at, CASE WHEN probe.is_before THEN s.pos + greatest(s.step, 1) ELSE s.pos END,
      CASE WHEN s.step > 0 THEN s.step >> 1 WHEN probe.is_before THEN 0 ELSE -1 END
    FROM search s LEFT JOIN LATERAL (
      SELECT t.created_at < CASE WHEN s.step > 0 THEN s.at - $3::interval ELSE s.at END AS is_before
      FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
      WHERE e.ledger_account_id = (SELECT id FROM ledger) AND e.version = s.pos + greatest(s.step, 1)
    ) AS probe ON true
    WHERE s.step >= 0
  ), first AS (SELECT n, pos + 1 AS version FROM search WHERE step = -1)`;

/**
 * The stretch of a balance from one instant up to another one; null when there is no such account.
 * Its sums are differences of what two entries say, so that a year takes as long as a day.
 */
export async function findStatementRange(
  db: pg.Pool,
  accountId: string,
  balance: StatementBalance,
  { start, end }: { start: Date; end: Date },
): Promise<StatementRange | null> {
  const { rows } = await db.query<StatementRange>({
    name: 'find-statement-range',
    text: `WITH RECURSIVE ledger AS (
        SELECT id, version FROM ledger_accounts WHERE account_id = $1 AND kind = $2::ledger_account_kind
      ), bound(n, at) AS (VALUES (1, $4::timestamptz), (2, $5::timestamptz)), ${FIRST_VERSIONS}
      SELECT l.id AS "ledgerAccountId", f.version AS first, u.version AS next,
        coalesce(o.balance_after_centavos, 0) AS "openingCentavos",
        coalesce(c.credit_after_centavos, 0) - coalesce(o.credit_after_centavos, 0) AS "creditCentavos",
        coalesce(c.balance_after_centavos, 0) - coalesce(o.balance_after_centavos, 0)
          - (coalesce(c.credit_after_centavos, 0) - coalesce(o.credit_after_centavos, 0)) AS "debitCentavos",
        coalesce(c.balance_after_centavos, 0) AS "closingCentavos"
      FROM ledger l JOIN first f ON f.n = 1 JOIN first u ON u.n = 2
        LEFT JOIN ledger_entries o ON o.ledger_account_id = l.id AND o.version = f.version - 1
        LEFT JOIN ledger_entries c ON c.ledger_account_id = l.id AND c.version = u.version - 1`,
    values: [accountId, balance, `${DISORDER_MS} ms`, start, end],
  });
  return rows[0] ?? null;
}

/**
 * The version at which the stretch from each of these instants begins, in their order; one after
 * the last version where no entry is that late.
 */
export async function findFirstVersions(
  db: pg.Pool,
  accountId: string,
  balance: StatementBalance,
  instants: readonly Date[],
): Promise<bigint[]> {
  if (instants.length === 0) return [];
  const { rows } = await db.query<{ version: bigint }>({
    name: 'find-first-versions',
    text: `WITH RECURSIVE ledger AS (
        SELECT id, version FROM ledger_accounts WHERE account_id = $1 AND kind = $2::ledger_account_kind
      ), bound(at, n) AS (SELECT * FROM unnest($4::timestamptz[]) WITH ORDINALITY), ${FIRST_VERSIONS}
      SELECT version FROM first ORDER BY n`,
    values: [accountId, balance, `${DISORDER_MS} ms`, instants],
  });
  return rows.map(({ version }) => version);
}

export type StatementRow = {
  version: bigint;
  centavos: bigint;
  balanceAfterCentavos: bigint;
  kind: string;
  createdAt: Date;
  transactionType: TransactionType;
  /**
   * False: the transfer is of another account's charge, of which this one got a part; nothing of
   * that charge is shown.
   */
  isOwn: boolean;
  /** The account's own transaction; of a part, its `split_in`. */
  transactionId: string | null;
  /** Sealed, as the reference and the name. */
  description: string | null;
  reference: string | null;
  customerName: string | null;
  /** Where the account's own withdrawal goes; the key is sealed. */
  pixKey: string | null;
  pixKeyType: string | null;
  wallet: string | null;
  /**
   * The fee that this entry leaves out (of what comes in) or includes (of what goes out); negative
   * where it comes back with a withdrawal that failed. What is pending has none: it is taken when
   * the money is released.
   */
  feeCentavos: bigint;
  /** Whether the transfer also brought the account available money. */
  creditsAvailable: boolean;
};

/**
 * Entries of a balance from `first` up to `next`, by version in this order, no more than `limit`.
 */
export async function listStatementRows(
  db: pg.Pool,
  page: { ledgerAccountId: bigint; first: bigint; next: bigint; order: 'oldest first' | 'newest first'; limit: number },
): Promise<StatementRow[]> {
  const order = page.order === 'oldest first' ? 'ASC' : 'DESC';
  const { rows } = await db.query<StatementRow>({
    name: `list-statement-rows-${order}`,
    text: `SELECT e.version, e.amount_centavos AS centavos, e.balance_after_centavos AS "balanceAfterCentavos", t.kind,
        t.created_at AS "createdAt", x.type AS "transactionType", x.account_id = a.account_id AS "isOwn",
        CASE WHEN x.account_id = a.account_id THEN x.id ELSE part.id END AS "transactionId",
        CASE WHEN x.account_id = a.account_id THEN x.description END AS description,
        CASE WHEN x.account_id = a.account_id THEN x.reference END AS reference,
        CASE WHEN x.account_id = a.account_id THEN x.customer_name END AS "customerName",
        CASE WHEN x.account_id = a.account_id THEN x.pix_key END AS "pixKey",
        CASE WHEN x.account_id = a.account_id THEN x.pix_key_type END AS "pixKeyType",
        CASE WHEN x.account_id = a.account_id THEN x.wallet END AS wallet,
        CASE WHEN x.account_id <> a.account_id OR a.kind = 'pending' THEN 0
          WHEN a.kind = 'available' AND t.kind = 'withdrawal_requested' THEN x.fee_centavos
          WHEN a.kind = 'available' AND t.kind = 'withdrawal_failed' THEN -x.fee_centavos
          ELSE t.fee_centavos END AS "feeCentavos",
        EXISTS (SELECT FROM ledger_entries o JOIN ledger_accounts oa ON oa.id = o.ledger_account_id
          WHERE o.transfer_id = t.id AND oa.account_id = a.account_id AND oa.kind IN ('available', 'owed') AND o.amount_centavos > 0)
          AS "creditsAvailable"
      FROM (SELECT * FROM ledger_entries WHERE ledger_account_id = $1 AND version >= $2 AND version < $3
          ORDER BY version ${order} LIMIT $4) AS e
        JOIN ledger_accounts a ON a.id = e.ledger_account_id
        JOIN ledger_transfers t ON t.id = e.transfer_id JOIN transactions x ON x.id = t.transaction_id
        LEFT JOIN transactions part ON part.split_of_id = x.id AND part.account_id = a.account_id
      ORDER BY e.version ${order}`,
    values: [page.ledgerAccountId, page.first, page.next, page.limit],
  });
  return rows;
}
