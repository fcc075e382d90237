import type pg from 'pg';
import { amountConditions, figuresOf } from '../reports/figures.ts';
import { idEndCondition, newestOfText, reviewedPaymentCondition, tokenMatches } from './transaction-text.ts';
import { LISTING_COLUMNS, type TransactionListing } from './transactions.ts';

/** What a text may mean; what it can't mean is null. */
export type SearchTerms = {
  /** The range of the ids that begin with the text; both ends are the same for a whole id. */
  ids: { first: string; last: string } | null;
  /**
   * Lower-case hex digits, in the places where an id has them, that an id ends with; at least
   * ID_END_DIGITS.
   */
  idEnd: string | null;
  /** Compared whole with end-to-end ids and providers' ids. */
  identifier: string | null;
  /** The identifier, and how else it is written if it is a wallet. */
  wallets: readonly string[];
  /** The fingerprints that it has if it is a document. */
  documentIndexes: Buffer[] | null;
  centavos: bigint | null;
  /** Of names, e-mails, telephones and descriptions (domain/search-tokens.ts). */
  tokens: readonly bigint[][];
};

/**
 * The transactions of an account that a text may mean, the surest meaning first and the newest
 * first within one. Each meaning is looked for by an index of its own, and no further than `limit`.
 * Without an account: of all, by ids, identifiers and the ends of ids; of wallets those that
 * invoices were paid to. What else a text may mean has indexes by account only.
 */
export async function searchTransactions(
  db: pg.Pool,
  accountId: string | null,
  terms: SearchTerms,
  limit: number,
): Promise<TransactionListing[]> {
  const values: unknown[] = [accountId, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const whose = accountId === null ? '$1::uuid IS NULL' : 't.account_id = $1';
  // Of each meaning its conditions, each with an index of its own: one condition with OR would read
  // the whole account where it finds nothing.
  const conditions: string[][] = [];
  if (terms.ids) conditions.push([`t.id BETWEEN ${bind(terms.ids.first)}::uuid AND ${bind(terms.ids.last)}::uuid`]);
  if (terms.identifier !== null) {
    const whole = bind(terms.identifier);
    const wallet = `t.wallet = ANY (${bind(terms.wallets)})${accountId === null ? " AND t.type = 'crypto_in'" : ''}`;
    conditions.push([`t.end_to_end_id = ${whole}`], [`t.provider_id = ${whole}`], [wallet]);
    conditions.push([reviewedPaymentCondition(whole)]);
  }
  if (terms.documentIndexes)
    conditions.push(terms.documentIndexes.map((index) => `t.customer_document_index = ${bind(index)}`));
  if (terms.centavos !== null) {
    const centavos = bind(terms.centavos);
    conditions.push(amountConditions((amount) => `${amount} = ${centavos}`));
  }
  const meanings = conditions.map((own) =>
    own.map((one) => `SELECT t.id FROM transactions t WHERE ${whose} AND ${one} ORDER BY t.id DESC LIMIT $2`),
  );
  // So few that they are all read; the planner takes them for half a percent of all.
  if (terms.idEnd !== null)
    meanings.push([`SELECT t.id FROM transactions t WHERE ${whose} AND ${idEndCondition(terms.idEnd, bind)} OFFSET 0`]);
  if (terms.tokens.length > 0)
    meanings.push([newestOfText({ bounds: [], conditions: [], texts: tokenMatches(terms.tokens, bind), limit: '$2' })]);
  if (meanings.length === 0) return [];
  const ranked = meanings.flatMap((own, rank) => own.map((one) => `(SELECT id, ${rank} AS rank FROM (${one}) AS own)`));
  const { rows } = await db.query<TransactionListing>(
    `SELECT ${LISTING_COLUMNS} FROM (
        SELECT id, min(rank) AS rank FROM (${ranked.join(' UNION ALL ')}) AS meant GROUP BY id ORDER BY min(rank), id DESC LIMIT $2
      ) AS best JOIN transactions t ON t.id = best.id AND ${whose} ${figuresOf('t.account_id')} ORDER BY best.rank, best.id DESC`,
    values,
  );
  return rows;
}
