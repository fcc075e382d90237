import { ID_END_DIGITS } from '#domain/transactions/search-text.ts';
import { referenceConditions } from './references.ts';

/**
 * The text of a search: in names, e-mails and descriptions; identifiers, documents and references
 * are compared whole.
 */
export type SearchText = {
  contains: string;
  /** The text, and how else it is written if it is a wallet. */
  wallets: readonly string[];
  /** Of names, e-mails, telephones and descriptions (domain/search-tokens.ts). */
  tokens: readonly bigint[][];
  /** The transaction that it names, by its id or txid. */
  uuid: string | null;
  /** The fingerprints that it has if it is a document. */
  documentIndexes: Buffer[];
  /** The fingerprints that it has if it is a reference, of a transaction or of a refund. */
  referenceIndexes: readonly Buffer[];
};

/**
 * The conditions by which transactions t are of this text, each with an index of its own. `bind`
 * gives a value its parameter.
 */
export function textConditions(
  { contains, wallets, tokens, uuid, documentIndexes, referenceIndexes }: SearchText,
  bind: (value: unknown) => string,
): string[] {
  const whole = bind(contains);
  return [
    ...(uuid === null ? [] : [`t.id = ${bind(uuid)}::uuid`]),
    `t.end_to_end_id = ${whole}`,
    reviewedPaymentCondition(whole),
    `t.provider_id = ${whole}`,
    `t.wallet = ANY (${bind(wallets)})`,
    `t.customer_document_index = ANY (${bind(documentIndexes)})`,
    ...referenceConditions(referenceIndexes, bind),
    ...tokenConditions(tokens, bind),
  ];
}

/**
 * The condition by which transactions t are charges with a payment of this end-to-end id that is or
 * was in review. Reviews of invoices have a quantity in its place, which begins with a digit.
 */
export const reviewedPaymentCondition = (endToEndId: string): string =>
  `t.id IN (SELECT r.transaction_id FROM reviews r WHERE r.end_to_end_id = ${endToEndId} AND r.end_to_end_id >= 'A')`;

/** The conditions by which transactions t have all tokens of one of these lists. */
export function tokenConditions(tokens: readonly bigint[][], bind: (value: unknown) => string): string[] {
  return tokens.map((list) => `${SEARCHED} @> ${bind(list)}::bigint[]`);
}

/**
 * How many of an account's newest transactions are read for a text before its indexes are: some
 * milliseconds. A text that many transactions have is found there. One that is not found there
 * belongs to few, which the index of words returns all at once, because it knows no order.
 */
const NEWEST_READ = 5_000;

/**
 * SQL for the ids of at most `limit` transactions of account $1, the newest first, that meet all of
 * `conditions` and one of `texts`; `bounds` are conditions of the id, which say where to begin.
 * `isEnough` is a condition of the table `newest` under which it has what is looked for, also with
 * less than `limit`. What the planner would guess of a text, half a percent of all, is wrong for
 * nearly every text.
 */
export function newestOfText(of: {
  bounds: readonly string[];
  conditions: readonly string[];
  texts: readonly string[];
  limit: string;
  isEnough?: string;
}): string {
  const account = ['t.account_id = $1', ...of.bounds];
  const all = [...account, ...of.conditions];
  const texts = of.texts.map((text) => `SELECT t.id FROM transactions t WHERE ${[...all, text].join(' AND ')}`);
  return `WITH newest AS MATERIALIZED (
      SELECT t.id FROM (SELECT t.* FROM transactions t WHERE ${account.join(' AND ')} ORDER BY t.id DESC LIMIT ${NEWEST_READ}) AS t
      WHERE ${[...of.conditions, `(${of.texts.join(' OR ')})`].join(' AND ')} ORDER BY t.id DESC LIMIT ${of.limit})
    SELECT id FROM newest UNION SELECT id FROM (${texts.join(' UNION ALL ')}) AS any_of
    WHERE NOT (${of.isEnough ?? `(SELECT count(*) FROM newest) >= ${of.limit}`}) ORDER BY id DESC LIMIT ${of.limit}`;
}

/** Over transactions t, word for word the expression of the index transactions_search. */
const SEARCHED = `(t.search_tokens || hashtextextended(right(t.id::text, ${ID_END_DIGITS}), 0))`;

/** The condition by which the id of transactions t ends with these characters of an id. */
export const idEndCondition = (end: string, bind: (value: unknown) => string): string =>
  `${SEARCHED} @> ARRAY[hashtextextended(${bind(end.slice(-ID_END_DIGITS))}, 0)] AND right(t.id::text, ${end.length}) = ${bind(end)}`;
