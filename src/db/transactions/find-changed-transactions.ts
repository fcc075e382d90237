import type pg from 'pg';
import { figuresOf } from '../reports/figures.ts';
import { LISTING_COLUMNS, type TransactionListing } from './transactions.ts';

/**
 * `version` changes with every change of the row: it is PostgreSQL's own number of the transaction
 * that wrote it.
 */
export type ChangedTransaction = TransactionListing & { updatedAt: Date; version: string };

/**
 * The transactions of each account that were written after `since`, the latest `limit` of them, in
 * the order of their change. Reads one short range of the index (account_id, updated_at DESC) for
 * each.
 */
export async function findChangedTransactions(
  db: pg.Pool,
  accountIds: readonly string[],
  since: Date,
  limit: number,
): Promise<ChangedTransaction[]> {
  const { rows } = await db.query<ChangedTransaction>({
    name: 'find-changed-transactions',
    text: `SELECT ${LISTING_COLUMNS}, t.updated_at AS "updatedAt", t.version
      FROM unnest($1::uuid[]) AS watched (id)
      CROSS JOIN LATERAL (
        SELECT *, xmin::text AS version FROM transactions
        WHERE account_id = watched.id AND updated_at > $2 ORDER BY updated_at DESC LIMIT $3
      ) AS t ${figuresOf('t.account_id')}
      ORDER BY t.updated_at, t.id`,
    values: [accountIds, since, limit],
  });
  return rows;
}
