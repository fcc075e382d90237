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

/** One way in which transactions t can be of a text. */
export type TextMatch = {
  condition: string;
  /** The parameter with the tokens that the condition asks for; null: it is of another index. */
  tokens: string | null;
};

/**
 * The ways in which transactions t are of this text, each with an index of its own. `bind` gives a
 * value its parameter.
 */
export function textMatches(
  { contains, wallets, tokens, uuid, documentIndexes, referenceIndexes }: SearchText,
  bind: (value: unknown) => string,
): TextMatch[] {
  const whole = bind(contains);
  const conditions = [
    ...(uuid === null ? [] : [`t.id = ${bind(uuid)}::uuid`]),
    `t.end_to_end_id = ${whole}`,
    reviewedPaymentCondition(whole),
    `t.provider_id = ${whole}`,
    `t.wallet = ANY (${bind(wallets)})`,
    `t.customer_document_index = ANY (${bind(documentIndexes)})`,
    ...referenceConditions(referenceIndexes, bind),
  ];
  return [...conditions.map((condition) => ({ condition, tokens: null })), ...tokenMatches(tokens, bind)];
}

/**
 * The condition by which transactions t are charges with a payment of this end-to-end id that is or
 * was in review. Reviews of invoices have a quantity in its place, which begins with a digit.
 */
export const reviewedPaymentCondition = (endToEndId: string): string =>
  `t.id IN (SELECT r.transaction_id FROM reviews r WHERE r.end_to_end_id = ${endToEndId} AND r.end_to_end_id >= 'A')`;

/** The ways in which transactions t have all tokens of one of these lists. */
export function tokenMatches(lists: readonly bigint[][], bind: (value: unknown) => string): TextMatch[] {
  return lists.map((list) => {
    const tokens = `${bind(list)}::bigint[]`;
    return { condition: `t.search_tokens @> ${tokens}`, tokens };
  });
}

/**
 * The way in which transactions are of both. Their tokens are looked for together: what is found by
 * those of one alone may be nearly everything.
 */
export const bothMatches = (one: TextMatch, other: TextMatch): TextMatch => ({
  condition: `${one.condition} AND ${other.condition}`,
  tokens: one.tokens !== null && other.tokens !== null ? `${one.tokens} || ${other.tokens}` : null,
});

/** What the index of words has apart: a word of one is not found among the others. */
export type SearchedKind = 'withdrawals' | 'others';
const SEARCHED_KINDS: readonly SearchedKind[] = ['withdrawals', 'others'];

/**
 * How many of an account's newest transactions are read for a text before its indexes are: some
 * milliseconds. A text that many transactions have is found there. Of one that is not, a span of
 * the index of words has few.
 */
const NEWEST_READ = 5_000;
/**
 * How many of these are read first. What they hold of a text says whether the others are likely to
 * have enough of it; where they are not, its indexes are asked at once.
 */
const READ_FIRST = NEWEST_READ / 5;
/**
 * The part of `limit` that has to be among the first for the others to be read: half of what is
 * there on average where all of them have `limit`.
 */
const WORTHWHILE = (READ_FIRST / NEWEST_READ) * 0.5;

/**
 * Further conditions, and SQL for the newest ids, that many at most, that meet these and the
 * bounds, by indexes of their own.
 */
type Narrowed = { conditions: readonly string[]; newestIds: (limit: number) => string };

/**
 * SQL for the ids of at most `limit` transactions of account $1, the newest first, that meet all of
 * `conditions` and one of `texts`, of all kinds or one of `kinds`; `bounds` are conditions of the
 * id, which say where to begin. `narrowed`: further conditions, which few transactions may meet.
 * The newest of those are read in place of other ones: the index of words would return all that
 * have a frequent text. `isEnough` is a condition of the table `newest` under which it has what is
 * looked for, also with less than `limit`. What the planner would guess of a text, half a percent
 * of all, is wrong for nearly every text.
 */
export function newestOfText(of: {
  bounds: readonly string[];
  conditions: readonly string[];
  texts: readonly TextMatch[];
  limit: string;
  kinds?: readonly SearchedKind[];
  narrowed?: Narrowed;
  isEnough?: string;
}): string {
  const { narrowed, kinds = SEARCHED_KINDS } = of;
  const account = ['t.account_id = $1', ...of.bounds];
  const conditions = [...of.conditions, ...(narrowed?.conditions ?? [])];
  const all = [...account, ...conditions];
  const texts = of.texts.map(({ condition, tokens }) =>
    tokens === null
      ? `SELECT t.id FROM transactions t WHERE ${[...all, condition].join(' AND ')}`
      : newestOfTokens({ account, all, tokens, limit: of.limit, kinds }),
  );
  const any = of.texts.map(({ condition }) => `(${condition})`).join(' OR ');
  const isFound = [...conditions, `(${any})`].join(' AND ');
  const newest = `SELECT t.* FROM transactions t WHERE ${account.join(' AND ')} ORDER BY t.id DESC`;
  // Of a filter the planner may look for the newest along the whole account, so they are fewer.
  const readThen = narrowed ? READ_FIRST : NEWEST_READ - READ_FIRST;
  const others = narrowed
    ? `SELECT t.* FROM (${narrowed.newestIds(readThen)}) AS own JOIN transactions t ON t.id = own.id`
    : `${newest} OFFSET ${READ_FIRST} LIMIT ${readThen}`;
  // Of a filter the newest are others than those that were read, whatever these hold.
  const least = narrowed ? '0' : `${of.limit} * ${WORTHWHILE}`;
  const isWorthwhile = `(SELECT count(*) BETWEEN ${least} AND ${of.limit} - 1 FROM first WHERE "isFound")`;
  const isEnough = of.isEnough ?? `(SELECT count(*) FROM newest) >= ${of.limit}`;
  const isAll = `(SELECT count(*) FROM first) < ${READ_FIRST}
    OR (SELECT count(*) BETWEEN ${narrowed ? 0 : 1} AND ${readThen - 1} FROM others)`;
  return `WITH first AS MATERIALIZED (SELECT t.id, ${isFound} AS "isFound" FROM (${newest} LIMIT ${READ_FIRST}) AS t),
      others AS MATERIALIZED (SELECT t.id, ${isFound} AS "isFound" FROM (${others}) AS t WHERE ${isWorthwhile}),
      newest AS MATERIALIZED (SELECT DISTINCT id FROM (SELECT * FROM first UNION ALL SELECT * FROM others) AS read
        WHERE "isFound" ORDER BY id DESC LIMIT ${of.limit})
    SELECT id FROM newest UNION SELECT id FROM (${texts.map((text) => `(${text})`).join(' UNION ALL ')}) AS any_of
    WHERE NOT (${isEnough} OR ${isAll}) ORDER BY id DESC LIMIT ${of.limit}`;
}

/**
 * SQL for the ids of at most `limit` transactions with all of these tokens, the newest first: span
 * by span of the index, from the newest transaction to the oldest, until there are as many. What is
 * found in a span is read whole and then sorted, because the index knows no order. The planner, who
 * takes the text for half a percent of all, does not get to know the account: it would read all of
 * a small one for each span. Tokens are of one account anyway.
 */
function newestOfTokens(of: {
  account: readonly string[];
  all: readonly string[];
  tokens: string;
  limit: string;
  kinds: readonly SearchedKind[];
}): string {
  const spanOf = (order: 'DESC' | 'ASC') =>
    `(SELECT search_span(t.id) FROM transactions t WHERE ${of.account.join(' AND ')} ORDER BY t.id ${order} LIMIT 1)`;
  const keys = of.kinds
    .map((kind) => `${SEARCHED} @> search_keys_of_span(${of.tokens}, span.number, ${kind === 'withdrawals'})`)
    .join(' OR ');
  return `SELECT found.id FROM generate_series(${spanOf('DESC')}, ${spanOf('ASC')}, -1) AS span (number)
      CROSS JOIN LATERAL (SELECT t.id FROM (SELECT t.* FROM transactions t WHERE ${keys} OFFSET 0) AS t
        WHERE ${of.all.join(' AND ')} ORDER BY t.id DESC LIMIT ${of.limit}) AS found LIMIT ${of.limit}`;
}

/** Over transactions t, what the index transactions_search has. */
const SEARCHED = 'search_keys(t.search_tokens, t.id, t.type)';

/** The condition by which the id of transactions t ends with these characters of an id. */
export const idEndCondition = (end: string, bind: (value: unknown) => string): string =>
  `${SEARCHED} @> ARRAY[hashtextextended(${bind(end.slice(-ID_END_DIGITS))}, 0)] AND right(t.id::text, ${end.length}) = ${bind(end)}`;
