import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { figuresOf } from '../reports/figures.ts';
import { conditionsOf, plainKindConditions, type TransactionFilter } from './transaction-filter.ts';
import { LISTING_COLUMNS, type TransactionListing } from './transactions.ts';

type Filter = Pick<TransactionFilter, 'types' | 'displayStatuses' | 'from' | 'to' | 'before' | 'limit'> & {
  /** How many transactions are read for those that the filter finds. */
  scan: number;
};

/**
 * Transactions of every account, newest first: those that a filter finds among the next `scan`.
 * `scanned` is how many there were, and `last` the oldest of them: the search continues from there.
 * No index of all accounts knows types and statuses, because every charge would pay for it.
 */
export async function listAllTransactions(
  db: pg.Pool,
  filter: Filter,
): Promise<{ transactions: TransactionListing[]; scanned: number; last: string | null }> {
  const { types, displayStatuses, from, to, before, scan, limit } = filter;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const span = { from, to, before: before ?? LAST_UUID, paidFrom: null, paidTo: null };
  const { bounds, conditions } = conditionsOf(span, bind);
  const all = ['true', ...conditions, ...plainKindConditions({ types, statuses: [], displayStatuses }, bind)];
  const { rows: seen } = await db.query<{ count: number; last: string | null; ids: string[] }>(
    `WITH scanned AS MATERIALIZED (
        SELECT t.id, t.type, t.status, t.sub_status, t.refunded_centavos, t.created_at
        FROM transactions t WHERE ${bounds.join(' AND ')} ORDER BY t.id DESC LIMIT ${bind(scan)})
      SELECT (SELECT count(*)::int FROM scanned) AS count, (SELECT id FROM scanned ORDER BY id LIMIT 1) AS last,
        ARRAY(SELECT t.id FROM scanned t WHERE ${all.join(' AND ')} ORDER BY t.id DESC LIMIT ${bind(limit)}) AS ids`,
    values,
  );
  const { count = 0, last = null, ids = [] } = seen[0] ?? {};
  const { rows } = await db.query<TransactionListing>(
    `SELECT ${LISTING_COLUMNS} FROM transactions t ${figuresOf('t.account_id')} WHERE t.id = ANY ($1) ORDER BY t.id DESC`,
    [ids],
  );
  return { transactions: rows, scanned: count, last };
}

/** Which of these transactions, of any account, a filter finds. */
export async function filterTransactions(
  db: pg.Pool,
  ids: readonly string[],
  filter: Pick<Filter, 'types' | 'displayStatuses' | 'from' | 'to'>,
): Promise<ReadonlySet<string>> {
  const values: unknown[] = [ids];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const span = { from: filter.from, to: filter.to, before: null, paidFrom: null, paidTo: null };
  const { bounds, conditions } = conditionsOf(span, bind);
  const all = ['true', ...bounds, ...conditions, ...plainKindConditions({ ...filter, statuses: [] }, bind)];
  const { rows } = await db.query<{ id: string }>(
    `SELECT t.id FROM transactions t WHERE t.id = ANY ($1) AND ${all.join(' AND ')}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whose a transaction is; null: there is none of this id. */
export async function findAccountOf(db: pg.Pool, id: string): Promise<string | null> {
  const { rows } = await db.query<{ accountId: string }>(
    'SELECT account_id AS "accountId" FROM transactions WHERE id = $1',
    [id],
  );
  return rows[0]?.accountId ?? null;
}
