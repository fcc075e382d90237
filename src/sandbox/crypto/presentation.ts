/**
 * Invoices as the answers show them. Quantities are decimal texts, times Unix seconds (csharp-sdk
 * docs, OperationDto and InvoiceExtendedResponseDto).
 */
import { UNIT_DECIMALS, unitsBought } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, type CurrencyCode } from '#domain/quotes/currencies.ts';
import { eightDecimals } from '../eight-decimals.ts';
import { PRICES } from '../quotes/prices.ts';
import { type Invoice, stateOf } from './invoice-records.ts';
import { networkOf } from './networks.ts';

/** The shop pays the commission, so the payer sees the requested quantity. */
const COMMISSION_BPS = 50n;
/**
 * Plisio sends a QR code of the address here; the simulator sends one pixel, because clients draw
 * their own.
 */
const QR_CODE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const PAGES = 'https://plisio.net/invoice/';
const CENTAVOS_PER_BRL = 100n;

/** The data of /invoices/new. Without white-label it has only an id, a page and a sum. */
export function presentCreated(invoice: Invoice, now: Date, whiteLabel: boolean) {
  const { id, units } = invoice;
  const bare = { txn_id: id, invoice_url: PAGES + id, invoice_total_sum: eightDecimals(units) };
  return whiteLabel ? { ...bare, ...fieldsOf(invoice, now), ...walletOf(invoice) } : bare;
}

/** The data of /invoices/{id}. */
export function presentDetails(invoice: Invoice, now: Date, shopName: string, whiteLabel: boolean) {
  const { id, units, currency } = invoice;
  const paysys = { cid: currency, currency: CURRENCIES[currency].asset };
  return {
    invoice: {
      txn_id: id,
      invoice_url: PAGES + id,
      invoice_total_sum: eightDecimals(units),
      ...fieldsOf(invoice, now),
      ...(whiteLabel ? walletOf(invoice) : {}),
    },
    active_invoice_id: id,
    shop: { name: shopName },
    paysys,
    allowed_psys_cids: [paysys],
  };
}

/** `amount` is the requested quantity here, and the received one in operations. */
function fieldsOf(invoice: Invoice, now: Date) {
  const { id, units, currency, expiresAt } = invoice;
  const { status, confirmedUnits, unconfirmedUnits } = stateOf(invoice, now);
  const owed = units - confirmedUnits - unconfirmedUnits;
  return {
    id,
    status,
    amount: eightDecimals(units),
    pending_amount: eightDecimals(unconfirmedUnits),
    received_amount: eightDecimals(confirmedUnits),
    remaining_amount: eightDecimals(owed),
    psys_cid: currency,
    currency: CURRENCIES[currency].asset,
    ...sourceOf(currency),
    expected_confirmations: String(networkOf(currency).confirmations),
    ...commissionOf(units),
    ...hashesOf(invoice),
    switch_id: null,
    paid_id: null,
    expire_utc: unixSeconds(expiresAt),
    params: paramsOf(invoice),
  };
}

const walletOf = ({ wallet, memo }: Invoice) => ({
  wallet_hash: wallet,
  ...(memo === null ? {} : { wallet_memo: memo }),
  qr_code: QR_CODE,
});

/** The data of /operations/{id} for an invoice, with white-label. */
export function presentInvoiceOperation(invoice: Invoice, now: Date) {
  const { id, shopId, units, currency, wallet, memo, createdAt, expiresAt, payments } = invoice;
  const { status, confirmedUnits, unconfirmedUnits, confirmations, finishedAt } = stateOf(invoice, now);
  const { confirmations: needed, explorer } = networkOf(currency);
  return {
    user_id: 1,
    shop_id: shopId,
    type: 'invoice',
    status,
    id,
    pending_sum: eightDecimals(unconfirmedUnits),
    psys_cid: currency,
    currency: CURRENCIES[currency].asset,
    ...sourceOf(currency),
    fee: null,
    wallet_hash: wallet,
    ...(memo === null ? {} : { wallet_memo: memo }),
    sendmany: [],
    params: paramsOf(invoice),
    expire_at_utc: unixSeconds(expiresAt),
    created_at_utc: unixSeconds(createdAt),
    finished_at_utc: finishedAt && unixSeconds(finishedAt),
    amount: eightDecimals(confirmedUnits),
    sum: eightDecimals(units),
    commission: commissionOf(units).invoice_commission,
    actual_sum: eightDecimals(confirmedUnits),
    ...hashesOf(invoice),
    tx: payments.map(({ txHash, units: value, confirmedAt }) => ({
      txid: txHash,
      confirmations: confirmedAt ? needed : 0,
      value: eightDecimals(value),
      processed: confirmedAt !== null,
      url: explorer + txHash,
    })),
    confirmations,
    parent_id: null,
    child_ids: [],
  };
}

/**
 * The fields of a callback, all texts. Here `pending_amount` is what is still owed, less than
 * nothing where more was paid.
 */
export function presentCallback(invoice: Invoice, now: Date, shopName: string): Record<string, string> {
  const { id, shopId, units, currency, orderNumber, orderName } = invoice;
  const { status, confirmedUnits, unconfirmedUnits, confirmations } = stateOf(invoice, now);
  const owed = units - confirmedUnits - unconfirmedUnits;
  return {
    amount: eightDecimals(confirmedUnits + unconfirmedUnits),
    comment: `Invoice details: https://plisio.net/account/transactions/${id}`,
    confirmations: String(confirmations),
    currency: CURRENCIES[currency].asset,
    ...commissionOf(units),
    invoice_total_sum: eightDecimals(units),
    ipn_type: 'invoice',
    merchant: shopName,
    merchant_id: shopId,
    order_name: orderName,
    order_number: orderNumber,
    pending_amount: eightDecimals(owed),
    psys_cid: currency,
    ...sourceOf(currency),
    status,
    txn_id: id,
  };
}

/** How many coins one real buys, as a text with eight decimals. */
export const brlRate = (code: CurrencyCode): string =>
  eightDecimals(unitsBought(CENTAVOS_PER_BRL, PRICES[CURRENCIES[code].asset], UNIT_DECIMALS));

const sourceOf = (code: CurrencyCode) => ({ source_currency: 'BRL', source_rate: brlRate(code) });

/** The commission on a requested quantity, in 10^-8 of a coin. */
export const commissionUnits = (units: bigint): bigint => (units * COMMISSION_BPS) / 10_000n;

function commissionOf(units: bigint) {
  const commission = commissionUnits(units);
  return { invoice_commission: eightDecimals(commission), invoice_sum: eightDecimals(units - commission) };
}

const hashesOf = ({ payments, currency }: Invoice) => ({
  tx_id: payments.map(({ txHash }) => txHash),
  tx_url: payments.length > 0 ? payments.map(({ txHash }) => networkOf(currency).explorer + txHash) : null,
});

const paramsOf = ({ orderNumber, orderName, units, currency }: Invoice) => ({
  order_number: orderNumber,
  order_name: orderName,
  amount: eightDecimals(units),
  psys_cid: currency,
  currency: CURRENCIES[currency].asset,
});

/** The Unix time of an instant, in whole seconds. */
export const unixSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
