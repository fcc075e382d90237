/**
 * Invoices and their payments as the processor stores them, and the status that follows from both.
 */
import type { Pool, PoolClient } from 'pg';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { networkOf } from './networks.ts';

export type Payment = { txHash: string; units: bigint; seenAt: Date; confirmedAt: Date | null };

export type Invoice = {
  id: string;
  shopId: string;
  orderNumber: string;
  orderName: string;
  currency: CurrencyCode;
  /** The requested quantity, in 10^-8 of a coin. */
  units: bigint;
  wallet: string;
  memo: string | null;
  callbackUrl: string | null;
  createdAt: Date;
  /** A whole second: the wire has no fractions. */
  expiresAt: Date;
  /** In the order of their arrival. */
  payments: Payment[];
};

export type InvoiceState = {
  status: 'new' | 'pending' | 'completed' | 'mismatch' | 'expired';
  confirmedUnits: bigint;
  unconfirmedUnits: bigint;
  /** The confirmations of the last payment. */
  confirmations: number;
  finishedAt: Date | null;
};

/**
 * Returns the status of an invoice. Once enough is confirmed it is `completed`, or `mismatch` when
 * more was paid than asked, whenever the payments came. Before that, it expires at its end, unless
 * a payment that came in time still waits for its confirmations. Quantities are in 10^-8 of a coin.
 */
export function stateOf(invoice: Invoice, now: Date): InvoiceState {
  const { payments, units, expiresAt } = invoice;
  const confirmed = payments.filter(({ confirmedAt }) => confirmedAt !== null);
  const waiting = payments.filter(({ confirmedAt }) => confirmedAt === null);
  const confirmedUnits = sum(confirmed);
  const last = payments.at(-1);
  const common = {
    confirmedUnits,
    unconfirmedUnits: sum(waiting),
    confirmations: last?.confirmedAt ? networkOf(invoice.currency).confirmations : 0,
  };
  if (confirmedUnits >= units) {
    const finishedAt = confirmed.at(-1)?.confirmedAt ?? null;
    return { status: confirmedUnits > units ? 'mismatch' : 'completed', ...common, finishedAt };
  }
  if (expiresAt <= now && !waiting.some(({ seenAt }) => seenAt < expiresAt)) {
    return { status: 'expired', ...common, finishedAt: expiresAt };
  }
  return { status: payments.length > 0 ? 'pending' : 'new', ...common, finishedAt: null };
}

/** Returns the sum of some payments in 10^-8 of a coin, confirmed or not. */
export const sum = (payments: Payment[]): bigint => payments.reduce((total, { units }) => total + units, 0n);

const COLUMNS = `id, shop_id AS "shopId", order_number AS "orderNumber", order_name AS "orderName", currency, units, wallet, memo,
  callback_url AS "callbackUrl", created_at AS "createdAt", expires_at AS "expiresAt"`;

type Db = Pool | PoolClient;
/** `pg` returns a numeric as text. */
type Row = Omit<Invoice, 'units' | 'payments'> & { units: string };
type PaymentRow = Omit<Payment, 'units'> & { units: string; invoiceId: string };

/**
 * Returns false and inserts nothing when the shop has an invoice with this order number already.
 */
export async function insertInvoice(db: Db, invoice: Invoice): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sandbox_insert_crypto_invoice',
    text: `INSERT INTO sandbox.crypto_invoices
             (id, shop_id, order_number, order_name, currency, units, wallet, memo, callback_url, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (order_number, shop_id) DO NOTHING`,
    values: [
      invoice.id,
      invoice.shopId,
      invoice.orderNumber,
      invoice.orderName,
      invoice.currency,
      String(invoice.units),
      invoice.wallet,
      invoice.memo,
      invoice.callbackUrl,
      invoice.createdAt,
      invoice.expiresAt,
    ],
  });
  return rowCount === 1;
}

export async function insertPayment(
  db: Db,
  invoiceId: string,
  { txHash, units, seenAt, confirmedAt }: Payment,
): Promise<void> {
  await db.query({
    name: 'sandbox_insert_crypto_payment',
    text: 'INSERT INTO sandbox.crypto_payments (invoice_id, tx_hash, units, seen_at, confirmed_at) VALUES ($1, $2, $3, $4, $5)',
    values: [invoiceId, txHash, String(units), seenAt, confirmedAt],
  });
}

export async function findInvoices(db: Db, shopId: string, ids: string[]): Promise<Invoice[]> {
  return withPayments(db, { name: 'of_shop', tail: 'shop_id = $1 AND id = ANY ($2)', values: [shopId, ids] });
}

export async function findInvoiceByOrder(db: Db, shopId: string, orderNumber: string): Promise<Invoice | undefined> {
  const tail = 'order_number = $1 AND shop_id = $2';
  return (await withPayments(db, { name: 'by_order', tail, values: [orderNumber, shopId] }))[0];
}

/**
 * Finds an invoice and locks it until the caller's transaction ends. Where several shops use one
 * order number, it is the newest invoice.
 */
export async function lockInvoice(
  db: PoolClient,
  key: { id: string } | { orderNumber: string },
): Promise<Invoice | undefined> {
  const [column, value] = 'id' in key ? ['id', key.id] : ['order_number', key.orderNumber];
  const tail = `${column} = $1 ORDER BY created_at DESC LIMIT 1 FOR UPDATE`;
  return (await withPayments(db, { name: `locked_by_${column}`, tail, values: [value] }))[0];
}

async function withPayments(
  db: Db,
  { name, tail, values }: { name: string; tail: string; values: unknown[] },
): Promise<Invoice[]> {
  const { rows } = await db.query<Row>({
    name: `sandbox_invoices_${name}`,
    text: `SELECT ${COLUMNS} FROM sandbox.crypto_invoices WHERE ${tail}`,
    values,
  });
  if (rows.length === 0) return [];
  const found = await db.query<PaymentRow>({
    name: 'sandbox_payments_of_invoices',
    text: `SELECT invoice_id AS "invoiceId", tx_hash AS "txHash", units, seen_at AS "seenAt", confirmed_at AS "confirmedAt"
     FROM sandbox.crypto_payments WHERE invoice_id = ANY ($1) ORDER BY id`,
    values: [rows.map(({ id }) => id)],
  });
  return rows.map((row) => ({
    ...row,
    units: BigInt(row.units),
    payments: found.rows
      .filter(({ invoiceId }) => invoiceId === row.id)
      .map(({ invoiceId: _, units, ...payment }) => ({ ...payment, units: BigInt(units) })),
  }));
}
