/** Payments, confirmations and expiries of invoices. Each is one transaction with its callbacks. */
import type { PoolClient } from 'pg';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { parseUnits, UNIT_DECIMALS } from '#domain/quotes/crypto-units.ts';
import { eightDecimals } from '../eight-decimals.ts';
import { controlProblem } from '../problems.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { actAtProcessor } from './act-at-processor.ts';
import { planInvoiceCallbacks } from './callbacks.ts';
import { type Invoice, insertPayment, lockInvoice, type Payment, stateOf, sum } from './invoice-records.ts';
import { networkOf, stepOf } from './networks.ts';

export type PayInvoiceCommand = {
  orderNumber: string;
  /** An amount in reais. It is rejected, because it is for charges only. */
  amount?: string | undefined;
  /**
   * The share of the requested quantity, rounded down to what the network can express. Absent: what
   * is still owed; the whole quantity again when nothing is.
   */
  share?: bigint | undefined;
  /** The network sees the payment, but confirms it only by a command. */
  unconfirmed: boolean;
  /** Pays although it is paid already or has expired. */
  force: boolean;
};

/** The answer of the control side; `received` is all that has arrived so far. */
type Receipt = { txnId: string; received: string; currency: string; txHash: string; confirmations: number };

/**
 * Makes a payer pay an invoice. Returns null when there is no such invoice. Throws control
 * Problems: 400, 409.
 */
export async function payInvoice(options: SandboxOptions, command: PayInvoiceCommand): Promise<Receipt | null> {
  return withTransaction(options.pool, async (db) => {
    const invoice = await lockInvoice(db, command);
    if (!invoice) return null;
    if (command.amount !== undefined) {
      throw controlProblem(400, 'A crypto invoice takes no amount in reais; send `share`, e.g. "0.5", instead.');
    }
    const now = options.clock();
    if (!command.force) requirePayable(invoice, now);
    return receive(db, options, invoice, {
      units: partOf(invoice, command.share),
      confirmed: !command.unconfirmed,
      now,
    });
  });
}

/**
 * Makes the network confirm all payments that wait for it. Returns null when there is no such
 * invoice. Throws a control Problem: 409.
 */
export async function confirmPayments(options: SandboxOptions, orderNumber: string): Promise<Receipt | null> {
  return withTransaction(options.pool, async (db) => {
    const invoice = await lockInvoice(db, { orderNumber });
    if (!invoice) return null;
    const last = invoice.payments.filter(({ confirmedAt }) => confirmedAt === null).at(-1);
    if (!last)
      throw controlProblem(409, 'Nothing waits to be confirmed: pay it with `"unconfirmed": true` first.', {
        reason: 'nothing_waits',
      });
    const now = options.clock();
    await db.query(
      'UPDATE sandbox.crypto_payments SET confirmed_at = $2 WHERE invoice_id = $1 AND confirmed_at IS NULL',
      [invoice.id, now],
    );
    const payments = invoice.payments.map((payment) => ({ ...payment, confirmedAt: payment.confirmedAt ?? now }));
    const confirmed = { ...invoice, payments };
    await planInvoiceCallbacks(db, options, confirmed, now);
    return receiptOf(confirmed, { ...last, confirmedAt: now });
  });
}

/**
 * Makes an invoice expire now. Returns null when there is no such invoice. Throws a control
 * Problem: 409.
 */
export async function expireInvoice(
  options: SandboxOptions,
  orderNumber: string,
): Promise<{ expiresAt: string } | null> {
  return withTransaction(options.pool, async (db) => {
    const invoice = await lockInvoice(db, { orderNumber });
    if (!invoice) return null;
    const now = options.clock();
    requirePayable(invoice, now);
    const expired = { ...invoice, expiresAt: wholeSecond(now) };
    await db.query('UPDATE sandbox.crypto_invoices SET expires_at = $2 WHERE id = $1', [invoice.id, expired.expiresAt]);
    await planInvoiceCallbacks(db, options, expired, now);
    return { expiresAt: expired.expiresAt.toISOString() };
  });
}

/** Pays an invoice whose cents ask for it, unless it was paid before. */
export async function payInvoiceWhenDue(
  db: PoolClient,
  options: SandboxOptions,
  { invoiceId, share }: { invoiceId: string; share: string },
  now: Date,
): Promise<void> {
  const invoice = await lockInvoice(db, { id: invoiceId });
  if (!invoice || invoice.payments.length > 0) return;
  await receive(db, options, invoice, { units: partOf(invoice, parseUnits(share) ?? 0n), confirmed: true, now });
}

/** Plans the callback of an invoice if it has expired. */
export async function endInvoice(
  db: PoolClient,
  options: SandboxOptions,
  { invoiceId }: { invoiceId: string },
  now: Date,
): Promise<void> {
  const invoice = await lockInvoice(db, { id: invoiceId });
  if (invoice && stateOf(invoice, now).status === 'expired') await planInvoiceCallbacks(db, options, invoice, now);
}

async function receive(
  db: PoolClient,
  options: SandboxOptions,
  invoice: Invoice,
  { units, confirmed, now }: { units: bigint; confirmed: boolean; now: Date },
): Promise<Receipt> {
  const txHash = networkOf(invoice.currency).newTxHash();
  const payment: Payment = { txHash, units, seenAt: now, confirmedAt: confirmed ? now : null };
  await insertPayment(db, invoice.id, payment);
  const paid = { ...invoice, payments: [...invoice.payments, payment] };
  await planInvoiceCallbacks(db, options, paid, now);
  await actAtProcessor(db, invoice, payment, now);
  return receiptOf(paid, payment);
}

function partOf(invoice: Invoice, share: bigint | undefined): bigint {
  const owed = invoice.units - sum(invoice.payments);
  const rest = owed > 0n ? owed : invoice.units;
  const part = share === undefined ? rest : (invoice.units * share) / 10n ** BigInt(UNIT_DECIMALS);
  const units = part - (part % stepOf(invoice.currency));
  if (units > 0n) return units;
  throw controlProblem(400, 'The share is less than the network can express; take a larger one.', {
    reason: 'too_small',
  });
}

function requirePayable(invoice: Invoice, now: Date): void {
  if (sum(invoice.payments) >= invoice.units) {
    throw controlProblem(409, 'The invoice is paid already; give `force` to make a further payment.', {
      reason: 'paid',
    });
  }
  if (invoice.expiresAt <= now) {
    throw controlProblem(
      409,
      `The invoice expired at ${invoice.expiresAt.toISOString()}; give force to make a late payment.`,
      { reason: 'expired' },
    );
  }
}

/** The wire has no fractions of seconds. */
const wholeSecond = (instant: Date) => new Date(Math.floor(instant.getTime() / 1000) * 1000);

const receiptOf = (invoice: Invoice, payment: Payment): Receipt => ({
  txnId: invoice.id,
  received: eightDecimals(sum(invoice.payments)),
  currency: invoice.currency,
  txHash: payment.txHash,
  confirmations: payment.confirmedAt ? networkOf(invoice.currency).confirmations : 0,
});
