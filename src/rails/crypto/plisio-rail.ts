import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { type OnProviderCall, traceCall } from '../call-trace.ts';
import type { RailCall } from '../pix/api-pix-rail.ts';
import type {
  CryptoInvoice,
  CryptoInvoiceRequest,
  CryptoPayout,
  CryptoPayoutRequest,
  CryptoRail,
  Outcome,
  PayoutOutcome,
} from '../ports.ts';
import { parsePlisioCallback } from './parse-plisio-callback.ts';
import { createPlisioClient, overallDeadline, type PlisioClientOptions } from './plisio-client.ts';
import {
  asRequested,
  invoiceParams,
  isComplete,
  isReplaced,
  partsOfInvoice,
  partsOfOperation,
  readCreated,
  toInvoice,
} from './plisio-invoice.ts';
import { asRequestedPayout, collectAlike, sendableUnits, toPayout } from './plisio-payout.ts';
import {
  isPlisioId,
  type PlisioPage,
  type PlisioRecord,
  readBalance,
  readCurrencies,
  readEntries,
  readInvoiceDetails,
  readOperationId,
  readPage,
  readRecord,
  unknown,
} from './plisio-wire.ts';
import { toOperationsPage } from './to-operations-page.ts';

/** Reserved, out of the time of createInvoice, for querying its outcome. */
const LOOKUP_BUDGET_MS = 4_000;
const PAGE_SIZE = '50';

export type PlisioRailOptions = PlisioClientOptions & {
  /** Stored with every transaction. */
  name: string;
  clock: () => Date;
  /** How long after a send the list of operations may still lack it. */
  lostAfterMs: number;
  /** Called once for each call of the port, for metrics. */
  onCall?: (call: RailCall) => void;
  /** Called for each HTTP call to Plisio about a transaction, to record it. */
  onProviderCall?: OnProviderCall | undefined;
};

/**
 * Crypto over Plisio (plisio.net/documentation and its SDKs). No method rejects: a failure is
 * `rejected` or `unknown`, and a reason never holds the API key, a URL or a wallet. Two settings of
 * the shop matter. It must pay Plisio's commission itself, else every invoice asks for more than we
 * did and stays `unknown`; and it needs white-label, without which Plisio shows neither wallets nor
 * the fields of a payout.
 */
export function createPlisioRail(options: PlisioRailOptions): CryptoRail {
  const { name, apiKey, clock, onCall, onProviderCall } = options;
  const { host } = new URL(options.baseUrl);
  const client = createPlisioClient(options);

  async function measured<T extends { outcome: RailCall['outcome'] }>(
    operation: string,
    work: (deadline: number) => Promise<T>,
    orderNumber?: string,
  ): Promise<T> {
    const startedAt = performance.now();
    const ownId = orderNumber !== undefined && isUuid(orderNumber) ? orderNumber : null;
    const result = await traceCall({ rail: name, operation, ownId, onProviderCall }, () => work(overallDeadline()));
    onCall?.({ rail: name, host, operation, outcome: result.outcome, durationMs: performance.now() - startedAt });
    return result;
  }

  async function ask(path: string, params: Record<string, string>, deadline: number): Promise<Outcome<unknown>> {
    const reply = await client.ask({ path, params, deadline });
    return reply.outcome === 'missing' ? unknown(reply.reason) : reply;
  }

  /** Finds an operation; `null`: Plisio does not know it. */
  async function findOperation(id: string, deadline: number): Promise<Outcome<PlisioRecord | null>> {
    if (!isPlisioId(id)) return done(null);
    const reply = await client.ask({ path: `/operations/${id}`, params: {}, deadline });
    if (reply.outcome === 'missing') return done(null);
    const found = then(reply, readRecord);
    if (found.outcome !== 'done' || (found.value.id ?? found.value.txn_id) === id) return found;
    return unknown('Plisio answered about another operation');
  }

  /** Pages begin at 1. */
  const askPage = (params: Record<string, string>, page: number, deadline: number) =>
    ask('/operations', { page: String(page), limit: PAGE_SIZE, ...params }, deadline);

  async function listOperations(params: Record<string, string>, page: number, deadline: number) {
    return then<unknown, PlisioPage>(await askPage(params, page, deadline), readPage);
  }

  /**
   * `/operations/{id}` is documented and keeps quantities apart; without white-label only
   * `/invoices/{id}` has any.
   */
  async function findInvoice(id: string, deadline: number): Promise<Outcome<CryptoInvoice | null>> {
    const found = await findOperation(id, deadline);
    if (found.outcome !== 'done') return found;
    if (found.value === null) return done(null);
    const { type } = found.value;
    if (type !== undefined && type !== 'invoice') return unknown('Plisio answered about no invoice');
    const parts = partsOfOperation(found.value);
    if (isComplete(parts)) return toInvoice(parts);
    const details = then(await ask(`/invoices/${id}`, {}, deadline), readInvoiceDetails);
    return then(details, (invoice) =>
      (invoice.txn_id ?? invoice.id) === id
        ? toInvoice({ ...parts, ...partsOfInvoice(invoice) })
        : unknown('Plisio answered about another invoice'),
    );
  }

  async function findInvoiceByOrder(orderNumber: string, deadline: number): Promise<Outcome<CryptoInvoice | null>> {
    const listed = await listOperations({ type: 'invoice', search: orderNumber }, 1, deadline);
    if (listed.outcome !== 'done') return listed;
    const ofOrder = listed.value.operations.filter(
      ({ params }) => params?.order_number === undefined || params.order_number === orderNumber,
    );
    const current = ofOrder.filter(({ status }) => !isReplaced(status));
    const candidates = current.length > 0 ? current : ofOrder;
    for (const { id, txn_id } of candidates) {
      const found = await findInvoice(id ?? txn_id ?? '', deadline);
      if (found.outcome !== 'done') return found;
      if (found.value?.orderNumber === orderNumber) return found;
      // The search covers order numbers, hashes and e-mails; a UUID occurs only in order numbers.
      if (found.value?.orderNumber === null && candidates.length === 1) return done({ ...found.value, orderNumber });
    }
    return done(null);
  }

  async function createInvoice(request: CryptoInvoiceRequest, deadline: number): Promise<Outcome<CryptoInvoice>> {
    const { repeated, isSent, ...reply } = await client.ask({
      path: '/invoices/new',
      params: invoiceParams(request),
      deadline: deadline - LOOKUP_BUDGET_MS,
      awaited: true,
    });
    const created = then(reply.outcome === 'missing' ? { ...reply, outcome: 'rejected' } : reply, (data) =>
      readCreated(data, request),
    );
    if (created.outcome === 'done' || !isSent) return created;

    // The answer got lost, or the number is rejected as in use because an attempt without an answer
    // has created the invoice.
    const existing = await findInvoiceByOrder(request.orderNumber, deadline);
    if (existing.outcome === 'done' && existing.value) return asRequested(existing.value, request);
    const isCertain = created.outcome === 'rejected' && existing.outcome === 'done' && !repeated;
    return isCertain ? created : unknown(created.reason);
  }

  async function sendPayout(request: CryptoPayoutRequest, deadline: number): Promise<PayoutOutcome<CryptoPayout>> {
    const { currency, wallet, memo } = request;
    // No public source of the API has a parameter for a memo, and a payment without its memo is
    // lost.
    if (memo !== null) return payoutRejected('Plisio sends no memo');
    const units = sendableUnits(request.units, currency);
    if (units <= 0n) return payoutRejected('less than the network can express');
    const params = {
      // The SDKs' name for the currency, then the documentation's.
      psys_cid: currency,
      currency,
      type: 'cash_out',
      to: wallet,
      amount: unitsToDecimal(units),
      feePlan: 'normal',
    };
    const reply = await client.askOnce({ path: '/operations/withdraw', params, deadline });
    if (reply.outcome === 'rejected' || reply.outcome === 'missing') return payoutRejected(reply.reason);
    if (reply.outcome === 'unknown') return reply;
    const read = readRecord(reply.value);
    const payout = then(read, (found) => toPayout(found, { currency, wallet, units, createdAt: clock() }));
    const sent = then(payout, (found) => asRequestedPayout(found, request));
    if (sent.outcome === 'done') return sent;
    // It was carried out, so an answer that can't be used is no rejection; what it names is kept.
    const providerId = readOperationId(reply.value);
    return { outcome: 'unknown', reason: sent.reason, ...(providerId !== null && { providerId }) };
  }

  return {
    name,
    host,
    // No public source has a parameter for it (see sendPayout).
    sendsMemos: false,
    lostAfterMs: options.lostAfterMs,
    currencies: () =>
      measured('currencies', async (deadline) => then(await ask('/currencies/BRL', {}, deadline), readCurrencies)),
    createInvoice: (request) =>
      measured('createInvoice', (deadline) => createInvoice(request, deadline), request.orderNumber),
    findInvoice: (providerId) => measured('findInvoice', (deadline) => findInvoice(providerId, deadline)),
    findInvoiceByOrder: (orderNumber) =>
      measured('findInvoiceByOrder', (deadline) => findInvoiceByOrder(orderNumber, deadline), orderNumber),
    sendPayout: (request) => measured('sendPayout', (deadline) => sendPayout(request, deadline)),
    findPayout: (providerId, request) =>
      measured('findPayout', async (deadline) => {
        const found = then(await findOperation(providerId, deadline), (one) => (one ? toPayout(one) : done(null)));
        return then<CryptoPayout | null, CryptoPayout | null>(found, (payout) =>
          payout && request ? asRequestedPayout(payout, request) : done(payout),
        );
      }),
    findPayoutsLike: (request, since) =>
      measured('findPayoutsLike', (deadline) => {
        const params = { type: 'cash_out', currency: request.currency };
        return collectAlike((page) => listOperations(params, page, deadline), request, since);
      }),
    listOperations: (query) =>
      measured('listOperations', async (deadline) => {
        const params = query.currency === undefined ? {} : { currency: query.currency };
        const listed = then(await askPage(params, query.page + 1, deadline), readEntries);
        return then(listed, (entries) => done(toOperationsPage(entries, query)));
      }),
    balance: (currency) =>
      measured('balance', async (deadline) => then(await ask(`/balances/${currency}`, {}, deadline), readBalance)),
    parseCallback: (body) => parsePlisioCallback(body, apiKey),
    close: client.close,
  };
}

const done = <T>(value: T): Outcome<T> => ({ outcome: 'done', value });

function then<T, U>(result: Outcome<T>, next: (value: T) => Outcome<U>): Outcome<U> {
  return result.outcome === 'done' ? next(result.value) : result;
}

const payoutRejected = (reason: string): PayoutOutcome<never> => ({
  outcome: 'rejected',
  reason,
  failureCode: 'provider_refused',
});
