import type pg from 'pg';
import { figuresOf, SHOWN_AMOUNT } from '../reports/figures.ts';
import { tokenConditions } from './transaction-text.ts';
import { LISTING_COLUMNS, type TransactionListing } from './transactions.ts';

/** What a text may mean; what it can't mean is null. */
export type SearchTerms = {
  /** A whole id, or the two ends of those that begin with it. */
  ids: { first: string; last: string } | null;
  /** Lower-case hex digits, in the places where an id has them, that an id ends with. */
  idEnd: string | null;
  /** Compared whole with end-to-end ids, providers' ids and wallets. */
  identifier: string | null;
  /** The fingerprints that it has if it is a document. */
  documentIndexes: Buffer[] | null;
  centavos: bigint | null;
  /** Of names, e-mails, telephones and descriptions (domain/search-tokens.ts). */
  tokens: readonly bigint[][];
};

/**
 * The transactions of an account that a text may mean, the surest meaning first and the newest
 * first within one. Each meaning is looked for by an index of its own, or along the account's ids,
 * and no further than `limit`.
 */
export async function searchTransactions(
  db: pg.Pool,
  accountId: string,
  terms: SearchTerms,
  limit: number,
): Promise<TransactionListing[]> {
  const values: unknown[] = [accountId, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (terms.ids) conditions.push(`t.id BETWEEN ${bind(terms.ids.first)}::uuid AND ${bind(terms.ids.last)}::uuid`);
  if (terms.identifier !== null) {
    const whole = bind(terms.identifier);
    conditions.push(`t.end_to_end_id = ${whole}`, `t.provider_id = ${whole}`, `t.wallet = ${whole}`);
  }
  if (terms.documentIndexes) conditions.push(`t.customer_document_index = ANY (${bind(terms.documentIndexes)})`);
  if (terms.centavos !== null) {
    const centavos = bind(terms.centavos);
    conditions.push(`(t.amount_centavos = ${centavos} OR ${SHOWN_AMOUNT} = ${centavos})`);
  }
  if (terms.idEnd !== null) conditions.push(`right(t.id::text, ${terms.idEnd.length}) = ${bind(terms.idEnd)}`);
  if (terms.tokens.length > 0) conditions.push(`(${tokenConditions(terms.tokens, bind).join(' OR ')})`);
  if (conditions.length === 0) return [];
  const meanings = conditions.map(
    (condition, rank) =>
      `(SELECT t.id, ${rank} AS rank FROM transactions t WHERE t.account_id = $1 AND ${condition} ORDER BY t.id DESC LIMIT $2)`,
  );
  const { rows } = await db.query<TransactionListing>(
    `SELECT ${LISTING_COLUMNS} FROM (
        SELECT id, min(rank) AS rank FROM (${meanings.join(' UNION ALL ')}) AS meant GROUP BY id ORDER BY min(rank), id DESC LIMIT $2
      ) AS best JOIN transactions t ON t.id = best.id AND t.account_id = $1 ${figuresOf('t.account_id')} ORDER BY best.rank, best.id DESC`,
    values,
  );
  return rows;
}
