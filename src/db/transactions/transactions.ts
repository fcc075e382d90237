import type pg from 'pg';
import { type DisplayStatus, displayStatusOf } from '#domain/transactions/display-status.ts';
import {
  LISTED_TYPES,
  type ListedType,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '#domain/transactions/transaction-states.ts';
import { firstUuidAt } from '#domain/values/uuid.ts';
import type { RefundRow } from '../refunds/refunds.ts';
import { amountConditions, FIGURE_COLUMNS, type Figures, figuresOf } from '../reports/figures.ts';
import { DISPLAY_STATUS } from './display-status.ts';
import { newestOfText, type SearchText, textConditions } from './transaction-text.ts';

type PixType = 'pix_in' | 'pix_out';

export type TransactionRow = {
  id: string;
  type: ListedType;
  status: TransactionStatus;
  subStatus: string | null;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  endToEndId: string | null;
  providerId: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** PIX out: when it begins, or was to begin; null: it was to be sent at once. */
  scheduledFor: Date | null;
};

const TERM_COLUMNS = `t.id, t.type, t.status, t.sub_status AS "subStatus", t.amount_centavos AS "amountCentavos",
  t.end_to_end_id AS "endToEndId", t.provider_id AS "providerId", t.created_at AS "createdAt", t.paid_at AS "paidAt",
  t.scheduled_for AS "scheduledFor"`;

/**
 * Of a completed invoice the fee and the net amount are those of what arrived, which may be another
 * amount than was asked for.
 */
const ofCredited = (credited: string, asked: string) =>
  `CASE WHEN t.type = 'crypto_in' AND t.status = 'completed' THEN ${credited} ELSE ${asked} END`;

const COLUMNS = `${TERM_COLUMNS}, ${ofCredited('f.fee_centavos', 't.fee_centavos')} AS "feeCentavos",
  ${ofCredited('f.gross_centavos - f.fee_centavos', 't.net_centavos')} AS "netCentavos", ${FIGURE_COLUMNS}`;

/**
 * A PIX transaction of this account and type, or null: another account's is as absent as one that
 * never was.
 */
export async function findTransaction(
  db: pg.Pool,
  accountId: string,
  id: string,
  type: PixType,
): Promise<TransactionRow | null> {
  const { rows } = await db.query<TransactionRow>({
    name: 'find-transaction',
    text: `SELECT ${TERM_COLUMNS}, t.fee_centavos AS "feeCentavos", t.net_centavos AS "netCentavos"
      FROM transactions t WHERE t.id = $1 AND t.account_id = $2 AND t.type = $3::transaction_type`,
    values: [id, accountId, type],
  });
  return rows[0] ?? null;
}

export type TransactionDetails = TransactionRow &
  Figures & {
    description: string | null;
    customerName: string | null;
    customerEmail: string | null;
    customerPhone: string | null;
    /** Sealed. */
    customerDocument: string | null;
    customerDocumentType: 'cpf' | 'cnpj' | null;
    callbackUrl: string | null;
    brCode: string | null;
    splitAccountId: string | null;
    splitCentavos: bigint;
    /** Sealed. */
    pixKey: string | null;
    pixKeyType: string | null;
    receiverName: string | null;
    receiverDocument: string | null;
    currency: string | null;
    units: bigint | null;
    receivedUnits: bigint;
    wallet: string | null;
    memo: string | null;
    quotePrice: bigint | null;
    quoteSpreadBps: number | null;
    quotedAt: Date | null;
    quoteSources: { source: string; price: string; at: string }[] | null;
    /** Crypto in: the fee's terms at creation. */
    feeBps: number | null;
    feeFixedCentavos: bigint | null;
    providerUrl: string | null;
    creditedCentavos: bigint;
    creditedFeeCentavos: bigint;
    reviewedCentavos: bigint;
    confirmations: number;
    confirmationsNeeded: number | null;
    txHashes: string[];
    failureCode: string | null;
    expiresAt: Date | null;
    /** PIX out: when a scheduled payout began. */
    begunAt: Date | null;
  };

const DETAIL_COLUMNS = `${COLUMNS}, t.description, t.customer_name AS "customerName", t.customer_email AS "customerEmail",
  t.customer_phone AS "customerPhone", t.customer_document AS "customerDocument",
  t.customer_document_type AS "customerDocumentType", t.callback_url AS "callbackUrl", t.br_code AS "brCode",
  t.split_account_id AS "splitAccountId", t.split_centavos AS "splitCentavos", t.pix_key AS "pixKey",
  t.pix_key_type AS "pixKeyType", t.receiver_name AS "receiverName", t.receiver_document AS "receiverDocument",
  t.currency, t.units, t.received_units AS "receivedUnits", t.wallet, t.memo,
  t.quote_price AS "quotePrice", t.quote_spread_bps AS "quoteSpreadBps", t.quoted_at AS "quotedAt",
  t.quote_sources AS "quoteSources", t.fee_bps AS "feeBps", t.fee_fixed_centavos AS "feeFixedCentavos",
  t.provider_url AS "providerUrl", t.credited_centavos AS "creditedCentavos",
  t.credited_fee_centavos AS "creditedFeeCentavos", t.reviewed_centavos AS "reviewedCentavos", t.confirmations, t.confirmations_needed AS "confirmationsNeeded",
  t.tx_hashes AS "txHashes", t.failure_code AS "failureCode",
  t.expires_at AS "expiresAt", t.begun_at AS "begunAt"`;

/** Whether this account has a transaction of this id, of whatever type. */
export async function hasTransaction(db: pg.Pool, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM transactions WHERE id = $1 AND account_id = $2', [id, accountId]);
  return rowCount === 1;
}

export type EventRow = { id: string; type: string; createdAt: Date };
type ShownRefund = Omit<RefundRow, 'transactionId' | 'sentAt' | 'returnId'>;

/** Money of a transaction that arrived and waits, or waited, for an operator. */
export type ReviewRow = {
  id: string;
  reason: string;
  expectedCentavos: bigint;
  receivedCentavos: bigint;
  /** Null: it came over a network of crypto. */
  endToEndId: string | null;
  createdAt: Date;
  resolvedAt: Date | null;
  /** How it was resolved; null: it is not. */
  resolution: string | null;
};

/** JSON has neither bigint nor dates. */
type Nested = {
  refunds: (Omit<ShownRefund, 'centavos' | 'createdAt' | 'finishedAt'> & {
    centavos: string;
    createdAt: string;
    finishedAt: string | null;
  })[];
  reviews: (Pick<ReviewRow, 'id' | 'reason' | 'endToEndId' | 'resolution'> & {
    expectedCentavos: string;
    receivedCentavos: string;
    createdAt: string;
    resolvedAt: string | null;
  })[];
  events: (Omit<EventRow, 'createdAt'> & { createdAt: string })[];
};

/** What findTransactionDetails gives beside the transaction itself, each oldest first. */
export type TransactionParts = { refunds: ShownRefund[]; reviews: ReviewRow[]; events: EventRow[] };

/**
 * Everything about a transaction of this account, with its refunds, reviews and events; or null.
 * One statement: what it says of the transaction and of its refunds is of one moment.
 */
export async function findTransactionDetails(
  db: pg.Pool,
  accountId: string,
  id: string,
): Promise<(TransactionDetails & TransactionParts) | null> {
  const { rows } = await db.query<TransactionDetails & Nested>({
    name: 'find-transaction-details',
    text: `SELECT ${DETAIL_COLUMNS},
        (SELECT coalesce(json_agg(json_build_object('id', f.id, 'centavos', f.centavos::text, 'kind', f.kind, 'description', f.description,
            'status', f.status, 'createdAt', f.created_at, 'finishedAt', f.finished_at) ORDER BY f.created_at, f.id), '[]')
          FROM (SELECT id, centavos, 'requested' AS kind, description, status, created_at, finished_at FROM refunds
              WHERE transaction_id = t.id
            UNION ALL SELECT id, centavos, kind, NULL, 'completed', created_at, created_at FROM foreign_refunds WHERE transaction_id = t.id
          ) AS f) AS refunds,
        (SELECT coalesce(json_agg(json_build_object('id', r.id, 'reason', r.reason,
            'expectedCentavos', r.expected_centavos::text, 'receivedCentavos', r.received_centavos::text,
            'endToEndId', CASE WHEN t.type = 'pix_in' THEN r.end_to_end_id END,
            'createdAt', r.created_at, 'resolvedAt', r.resolved_at, 'resolution', r.resolution) ORDER BY r.created_at, r.id), '[]')
          FROM reviews r WHERE r.transaction_id = t.id AND r.received_centavos > 0) AS reviews,
        (SELECT coalesce(json_agg(json_build_object('id', e.id, 'type', e.type, 'createdAt', e.created_at)
            ORDER BY e.created_at, e.id), '[]')
          FROM events e WHERE e.transaction_id = t.id) AS events
      FROM transactions t ${figuresOf('t.account_id')} WHERE t.id = $1 AND t.account_id = $2`,
    values: [id, accountId],
  });
  const [row] = rows;
  if (!row) return null;
  return {
    ...row,
    refunds: row.refunds.map((refund) => ({
      ...refund,
      centavos: BigInt(refund.centavos),
      createdAt: new Date(refund.createdAt),
      finishedAt: dateOf(refund.finishedAt),
    })),
    reviews: row.reviews.map((review) => ({
      ...review,
      expectedCentavos: BigInt(review.expectedCentavos),
      receivedCentavos: BigInt(review.receivedCentavos),
      createdAt: new Date(review.createdAt),
      resolvedAt: dateOf(review.resolvedAt),
    })),
    events: row.events.map((event) => ({ ...event, createdAt: new Date(event.createdAt) })),
  };
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

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
  /** Only what is older than the transaction of this id. */
  before: string | null;
  limit: number;
};

export type TransactionListing = TransactionRow &
  Figures & { accountId: string } & Pick<
    TransactionDetails,
    | 'description'
    | 'customerName'
    | 'currency'
    | 'units'
    | 'receivedUnits'
    | 'expiresAt'
    | 'pixKey'
    | 'pixKeyType'
    | 'wallet'
  >;

/** The columns of TransactionListing, for a query with transactions t and their figures. */
export const LISTING_COLUMNS = `${COLUMNS}, t.account_id AS "accountId", t.description, t.customer_name AS "customerName", t.currency, t.units,
  t.received_units AS "receivedUnits", t.expires_at AS "expiresAt", t.pix_key AS "pixKey", t.pix_key_type AS "pixKeyType",
  t.wallet`;

/**
 * How much older than its transaction an id may be: it is made with the first try of a request,
 * which an Idempotency-Key (kept for 30 days) may bring back later.
 */
const ID_AHEAD_MS = 31 * 24 * 60 * 60_000;

/** A provider's clock may be ahead of ours, by less than this. */
const CLOCK_AHEAD_MS = 24 * 60 * 60_000;

/** More than any amount: PostgreSQL's largest bigint. */
const CENTAVOS_MAX = 2n ** 63n - 1n;

/** Transactions of an account, newest first: ids are UUIDv7, so their order is that of creation. */
export async function listTransactions(
  db: pg.Pool,
  accountId: string,
  filter: TransactionFilter,
): Promise<TransactionListing[]> {
  const { sql, values } = found(accountId, filter, filter.limit, 'newest first');
  const { rows } = await db.query<TransactionListing>(
    `SELECT ${LISTING_COLUMNS} FROM (${sql}) AS page JOIN transactions t ON t.id = page.id ${figuresOf('t.account_id')} ORDER BY t.id DESC`,
    values,
  );
  return rows;
}

/** How many transactions a filter finds; those beyond `max` are not counted. */
export async function countTransactions(
  db: pg.Pool,
  accountId: string,
  filter: Omit<TransactionFilter, 'limit'>,
  max: number,
): Promise<number> {
  const { sql, values } = found(accountId, filter, max, 'any order');
  const { rows } = await db.query<{ count: bigint }>(`SELECT count(*) FROM (${sql}) AS found`, values);
  return Number(rows[0]?.count ?? 0n);
}

/**
 * SQL for the ids of at most `limit` transactions that a filter finds. What an account has most of
 * may be what a filter finds nothing of, so that no condition may be left to a walk along the
 * account's ids: types and statuses are looked for one pair after the other, amounts by either of
 * the two that a transaction may be shown with, and each of these has an index that is in the order
 * of the ids or holds little. Texts: see newestOfText.
 */
function found(
  accountId: string,
  filter: Omit<TransactionFilter, 'limit'>,
  limit: number,
  order: 'newest first' | 'any order',
): { sql: string; values: unknown[] } {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { bounds, conditions } = conditionsOf(filter, bind);
  const amounts = amountsOf(filter, bind);
  const most = bind(limit);
  if (filter.text) {
    const amount = amounts.map((one) => `(${one.join(' AND ')})`).join(' OR ');
    const plain = [...conditions, ...plainKindConditions(filter, bind), ...(amount === '()' ? [] : [`(${amount})`])];
    const sql = newestOfText({ bounds, conditions: plain, texts: textConditions(filter.text, bind), limit: most });
    return { sql, values };
  }
  const end = `${order === 'newest first' ? 'ORDER BY id DESC' : ''} LIMIT ${most}`;
  const select = (...own: string[]) =>
    `SELECT t.id FROM transactions t WHERE ${['t.account_id = $1', ...bounds, ...conditions, ...own].join(' AND ')} ${end}`;
  const kinds = kindsOf(filter, bind);
  const branches = amounts.flatMap((amount) =>
    kinds.map(({ from, condition }) =>
      from === null
        ? select(...condition, ...amount)
        : `SELECT own.id FROM ${from} CROSS JOIN LATERAL (${select(...condition, ...amount)}) AS own`,
    ),
  );
  // No pair of type and status is shown so.
  if (branches.length === 0) return { sql: select('false', ...(amounts[0] ?? [])), values };
  const [first = ''] = branches;
  const isSimple = branches.length === 1 && kinds[0]?.from === null;
  // A transaction may be found by both of its amounts.
  const any = `SELECT id FROM (${branches.map((one) => `(${one})`).join(' UNION ')}) AS any_of ${end}`;
  return { sql: isSimple ? first : any, values };
}

/** The two conditions of an amount's bounds; one of nothing where there are none. */
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
  // Of the special ones a refund in part alone is no sub-status.
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
  return kinds;
}

/** The same as conditions of one transaction. */
export function plainKindConditions(
  { types, statuses, displayStatuses }: Pick<TransactionFilter, 'types' | 'statuses' | 'displayStatuses'>,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(types.length > 0 ? [`t.type = ANY (${bind(types)}::transaction_type[])`] : []),
    ...(statuses.length > 0 ? [`t.status = ANY (${bind(statuses)}::transaction_status[])`] : []),
    ...(displayStatuses.length > 0 ? [isShownAs(displayStatuses, bind)] : []),
  ];
}

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

/** The other conditions of a filter over transactions t, those of the id (`bounds`) apart. */
export function conditionsOf(
  filter: Pick<TransactionFilter, 'from' | 'to' | 'paidFrom' | 'paidTo' | 'before'>,
  bind: (value: unknown) => string,
): { bounds: string[]; conditions: string[] } {
  const bounds: string[] = [];
  const conditions: string[] = [];
  // The ids say the time too, and are in the index: they bound how much of the account is read.
  if (filter.from) {
    bounds.push(`t.id >= ${bind(firstUuidAt(new Date(filter.from.getTime() - ID_AHEAD_MS)))}::uuid`);
    conditions.push(`t.created_at >= ${bind(filter.from)}`);
  }
  if (filter.to) {
    bounds.push(`t.id < ${bind(firstUuidAt(filter.to))}::uuid`);
    conditions.push(`t.created_at < ${bind(filter.to)}`);
  }
  if (filter.paidFrom) conditions.push(`t.paid_at >= ${bind(filter.paidFrom)}`);
  if (filter.paidTo) {
    // What was paid was made before.
    bounds.push(`t.id < ${bind(firstUuidAt(new Date(filter.paidTo.getTime() + CLOCK_AHEAD_MS)))}::uuid`);
    conditions.push(`t.paid_at < ${bind(filter.paidTo)}`);
  }
  if (filter.before) bounds.push(`t.id < ${bind(filter.before)}::uuid`);
  return { bounds, conditions };
}
