import type pg from 'pg';
import type { InvoiceIncrement } from '#domain/invoices/invoice-pricing.ts';
import type { InvoiceStep, InvoiceSubStatus } from '#domain/invoices/invoice-settlement.ts';
import type { InvoiceStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { INSERT_OUTCOME, type InsertOutcome, type NewCharge } from '../charges/charges.ts';
import { quoteColumns, type StoredQuote } from '../withdrawals/withdrawals.ts';

export type NewInvoice = Pick<NewCharge, 'description' | 'customer' | 'merchant' | 'searchTokens' | 'callbackUrl'> & {
  id: string;
  accountId: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  currency: string;
  /** 10^-8 of a coin. */
  units: bigint;
  quote: StoredQuote;
  fee: { bps: number; fixedCentavos: bigint };
  toleranceBps: number;
  rail: string;
  createdAt: Date;
  expiresAt: Date;
  /** When the worker checks it for the first time. */
  checkAt: Date;
};

/**
 * Writes an invoice and the task that checks it, before the processor is called: a callback that is
 * early finds it.
 */
export async function insertInvoice(db: pg.Pool, invoice: NewInvoice): Promise<InsertOutcome> {
  const quote = quoteColumns(invoice.quote);
  const { rows } = await db.query<{ outcome: InsertOutcome }>({
    name: 'insert-invoice',
    text: `WITH claim AS MATERIALIZED (SELECT reference_holder($2, $1, $30) AS holder), invoice AS (
        INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, currency, units,
          quote_price, quote_spread_bps, quoted_at, quote_sources, fee_bps, fee_fixed_centavos, tolerance_bps, rail,
          created_at, expires_at, updated_at, description, customer_name, customer_email, customer_phone,
          customer_document, customer_document_index, customer_document_type, search_tokens,
          reference, reference_index, metadata, callback_url)
        SELECT $1, $2, 'crypto_in', 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $16,
          $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $31
        FROM claim WHERE holder IS NULL
        ON CONFLICT (id) DO NOTHING RETURNING id), task AS (
        INSERT INTO tasks (kind, subject_id, due_at) SELECT 'sync_invoice', id, $18 FROM invoice RETURNING subject_id)
      SELECT ${INSERT_OUTCOME} FROM claim`,
    values: [
      invoice.id,
      invoice.accountId,
      invoice.amountCentavos,
      invoice.feeCentavos,
      invoice.netCentavos,
      invoice.currency,
      invoice.units,
      quote.quote_price,
      quote.quote_spread_bps,
      quote.quoted_at,
      JSON.stringify(quote.quote_sources),
      invoice.fee.bps,
      invoice.fee.fixedCentavos,
      invoice.toleranceBps,
      invoice.rail,
      invoice.createdAt,
      invoice.expiresAt,
      invoice.checkAt,
      invoice.description,
      invoice.customer.name,
      invoice.customer.email,
      invoice.customer.phone,
      invoice.customer.document,
      invoice.customer.documentIndex,
      invoice.customer.documentType,
      invoice.searchTokens,
      invoice.merchant.reference,
      invoice.merchant.referenceIndex,
      invoice.merchant.metadata,
      invoice.merchant.uniqueIndexes,
      invoice.callbackUrl,
    ],
  });
  if (!rows[0]) throw new Error('An invoice was neither written nor rejected.');
  return rows[0].outcome;
}

/** Stores the processor's id of an invoice and the address at which it is paid. */
export async function setInvoiceAddress(
  db: pg.Pool,
  id: string,
  address: {
    providerId: string;
    providerUrl: string | null;
    wallet: string | null;
    memo: string | null;
    confirmationsNeeded: number | null;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query({
    name: 'set-invoice-address',
    text: `UPDATE transactions SET provider_id = $2, provider_url = $3, wallet = $4, memo = $5, confirmations_needed = $6,
        expires_at = $7 WHERE id = $1`,
    values: [
      id,
      address.providerId,
      address.providerUrl,
      address.wallet,
      address.memo,
      address.confirmationsNeeded,
      address.expiresAt,
    ],
  });
}

export type InvoiceRow = {
  id: string;
  accountId: string;
  type: 'crypto_in';
  status: InvoiceStatus;
  subStatus: InvoiceSubStatus | null;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  currency: string;
  units: bigint;
  receivedUnits: bigint;
  inTimeUnits: bigint;
  settledUnits: bigint;
  quotedUnits: bigint;
  creditedCentavos: bigint;
  creditedFeeCentavos: bigint;
  reviewedCentavos: bigint;
  /**
   * What of reviewedCentavos was decided about, what was credited of it then, and the fee in that.
   */
  decidedCentavos: bigint;
  decidedCreditCentavos: bigint;
  decidedFeeCentavos: bigint;
  confirmations: number;
  quotePrice: bigint;
  feeBps: number;
  feeFixedCentavos: bigint;
  toleranceBps: number;
  /** The account's limit for one deposit; null: it has none. */
  depositMaxCentavos: bigint | null;
  /** When other terms of its account take effect, as AccountTerms has it. */
  termsChangeAt: Date | null;
  wallet: string | null;
  memo: string | null;
  providerId: string | null;
  rail: string;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  /** Sealed, as the merchant's own and the customer's texts. */
  description: string | null;
  reference: string | null;
  metadata: string | null;
  customerName: string | null;
  customerDocument: string | null;
  customerDocumentType: 'cpf' | 'cnpj' | null;
  livemode: boolean;
};

/**
 * The invoice, or null. Does not check whose it is: callers act for the rail or the worker, or have
 * checked the account.
 */
export async function findInvoice(db: pg.Pool, id: string): Promise<InvoiceRow | null> {
  const { rows } = await db.query<InvoiceRow>({
    name: 'find-invoice',
    text: `SELECT t.id, t.account_id AS "accountId", t.type, t.status, t.sub_status AS "subStatus",
        t.amount_centavos AS "amountCentavos", t.fee_centavos AS "feeCentavos", t.net_centavos AS "netCentavos", t.currency,
        t.units, t.received_units AS "receivedUnits", t.in_time_units AS "inTimeUnits", t.settled_units AS "settledUnits",
        t.quoted_units AS "quotedUnits", t.credited_centavos AS "creditedCentavos",
        t.credited_fee_centavos AS "creditedFeeCentavos", t.reviewed_centavos AS "reviewedCentavos",
        coalesce(decided.centavos, 0) AS "decidedCentavos", coalesce(decided.credit, 0) AS "decidedCreditCentavos",
        coalesce(decided.fee, 0) AS "decidedFeeCentavos", t.confirmations, t.quote_price AS "quotePrice", t.fee_bps AS "feeBps",
        t.fee_fixed_centavos AS "feeFixedCentavos", t.tolerance_bps AS "toleranceBps", t.wallet, t.memo,
        (SELECT centavos FROM effective_limits(a.id) WHERE name = 'maximal_value_in_crypto') AS "depositMaxCentavos", a.terms_change_at AS "termsChangeAt",
        t.provider_id AS "providerId", t.rail, t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.paid_at AS "paidAt",
        t.description, t.reference, t.metadata, t.customer_name AS "customerName", t.customer_document AS "customerDocument",
        t.customer_document_type AS "customerDocumentType", a.mode = 'live' AS livemode
      FROM transactions t JOIN accounts a ON a.id = t.account_id
        LEFT JOIN LATERAL invoice_decided(t.id) AS decided ON t.reviewed_centavos > 0
      WHERE t.id = $1 AND t.type = 'crypto_in'`,
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * Whether one of these spellings of an address is a deposit address that this installation issued
 * to an account of this mode. A memo that differs from the issued one makes it another owner's
 * address; a memo that is missing on either side does not.
 */
export async function isDepositAddress(
  db: pg.Pool,
  destination: { spellings: readonly string[]; memo: string | null; mode: 'live' | 'test' },
): Promise<boolean> {
  const { spellings, memo, mode } = destination;
  const { rows } = await db.query<{ found: boolean }>({
    name: 'is-deposit-address',
    text: `SELECT EXISTS (SELECT FROM transactions t JOIN accounts a ON a.id = t.account_id
      WHERE t.type = 'crypto_in' AND t.wallet = ANY ($1) AND a.mode = $3::mode
        AND ($2::text IS NULL OR t.memo IS NULL OR t.memo = $2)) AS found`,
    values: [spellings, memo, mode],
  });
  return rows[0]?.found ?? false;
}

/** The transaction that the processor's own id belongs to, or null. */
export async function findByProviderId(db: pg.Pool, rail: string, providerId: string) {
  const { rows } = await db.query<{ id: string; type: 'crypto_in' | 'crypto_out' }>(
    'SELECT id, type FROM transactions WHERE rail = $1 AND provider_id = $2',
    [rail, providerId],
  );
  return rows[0] ?? null;
}

/**
 * Takes a step: status, ledger, increments, reviews, event and deliveries in one commit. False,
 * with nothing done, when the invoice is not in the state of `invoice` any more.
 */
export async function settleInvoiceRow(
  db: pg.Pool,
  change: {
    invoice: InvoiceRow;
    step: InvoiceStep;
    confirmationsNeeded: number | null;
    txHashes: string[];
    paidAt: Date | null;
    now: Date;
    event: { eventId: string; eventType: string; eventBody: string } | null;
  },
): Promise<boolean> {
  const { invoice, step, event } = change;
  const to = {
    ...progressOf({
      ...step,
      creditedCentavos: step.netCentavos + step.feeCentavos,
      creditedFeeCentavos: step.feeCentavos,
    }),
    confirmations: step.confirmations,
    confirmations_needed: change.confirmationsNeeded,
    tx_hashes: change.txHashes,
    paid_at: change.paidAt,
  };
  const { rows } = await db.query<{ settled: boolean }>({
    name: 'invoice-settle',
    text: 'SELECT invoice_settle($1, $2, $3, $4, $5, $6, $7, $8, $9) AS settled',
    values: [
      invoice.id,
      JSON.stringify({ ...progressOf(invoice), decided_centavos: String(invoice.decidedCentavos) }),
      JSON.stringify(to),
      step.pendingCentavos,
      JSON.stringify(step.increments.map((increment) => incrementRow(increment, change.now))),
      change.now,
      event?.eventId ?? null,
      event?.eventType ?? null,
      event?.eventBody ?? null,
    ],
  });
  return rows[0]?.settled ?? false;
}

type Progress = Pick<
  InvoiceRow,
  | 'status'
  | 'subStatus'
  | 'receivedUnits'
  | 'inTimeUnits'
  | 'settledUnits'
  | 'quotedUnits'
  | 'creditedCentavos'
  | 'creditedFeeCentavos'
  | 'reviewedCentavos'
>;

/**
 * The state from which a step is decided, as columns. JSON has no integers of 64 bits: they are
 * texts.
 */
const progressOf = (row: Progress) => ({
  status: row.status,
  sub_status: row.subStatus,
  received_units: String(row.receivedUnits),
  in_time_units: String(row.inTimeUnits),
  settled_units: String(row.settledUnits),
  quoted_units: String(row.quotedUnits),
  credited_centavos: String(row.creditedCentavos),
  credited_fee_centavos: String(row.creditedFeeCentavos),
  reviewed_centavos: String(row.reviewedCentavos),
});

const incrementRow = (increment: InvoiceIncrement, now: Date) => ({
  units_before: String(increment.unitsBefore),
  units: String(increment.units),
  price: String(increment.price),
  is_quoted: increment.isQuoted,
  credited_centavos: String(increment.creditedCentavos),
  reviewed_centavos: String(increment.reviewedCentavos),
  review_id: uuidv7(now),
});

/**
 * Ends an invoice that the processor did not make. False: money has arrived meanwhile, or it has
 * ended already.
 */
export async function failInvoice(
  db: pg.Pool,
  invoice: { id: string; now: Date; eventId: string; eventBody: string },
): Promise<boolean> {
  const { rows } = await db.query<{ failed: boolean }>({
    name: 'invoice-fail',
    text: 'SELECT invoice_fail($1, $2, $3, $4) AS failed',
    values: [invoice.id, invoice.now, invoice.eventId, invoice.eventBody],
  });
  return rows[0]?.failed ?? false;
}
