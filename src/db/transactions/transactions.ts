import type pg from 'pg';
import type { DisputeState } from '#domain/disputes/dispute-states.ts';
import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import { OPEN_DISPUTE_FIRST } from '../disputes/disputes.ts';
import type { RefundRow } from '../refunds/refunds.ts';
import { FIGURE_COLUMNS, type Figures, figuresOf } from '../reports/figures.ts';
import { foundIds, type TransactionFilter } from './transaction-filter.ts';

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
  /** The merchant's own. Sealed, as the metadata. */
  reference: string | null;
  metadata: string | null;
};

const TERM_COLUMNS = `t.id, t.type, t.status, t.sub_status AS "subStatus", t.amount_centavos AS "amountCentavos",
  t.end_to_end_id AS "endToEndId", t.provider_id AS "providerId", t.created_at AS "createdAt", t.paid_at AS "paidAt",
  t.scheduled_for AS "scheduledFor", t.reference, t.metadata`;

/**
 * Of a completed invoice the fee and the net amount are those of what arrived, which may be another
 * amount than was asked for.
 */
const ofCredited = (credited: string, asked: string) =>
  `CASE WHEN t.type = 'crypto_in' AND t.status = 'completed' THEN ${credited} ELSE ${asked} END`;

const COLUMNS = `${TERM_COLUMNS}, ${ofCredited('f.fee_centavos', 't.fee_centavos')} AS "feeCentavos",
  ${ofCredited('f.gross_centavos - f.fee_centavos', 't.net_centavos')} AS "netCentavos", ${FIGURE_COLUMNS}`;

/**
 * A PIX transaction of this account and type; null when there is none, or it is another account's.
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
    confirmations: number;
    confirmationsNeeded: number | null;
    txHashes: string[];
    failureCode: string | null;
    expiresAt: Date | null;
    /** Of the case about it that has not ended, else of the newest; null: nobody contested it. */
    disputeState: DisputeState | null;
    /** PIX out: when a scheduled payout began. */
    begunAt: Date | null;
  };

/** Of the case about transactions t that the page of a transaction shows: see findDisputeOf(). */
const DISPUTE_STATE = `(SELECT d.state FROM disputes d WHERE d.transaction_id = t.id
    ORDER BY ${OPEN_DISPUTE_FIRST} LIMIT 1) AS "disputeState"`;

const DETAIL_COLUMNS = `${COLUMNS}, ${DISPUTE_STATE}, t.description, t.customer_name AS "customerName", t.customer_email AS "customerEmail",
  t.customer_phone AS "customerPhone", t.customer_document AS "customerDocument",
  t.customer_document_type AS "customerDocumentType", t.callback_url AS "callbackUrl", t.br_code AS "brCode",
  t.split_account_id AS "splitAccountId", t.split_centavos AS "splitCentavos", t.pix_key AS "pixKey",
  t.pix_key_type AS "pixKeyType", t.receiver_name AS "receiverName", t.receiver_document AS "receiverDocument",
  t.currency, t.units, t.received_units AS "receivedUnits", t.wallet, t.memo,
  t.quote_price AS "quotePrice", t.quote_spread_bps AS "quoteSpreadBps", t.quoted_at AS "quotedAt",
  t.quote_sources AS "quoteSources", t.fee_bps AS "feeBps", t.fee_fixed_centavos AS "feeFixedCentavos",
  t.provider_url AS "providerUrl", t.confirmations, t.confirmations_needed AS "confirmationsNeeded",
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
            'reference', f.reference, 'metadata', f.metadata, 'status', f.status, 'createdAt', f.created_at, 'finishedAt', f.finished_at) ORDER BY f.created_at, f.id), '[]')
          FROM (SELECT id, centavos, 'requested' AS kind, description, reference, metadata, status, created_at, finished_at FROM refunds
              WHERE transaction_id = t.id
            UNION ALL SELECT id, centavos, kind, NULL, NULL, NULL, 'completed', created_at, created_at FROM foreign_refunds WHERE transaction_id = t.id
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

export type TransactionListing = TransactionRow &
  Figures & { accountId: string } & Pick<
    TransactionDetails,
    | 'description'
    | 'customerName'
    | 'currency'
    | 'units'
    | 'receivedUnits'
    | 'expiresAt'
    | 'disputeState'
    | 'pixKey'
    | 'pixKeyType'
    | 'wallet'
  >;

/** The columns of TransactionListing, for a query with transactions t and their figures. */
export const LISTING_COLUMNS = `${COLUMNS}, ${DISPUTE_STATE}, t.account_id AS "accountId", t.description, t.customer_name AS "customerName", t.currency, t.units,
  t.received_units AS "receivedUnits", t.expires_at AS "expiresAt", t.pix_key AS "pixKey", t.pix_key_type AS "pixKeyType",
  t.wallet`;

/** Transactions of an account, newest first: ids are UUIDv7, so their order is that of creation. */
export async function listTransactions(
  db: pg.Pool,
  accountId: string,
  filter: TransactionFilter,
): Promise<TransactionListing[]> {
  const { sql, values } = foundIds(accountId, filter, filter.limit, 'newest first');
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
  const { sql, values } = foundIds(accountId, filter, max, 'any order');
  const { rows } = await db.query<{ count: bigint }>(`SELECT count(*) FROM (${sql}) AS found`, values);
  return Number(rows[0]?.count ?? 0n);
}
