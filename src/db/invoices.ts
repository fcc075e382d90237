import type pg from 'pg';
import type { InvoiceStep, InvoiceSubStatus } from '#domain/invoice-settlement.ts';
import type { InvoiceStatus } from '#domain/transaction-states.ts';
import { quoteColumns, type StoredQuote } from './withdrawals.ts';

export type NewInvoice = {
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
  /** When the worker looks at it for the first time. */
  watchAt: Date;
};

/**
 * Writes an invoice and the task that watches over it, before the processor hears of it: a callback that is early finds it. False:
 * an invoice of this id is there already.
 */
export async function insertInvoice(db: pg.Pool, invoice: NewInvoice): Promise<boolean> {
  const quote = quoteColumns(invoice.quote);
  const { rowCount } = await db.query({
    name: 'insert-invoice',
    text: `WITH invoice AS (
        INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, currency, units,
          quote_price, quote_spread_bps, quoted_at, quote_sources, fee_bps, fee_fixed_centavos, tolerance_bps, rail,
          created_at, expires_at, updated_at)
        VALUES ($1, $2, 'crypto_in', 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $16)
        ON CONFLICT (id) DO NOTHING RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'watch_invoice', id, $18 FROM invoice`,
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
      invoice.watchAt,
    ],
  });
  return rowCount === 1;
}

/** Keeps where the processor wants to be paid. */
export async function setInvoiceAddress(
  db: pg.Pool,
  id: string,
  address: {
    providerId: string;
    providerUrl: string | null;
    wallet: string | null;
    memo: string | null;
    confirmationsNeeded: number | null;
    expiresAt: Date | null;
  },
): Promise<void> {
  await db.query({
    name: 'set-invoice-address',
    text: `UPDATE transactions SET provider_id = $2, provider_url = $3, wallet = $4, memo = $5, confirmations_needed = $6,
        expires_at = coalesce($7, expires_at) WHERE id = $1`,
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
  creditedCentavos: bigint;
  creditedFeeCentavos: bigint;
  confirmations: number;
  quotePrice: bigint;
  feeBps: number;
  feeFixedCentavos: bigint;
  toleranceBps: number;
  wallet: string | null;
  memo: string | null;
  providerId: string | null;
  rail: string;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  livemode: boolean;
};

/** The invoice, or null. Not for a tenant's eyes: callers act for the rail or the worker, or have checked the account. */
export async function findInvoice(db: pg.Pool, id: string): Promise<InvoiceRow | null> {
  const { rows } = await db.query<InvoiceRow>({
    name: 'find-invoice',
    text: `SELECT t.id, t.account_id AS "accountId", t.type, t.status, t.sub_status AS "subStatus",
        t.amount_centavos AS "amountCentavos", t.fee_centavos AS "feeCentavos", t.net_centavos AS "netCentavos", t.currency,
        t.units, t.received_units AS "receivedUnits", t.credited_centavos AS "creditedCentavos",
        t.credited_fee_centavos AS "creditedFeeCentavos", t.confirmations, t.quote_price AS "quotePrice", t.fee_bps AS "feeBps",
        t.fee_fixed_centavos AS "feeFixedCentavos", t.tolerance_bps AS "toleranceBps", t.wallet, t.memo,
        t.provider_id AS "providerId", t.rail, t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.paid_at AS "paidAt",
        a.mode = 'live' AS livemode
      FROM transactions t JOIN accounts a ON a.id = t.account_id WHERE t.id = $1 AND t.type = 'crypto_in'`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** The transaction that the processor's own id belongs to, or null. */
export async function findByProviderId(db: pg.Pool, rail: string, providerId: string) {
  const { rows } = await db.query<{ id: string; type: 'crypto_in' | 'crypto_out' }>(
    'SELECT id, type FROM transactions WHERE rail = $1 AND provider_id = $2',
    [rail, providerId],
  );
  return rows[0] ?? null;
}

/** Takes a step: status, ledger, event and deliveries in one commit. False: the invoice has moved on meanwhile, nothing was done. */
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
  const { rows } = await db.query<{ settled: boolean }>(
    `SELECT invoice_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) AS settled`,
    [
      invoice.id,
      invoice.status,
      invoice.receivedUnits,
      invoice.subStatus,
      step.status,
      step.subStatus,
      step.receivedUnits,
      step.pendingCentavos,
      step.netCentavos,
      step.feeCentavos,
      step.confirmations,
      change.confirmationsNeeded,
      change.txHashes,
      change.paidAt,
      change.now,
      event?.eventId ?? null,
      event?.eventType ?? null,
      event?.eventBody ?? null,
    ],
  );
  return rows[0]?.settled ?? false;
}

/** Ends an invoice that the processor did not make. False: money has arrived meanwhile, or it has ended already. */
export async function failInvoice(
  db: pg.Pool,
  invoice: { id: string; now: Date; eventId: string; eventBody: string },
): Promise<boolean> {
  const { rows } = await db.query<{ failed: boolean }>('SELECT invoice_fail($1, $2, $3, $4) AS failed', [
    invoice.id,
    invoice.now,
    invoice.eventId,
    invoice.eventBody,
  ]);
  return rows[0]?.failed ?? false;
}
