import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import type { CryptoInvoice, CryptoInvoiceRequest, Outcome } from '../ports.ts';
import { hashesOf, isPlisioId, type PlisioRecord, readRecord, unknown } from './plisio-wire.ts';

/** The longest title: a headline on Plisio's page and in its callbacks. */
const ORDER_NAME_LENGTH_MAX = 120;

/**
 * Returns whether an invoice was replaced with another one of its order. Neither of these statuses
 * is in the documentation; Plisio's SDK for Python has met both, and the one for Android says what
 * they mean.
 */
export const isReplaced = (plisioStatus: string | undefined): boolean =>
  plisioStatus === 'cancelled duplicate' || plisioStatus === '111';

/** The query of `/invoices/new`. */
export function invoiceParams(request: CryptoInvoiceRequest): Record<string, string> {
  const callback = new URL(request.callbackUrl);
  callback.searchParams.set('json', 'true');
  return {
    currency: request.currency,
    // Plisio's page lets the payer choose another coin unless this names the one alone.
    allowed_psys_cids: request.currency,
    amount: unitsToDecimal(request.units),
    order_number: request.orderNumber,
    order_name: toAscii(request.title) || request.orderNumber,
    expire_min: String(Math.max(1, Math.ceil(request.expiresInSeconds / 60))),
    callback_url: callback.href,
    // "Return existing invoice instead of error": this makes it safe to ask twice.
    return_existing: '1',
  };
}

/**
 * Callbacks quote and sign the name, and PHP and JavaScript write other characters than ASCII
 * differently into the JSON that is signed.
 */
function toAscii(title: string): string {
  const folded = title.normalize('NFKD').replace(/[^ -~]/g, '');
  return folded.replace(/\s+/g, ' ').trim().slice(0, ORDER_NAME_LENGTH_MAX);
}

/**
 * Reads the answer of `/invoices/new`: without white-label it has an id, a page and a sum, and it
 * never names the order by itself.
 */
export function readCreated(data: unknown, request: CryptoInvoiceRequest): Outcome<CryptoInvoice> {
  const read = readRecord(data);
  if (read.outcome !== 'done') return read;
  const { orderNumber, currency: code } = request;
  const created = toInvoice({ orderNumber, code, plisioStatus: 'new', ...partsOfInvoice(read.value) });
  return created.outcome === 'done' ? asRequested(created.value, request) : created;
}

/**
 * Returns `found` if it has the order number, the currency and the quantity of the request, and can
 * be paid or was; else `unknown`.
 */
export function asRequested(found: CryptoInvoice, request: CryptoInvoiceRequest): Outcome<CryptoInvoice> {
  if (found.orderNumber !== request.orderNumber) return unknown('Plisio answered about another order');
  if (found.currency !== request.currency) return unknown('Plisio answered about another currency');
  if (found.status !== 'open' && found.receivedUnits === 0n) return unknown('Plisio’s invoice of this order has ended');
  if (found.units === request.units) return { outcome: 'done', value: found };
  return unknown('Plisio asks for another amount than we do (does the shop pay the commission?)');
}

/** An invoice as far as a response contains it. */
type InvoiceParts = Partial<Omit<CryptoInvoice, 'status' | 'receivedUnits' | 'currency'>> & {
  /** Plisio's own status. */
  plisioStatus?: string | undefined;
  code?: string | undefined;
  /** What the network has confirmed, all payments together. */
  confirmedUnits?: bigint | undefined;
  unconfirmedUnits?: bigint | undefined;
};

/**
 * Reads an invoice of `/operations`, where `amount` is what was received (transaction
 * documentation: "expired: look for the amount field").
 */
export function partsOfOperation(operation: PlisioRecord): InvoiceParts {
  return withoutGaps({
    ...commonParts(operation),
    units: operation.invoice_total_sum ?? operation.sum ?? operation.params?.amount,
    confirmedUnits: operation.amount ?? operation.actual_sum,
    unconfirmedUnits: operation.pending_sum,
  });
}

/**
 * Reads an invoice of `/invoices`, where `amount` is what is asked for. `pending_amount` is what is
 * not confirmed (InvoiceExtendedResponseDto); in older answers, which lack `remaining_amount`, it
 * is what is still owed: less than nothing of an overpaid invoice (WooCommerce plugin).
 */
export function partsOfInvoice(invoice: PlisioRecord): InvoiceParts {
  return withoutGaps({
    ...commonParts(invoice),
    units: invoice.invoice_total_sum ?? invoice.amount,
    confirmedUnits: invoice.received_amount,
    unconfirmedUnits: invoice.remaining_amount === undefined ? undefined : invoice.pending_amount,
  });
}

function commonParts(found: PlisioRecord) {
  return {
    providerId: found.txn_id ?? found.id,
    orderNumber: found.params?.order_number,
    plisioStatus: isReplaced(found.status) ? 'cancelled' : found.status,
    code: found.psys_cid ?? found.params?.psys_cid,
    wallet: found.wallet_hash,
    memo: found.wallet_memo,
    pageUrl: found.invoice_url,
    confirmations: found.confirmations ?? found.tx?.at(-1)?.confirmations,
    confirmationsNeeded: found.expected_confirmations,
    txHashes: hashesOf(found),
    expiresAt: found.expire_at_utc ?? found.expire_utc,
  };
}

/**
 * Leaves out what a response does not contain, so that a later one, spread over an earlier one,
 * hides nothing that only the earlier one had.
 */
function withoutGaps(parts: Record<string, unknown>): InvoiceParts {
  const isGap = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isGap(value)));
}

/** Returns whether an answer has everything that toInvoice needs. */
export const isComplete = ({ code, units, confirmedUnits, plisioStatus }: InvoiceParts): boolean =>
  code !== undefined && units !== undefined && (confirmedUnits !== undefined || plisioStatus === 'new');

/**
 * Converts Plisio's status of an invoice (rails.md 9.1). What is confirmed is never dropped: an
 * invoice that is cancelled or in error with a part received has `expired` with that part. While
 * something is unconfirmed, none of these has ended yet.
 */
export function toInvoice(parts: InvoiceParts): Outcome<CryptoInvoice> {
  const { providerId, code, units, plisioStatus, unconfirmedUnits = 0n } = parts;
  if (providerId === undefined || !isPlisioId(providerId)) return unknown('not a Plisio answer: id');
  if (units === undefined || !isComplete(parts)) {
    return unknown('Plisio leaves the amounts of this invoice out (white-label off?)');
  }
  if (code === undefined || !isCurrencyCode(code)) return unknown('Plisio answered about a currency we do not know');
  if (unconfirmedUnits < 0n) return unknown('not a Plisio answer: pending_amount');
  const confirmedUnits = plisioStatus === 'new' ? 0n : (parts.confirmedUnits ?? 0n);
  const status = statusOf(plisioStatus, confirmedUnits, unconfirmedUnits);
  if (status === null) return unknown('Plisio gives a status that its documentation does not have');
  const invoice: CryptoInvoice = {
    providerId,
    orderNumber: parts.orderNumber ?? null,
    status,
    currency: code,
    units,
    receivedUnits: status === 'open' && plisioStatus !== 'new' ? confirmedUnits + unconfirmedUnits : confirmedUnits,
    wallet: parts.wallet ?? null,
    memo: parts.memo ?? null,
    pageUrl: parts.pageUrl ?? null,
    confirmations: parts.confirmations ?? 0,
    confirmationsNeeded: parts.confirmationsNeeded ?? null,
    txHashes: parts.txHashes ?? [],
    expiresAt: parts.expiresAt ?? null,
  };
  return { outcome: 'done', value: invoice };
}

function statusOf(plisioStatus: string | undefined, confirmed: bigint, unconfirmed: bigint) {
  switch (plisioStatus) {
    case 'new':
    case 'pending':
    case 'pending internal':
      return 'open';
    case 'completed':
    case 'mismatch':
      return 'final';
    case 'expired':
      return unconfirmed > 0n ? 'open' : 'expired';
    case 'cancelled':
      return unconfirmed > 0n ? 'open' : confirmed > 0n ? 'expired' : 'cancelled';
    case 'error':
      return unconfirmed > 0n ? 'open' : confirmed > 0n ? 'expired' : 'failed';
    default:
      return null;
  }
}
