import { type DisplayStatus, displayStatusOf } from '#domain/transactions/display-status.ts';
import { ID_OLDER_MAX_MS } from '#domain/transactions/id-age.ts';
import {
  LISTED_TYPES,
  type ListedType,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '#domain/transactions/transaction-states.ts';
import { firstUuidAt } from '#domain/values/uuid.ts';
import { amountConditions } from '../reports/figures.ts';
import { AMOUNTS_IN_REVIEW, DISPLAY_STATUS } from './display-status.ts';
import { referenceConditions } from './references.ts';
import {
  bothMatches,
  newestOfText,
  type SearchedKind,
  type SearchText,
  type TextMatch,
  textMatches,
  tokenMatches,
} from './transaction-text.ts';

export type TransactionFilter = {
  types: readonly ListedType[];
  statuses: readonly TransactionStatus[];
  displayStatuses: readonly DisplayStatus[];
  /** Created at or after, and before. */
  from: Date | null;
  to: Date | null;
  /** Paid (a withdrawal: done) at or after, and before. */
  paidFrom: Date | null;
  paidTo: Date | null;
  /** Of this amount or more, and of this amount or less: as asked for, or as the panel shows it. */
  minCentavos: bigint | null;
  maxCentavos: bigint | null;
  text: SearchText | null;
  /** The fingerprints of a merchant's reference. */
  reference: readonly Buffer[] | null;
  /** The tokens of a pair of metadata, of each master key. */
  metadata: readonly bigint[][] | null;
  /** Only what is older than the transaction of this id. */
  before: string | null;
  limit: number;
};

/** More than any amount: PostgreSQL's largest bigint. */
const CENTAVOS_MAX = 2n ** 63n - 1n;

/**
 * SQL for the ids of at most `limit` transactions that a filter finds. What an account has most of
 * may be what a filter finds nothing of, so that no condition may be left to a walk along the
 * account's ids: types and statuses are looked for one pair after the other, amounts by each of
 * those that a transaction may be shown with, and each of these has an index that is in the order
 * of the ids or holds little. Texts: see newestOfText.
 */
export function foundIds(
  accountId: string,
  filter: Omit<TransactionFilter, 'limit'>,
  limit: number,
  order: 'newest first' | 'any order',
): { sql: string; values: unknown[] } {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { bounds, conditions } = conditionsOf(filter, bind);
  const most = bind(limit);
  const end = `${order === 'newest first' ? 'ORDER BY id DESC' : ''} LIMIT ${most}`;
  const [first = '', ...others] = paidSpans(filter, bind).map((span) =>
    idsOf(filter, { bounds: [...bounds, ...span], conditions, limit: most, end }, bind),
  );
  return { sql: others.length === 0 ? first : anyOfQueries([first, ...others], end), values };
}

/**
 * Where in the order of ids what was paid before a time is: most of it was made before that time;
 * what was made later has an index of its own.
 */
function paidSpans({ paidTo }: Pick<TransactionFilter, 'paidTo'>, bind: (value: unknown) => string): string[][] {
  if (!paidTo) return [[]];
  return [[`t.id < ${bind(firstUuidAt(paidTo))}::uuid`], [IS_PAID_BEFORE_MADE]];
}

/**
 * Word for word the condition of the index transactions_paid_before_made. Written as a difference,
 * because the planner has statistics of that (transactions_paid_before).
 */
const IS_PAID_BEFORE_MADE = "t.created_at - t.paid_at > interval '0'";

/** What foundIds returns, of the part of the account that these bounds and conditions leave. */
function idsOf(
  filter: Omit<TransactionFilter, 'limit'>,
  { bounds, conditions, limit, end }: { bounds: string[]; conditions: string[]; limit: string; end: string },
  bind: (value: unknown) => string,
): string {
  const texts = textsOf(filter, bind);
  if (texts.length === 0) return idsWithoutText(filter, { bounds, conditions, end }, bind);
  const own = plainConditions(filter, bind);
  // Of a time alone the ids know where to begin.
  const isNarrowed = filter.paidFrom !== null || filter.paidTo !== null || own.length > 0;
  const newestIds = (most: number) =>
    idsWithoutText(filter, { bounds, conditions, end: `ORDER BY id DESC LIMIT ${most}` }, bind);
  return newestOfText({
    bounds,
    conditions,
    texts,
    ...(filter.types.length > 0 && { kinds: searchedKinds(filter.types) }),
    limit,
    ...(isNarrowed && { narrowed: { conditions: own, newestIds } }),
  });
}

/** The ids that a filter finds but for its texts, each alternative by an index of its own. */
function idsWithoutText(
  filter: Omit<TransactionFilter, 'limit'>,
  { bounds, conditions, end }: { bounds: string[]; conditions: string[]; end: string },
  bind: (value: unknown) => string,
): string {
  const amounts = amountsOf(filter, bind);
  const references = referencesOf(filter, bind);
  const select = (...own: string[]) =>
    `SELECT t.id FROM transactions t WHERE ${['t.account_id = $1', ...bounds, ...conditions, ...own].join(' AND ')} ${end}`;
  const kinds = kindsOf(filter, bind);
  const narrowed = references.flatMap((reference) => amounts.map((amount) => [...amount, ...reference]));
  const branches = narrowed.flatMap((own) =>
    kinds.map(({ from, condition }) =>
      from === null
        ? select(...condition, ...own)
        : `SELECT own.id FROM ${from} CROSS JOIN LATERAL (${select(...condition, ...own)}) AS own`,
    ),
  );
  // No pair of type and status is shown so. PostgreSQL rejects a value that no condition names.
  if (branches.length === 0) return select('false', ...narrowed.flat());
  const [first = ''] = branches;
  const isSimple = branches.length === 1 && kinds[0]?.from === null;
  // A transaction may be found by more than one of its amounts, or by its refund's reference too.
  return isSimple ? first : anyOfQueries(branches, end);
}

/** What a filter asks for but for times, page and texts, as conditions of one transaction. */
const plainConditions = (filter: Omit<TransactionFilter, 'limit'>, bind: (value: unknown) => string): string[] => [
  ...plainKindConditions(filter, bind),
  ...anyOf(amountsOf(filter, bind)),
  ...anyOf(referencesOf(filter, bind)),
];

const anyOfQueries = (queries: readonly string[], end: string): string =>
  `SELECT id FROM (${queries.map((one) => `(${one})`).join(' UNION ')}) AS any_of ${end}`;

/** What the index of words has of these types of transactions. */
const searchedKinds = (types: readonly ListedType[]): SearchedKind[] => [
  ...new Set(types.map((type) => (type === 'pix_out' || type === 'crypto_out' ? 'withdrawals' : 'others'))),
];

/** The matches of the text, of the pair of metadata, or of both together. */
function textsOf(
  { text, metadata }: Pick<TransactionFilter, 'text' | 'metadata'>,
  bind: (value: unknown) => string,
): TextMatch[] {
  const ofMetadata = metadata ? tokenMatches(metadata, bind) : [];
  if (!text) return ofMetadata;
  const ofText = textMatches(text, bind);
  return metadata ? ofText.flatMap((one) => ofMetadata.map((other) => bothMatches(one, other))) : ofText;
}

/** The alternatives of a reference; a single empty one where there is none. */
const referencesOf = (
  { reference }: Pick<TransactionFilter, 'reference'>,
  bind: (value: unknown) => string,
): string[][] => (reference ? referenceConditions(reference, bind).map((one) => [one]) : [[]]);

/** One condition that is met where one of the alternatives is; none where they ask for nothing. */
function anyOf(alternatives: readonly string[][]): string[] {
  const any = alternatives.filter((own) => own.length > 0).map((own) => `(${own.join(' AND ')})`);
  return any.length > 0 ? [`(${any.join(' OR ')})`] : [];
}

/** The alternatives of an amount's bounds; a single empty one where there are none. */
function amountsOf(
  { minCentavos, maxCentavos }: Pick<TransactionFilter, 'minCentavos' | 'maxCentavos'>,
  bind: (value: unknown) => string,
): string[][] {
  if (minCentavos === null && maxCentavos === null) return [[]];
  const bounds = `BETWEEN ${bind(minCentavos ?? 0n)} AND ${bind(maxCentavos ?? CENTAVOS_MAX)}`;
  return amountConditions((amount) => `${amount} ${bounds}`).map((one) => [one]);
}

/**
 * The pairs of type and status that a filter finds, and the special states that have neither: these
 * few have an index of their own. `from`: what the conditions are joined to.
 */
function kindsOf(
  { types, statuses, displayStatuses }: Pick<TransactionFilter, 'types' | 'statuses' | 'displayStatuses'>,
  bind: (value: unknown) => string,
): { from: string | null; condition: string[] }[] {
  if (types.length === 0 && statuses.length === 0 && displayStatuses.length === 0)
    return [{ from: null, condition: [] }];
  const plain = displayStatuses.filter((one) => PLAIN_DISPLAY_STATUSES.has(one));
  const special = displayStatuses.filter((one) => !PLAIN_DISPLAY_STATUSES.has(one));
  const pairs = PAIRS.filter(
    ({ type, status, shown }) =>
      (types.length === 0 || types.includes(type)) &&
      (statuses.length === 0 || statuses.includes(status)) &&
      (displayStatuses.length === 0 || plain.includes(shown)),
  );
  const kinds: { from: string | null; condition: string[] }[] = [];
  if (pairs.length > 0)
    kinds.push({
      from: `unnest(${bind(pairs.map(({ type }) => type))}::transaction_type[], ${bind(pairs.map(({ status }) => status))}::transaction_status[]) AS kind (type, status)`,
      condition: [
        't.type = kind.type',
        't.status = kind.status',
        ...(plain.length > 0 ? [isShownAs(plain, bind)] : []),
      ],
    });
  // Of the special ones only `partially_refunded` is no sub-status.
  const subStatuses = special.filter((one) => one !== 'partially_refunded');
  const narrowed = (shown: readonly DisplayStatus[]) =>
    plainKindConditions({ types, statuses, displayStatuses: shown }, bind);
  if (subStatuses.length > 0)
    kinds.push({
      from: `unnest(${bind(subStatuses)}::text[]) AS kind (sub_status)`,
      condition: ['t.sub_status = kind.sub_status', IS_SPECIAL, ...narrowed(subStatuses)],
    });
  if (subStatuses.length < special.length)
    kinds.push({ from: null, condition: ['t.sub_status IS NULL', IS_SPECIAL, ...narrowed(['partially_refunded'])] });
  if (displayStatuses.includes('review'))
    kinds.push({
      from: `(${AMOUNTS_IN_REVIEW}) AS kind`,
      condition: ['t.id = kind.transaction_id', ...narrowed([])],
    });
  return kinds;
}

/** A filter's types and statuses as conditions of one transaction. */
export function plainKindConditions(
  { types, statuses, displayStatuses }: Pick<TransactionFilter, 'types' | 'statuses' | 'displayStatuses'>,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(types.length > 0 ? [`t.type = ANY (${bind(types)}::transaction_type[])`] : []),
    ...(statuses.length > 0 ? [`t.status = ANY (${bind(statuses)}::transaction_status[])`] : []),
    ...(displayStatuses.length > 0 ? [isFoundAs(displayStatuses, bind)] : []),
  ];
}

/** `review` finds also those that are shown as something else while an amount is in review. */
const isFoundAs = (shown: readonly DisplayStatus[], bind: (value: unknown) => string): string =>
  shown.includes('review') ? `(${isShownAs(shown, bind)} OR t.id IN (${AMOUNTS_IN_REVIEW}))` : isShownAs(shown, bind);

const isShownAs = (shown: readonly DisplayStatus[], bind: (value: unknown) => string): string =>
  `${DISPLAY_STATUS} = ANY (${bind(shown)}::text[])`;

const PAIRS = LISTED_TYPES.flatMap((type) =>
  TRANSACTION_STATUSES.map((status) => ({
    type,
    status,
    shown: displayStatusOf({ type, status, subStatus: null, isPartlyRefunded: false }),
  })),
);
/** Those that follow from type and status alone. */
const PLAIN_DISPLAY_STATUSES: ReadonlySet<DisplayStatus> = new Set(PAIRS.map(({ shown }) => shown));
/** Word for word the condition of the index transactions_special. */
const IS_SPECIAL = "(t.sub_status IS NOT NULL OR t.refunded_centavos > 0 AND t.status = 'paid')";

/**
 * The conditions of a filter's times and page over transactions t; those on the id are in `bounds`.
 */
export function conditionsOf(
  filter: Pick<TransactionFilter, 'from' | 'to' | 'paidFrom' | 'paidTo' | 'before'>,
  bind: (value: unknown) => string,
): { bounds: string[]; conditions: string[] } {
  const bounds: string[] = [];
  const conditions: string[] = [];
  // The ids say the time too, and are in the index: they bound how much of the account is read.
  if (filter.from) {
    bounds.push(`t.id >= ${bind(firstUuidAt(new Date(filter.from.getTime() - ID_OLDER_MAX_MS)))}::uuid`);
    conditions.push(`t.created_at >= ${bind(filter.from)}`);
  }
  if (filter.to) {
    bounds.push(`t.id < ${bind(firstUuidAt(filter.to))}::uuid`);
    conditions.push(`t.created_at < ${bind(filter.to)}`);
  }
  if (filter.paidFrom) conditions.push(`t.paid_at >= ${bind(filter.paidFrom)}`);
  if (filter.paidTo) conditions.push(`t.paid_at < ${bind(filter.paidTo)}`);
  if (filter.before) bounds.push(`t.id < ${bind(filter.before)}::uuid`);
  return { bounds, conditions };
}
