/**
 * GET /invoices/new and /invoices/{id} (plisio.net/documentation, "Create an invoice" and "Invoice
 * details").
 */
import { randomBytes } from 'node:crypto';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { parseUnits } from '#domain/quotes/crypto-units.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { planStep } from '../steps.ts';
import { readSwitch } from '../switches.ts';
import { noteSubject } from '../test-clocks.ts';
import { findInvoiceByOrder, findInvoices, type Invoice, insertInvoice } from './invoice-records.ts';
import { depositMagic } from './magic.ts';
import { minimumUnits, newWallet, stepOf } from './networks.ts';
import { badRequest, internalError, notFound, requireParameters, unprocessable } from './plisio-error.ts';
import { presentCreated, presentDetails } from './presentation.ts';
import type { Shop } from './shops.ts';

/** An hour, where the request has no `expire_min`. */
const DEFAULT_EXPIRE_MINUTES = '60';
/** A whole number of minutes, at most a year; a later date is a mistake. */
const EXPIRE_MINUTES = /^[1-9]\d{0,5}$/;
const EXPIRE_MINUTES_MAX = 525_600;
/** More coins than any of the networks has. */
const MAX_UNITS = 10n ** 12n * 10n ** 8n;
/** No order number, name or address is longer. */
const TEXT_MAX = 2_000;

/**
 * GET /invoices/new. An order number is unique within the shop; with `return_existing` a second
 * request answers the first one's invoice. Throws PlisioErrors: 400, 422, 500.
 */
export async function createInvoice(options: SandboxOptions, shop: Shop, query: URLSearchParams): Promise<Reply> {
  const mode = await readSwitch(options.pool, 'crypto.invoice');
  if (mode === 'error') throw internalError();
  // Nothing is stored: a shop that asks for the order number later finds nothing.
  if (mode === 'timeout') return SILENCE;
  const now = options.clock();
  const request = readRequest(shop, query, now);
  const isNew = await withTransaction(options.pool, async (db) => {
    if (!(await insertInvoice(db, request))) return false;
    const { id: invoiceId, expiresAt } = request;
    await noteSubject(db, request.orderNumber.replaceAll('-', ''));
    await planStep(db, { kind: 'end_invoice', invoiceId }, expiresAt);
    const magic = depositMagic(request.units, request.currency);
    if (magic) {
      const { share, payAfterSeconds } = magic;
      await planStep(db, { kind: 'pay_invoice', invoiceId, share }, secondsAfter(now, payAfterSeconds));
    }
    return true;
  });
  if (!isNew && query.get('return_existing') !== '1') {
    throw unprocessable('order_number', 'Order number already exists', 105);
  }
  const invoice = isNew ? request : await findInvoiceByOrder(options.pool, shop.id, request.orderNumber);
  if (!invoice) throw internalError();
  return { status: 200, body: { status: 'success', data: presentCreated(invoice, now, await isWhiteLabel(options)) } };
}

export async function getInvoice(options: SandboxOptions, shop: Shop, id: string): Promise<Reply> {
  const [invoice] = await findInvoices(options.pool, shop.id, [id]);
  if (!invoice) throw notFound('Operation not found');
  const data = presentDetails(invoice, options.clock(), options.merchantName, await isWhiteLabel(options));
  return { status: 200, body: { status: 'success', data } };
}

/** Whether the shop has Plisio's white-label mode; without it answers leave out most fields. */
export const isWhiteLabel = async (options: SandboxOptions): Promise<boolean> =>
  (await readSwitch(options.pool, 'crypto.white_label')) === 'on';

/** Returns the invoice that a query asks for. Throws the PlisioErrors of /invoices/new. */
function readRequest(shop: Shop, query: URLSearchParams, now: Date): Invoice {
  const required = requireParameters(query, 'order_name', 'order_number', 'currency', 'amount');
  const callbackUrl = query.get('callback_url') || null;
  const { currency, amount } = required;
  if ([...query.values()].some((text) => text.length > TEXT_MAX || text.includes('\0'))) {
    throw badRequest('A parameter is too long, or has characters that no text has');
  }
  if (!isCurrencyCode(currency)) throw unprocessable('currency', 'Currency is not available', 102);
  if (callbackUrl !== null && !/^https?:$/.test(URL.parse(callbackUrl)?.protocol ?? '')) {
    throw unprocessable('callback_url', 'Invalid URL', 106);
  }
  const minutes = query.get('expire_min') || DEFAULT_EXPIRE_MINUTES;
  if (!EXPIRE_MINUTES.test(minutes) || Number(minutes) > EXPIRE_MINUTES_MAX) {
    throw unprocessable('expire_min', 'Invalid value', 107);
  }
  const units = readAmount(amount, currency);
  if (units < minimumUnits(currency)) throw unprocessable('amount', 'Amount is less than the minimum', 104);
  const lifeSeconds = depositMagic(units, currency)?.expireAfterSeconds ?? Number(minutes) * 60;
  return {
    id: newId(now),
    shopId: shop.id,
    orderNumber: required.order_number,
    orderName: required.order_name,
    currency,
    units,
    ...newWallet(currency),
    callbackUrl,
    createdAt: now,
    expiresAt: new Date(Math.ceil(secondsAfter(now, lifeSeconds).getTime() / 1000) * 1000),
    payments: [],
  };
}

/**
 * Reads an amount, in 10^-8 of a coin. Throws a 422 PlisioError when it is no positive quantity
 * that the network can express.
 */
export function readAmount(amount: string, currency: CurrencyCode): bigint {
  const units = parseUnits(amount);
  if (units === null || units <= 0n || units > MAX_UNITS || units % stepOf(currency) !== 0n) {
    throw unprocessable('amount', 'Amount is invalid', 101);
  }
  return units;
}

/** Returns a new id: 24 hex characters that begin with the time, as Plisio's do. */
export const newId = (now: Date): string =>
  Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0') + randomBytes(8).toString('hex');

export const secondsAfter = (instant: Date, seconds: number): Date => new Date(instant.getTime() + seconds * 1000);
