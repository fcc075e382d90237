import { applyDueTerms, areInForce, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findInvoice, type InvoiceRow, setInvoiceAddress, settleInvoiceRow } from '#db/invoices/invoices.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { creditMax, quoteEnd } from '#domain/invoices/invoice-pricing.ts';
import {
  type InvoiceState,
  type InvoiceStep,
  isFinal,
  isTakenBack,
  needsMarketPrice,
  nextInvoiceStep,
} from '#domain/invoices/invoice-settlement.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { canonicalWallet } from '#domain/withdrawals/wallet-address.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { CryptoInvoice } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { getQuote } from '../quotes/get-quote.ts';
import { invoiceEvent } from './invoice-event.ts';

/** Other processes change the same invoice at most a few times in a row. */
const TRIES_MAX = 5;

/**
 * Brings an invoice to its state at the processor: money that is seen is pending, money that is
 * final is credited or put to review; see nextInvoiceStep for the prices. Safe to call at any time,
 * any number of times, from any number of processes: an answer changes only an invoice that nobody
 * has changed since before it was asked for, so that an older answer never replaces a newer one.
 * Returns the new sub-status, or the status where there is none; `unchanged`, or `unknown_invoice`.
 * Throws ProviderUnavailable when the processor can't say, or when there is no quote for money that
 * needs one.
 */
export async function settleInvoice(deps: Deps, id: string): Promise<string> {
  let price: bigint | null = null;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await findInForce(deps, id);
    if (!found) return 'unknown_invoice';
    const { invoice, provider } = await askProvider(deps, found);
    const now = deps.clock();
    const state = stateOf(invoice);
    const needsPrice = needsMarketPrice(state, provider, now);
    if (needsPrice) price ??= await findMarketPrice(deps, invoice);
    const step = nextInvoiceStep(state, provider, price, now);
    if (isTakenBack(state, provider)) {
      deps.log.error(
        { transactionId: id, settledUnits: String(state.settledUnits), receivedUnits: String(provider?.receivedUnits) },
        'A processor took back a crypto payment that it had called final: no money was moved, an operator must look.',
      );
    }
    const isWaiting = needsPrice && price === null && isFinal(provider);
    if (step && !(await take(deps, { invoice, step, provider, now }))) continue;
    if (isWaiting)
      throw new ProviderUnavailable('There is no quote for a payment that was late, too much, or a second one.');
    return step ? (step.subStatus ?? step.status) : 'unchanged';
  }
  throw new Error(`Invoice ${id} changed under our hands ${TRIES_MAX} times.`);
}

/** The invoice with the terms that its account has now. */
async function findInForce(deps: Deps, id: string): Promise<InvoiceRow | null> {
  const invoice = await findInvoice(deps.db.pool, id);
  const now = deps.clock();
  if (!invoice || areInForce(invoice, now)) return invoice;
  await applyDueTerms(deps.db.pool, invoice.accountId, now);
  return findInvoice(deps.db.pool, id);
}

async function take(
  deps: Deps,
  change: { invoice: InvoiceRow; step: InvoiceStep; provider: CryptoInvoice | null; now: Date },
): Promise<boolean> {
  const { invoice, step, provider, now } = change;
  // The first payment's time, which the row keeps, too.
  const paidAt = step.status === 'completed' ? (invoice.paidAt ?? now) : null;
  const event =
    step.event === null
      ? null
      : invoiceEvent(deps, invoice, { status: step.status, event: step.event, step, paidAt, now });
  const settled = await settleInvoiceRow(deps.db.pool, {
    invoice,
    step,
    confirmationsNeeded: provider?.confirmationsNeeded ?? null,
    txHashes: provider?.txHashes ?? [],
    paidAt,
    now,
    event,
  });
  if (!settled) return false;
  deps.observe({ kind: 'ledger_posting', posting: 'crypto_received' });
  for (const { units, price, reviewedCentavos } of step.increments) {
    if (reviewedCentavos === 0n) continue;
    deps.observe({ kind: 'ledger_posting', posting: 'suspense' });
    deps.log.error(
      {
        transactionId: invoice.id,
        units: String(units),
        price: String(price),
        reviewedCentavos: String(reviewedCentavos),
      },
      'A crypto payment would credit more than its invoice may: the rest waits for review.',
    );
  }
  deps.wakeWorkers();
  return true;
}

/** The account's current quote, in 10^-8 BRL for a coin; null where there is none. */
async function findMarketPrice(deps: Deps, { accountId, currency }: InvoiceRow): Promise<bigint | null> {
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms || !isCurrencyCode(currency)) return null;
  try {
    return (await getQuote(deps, terms, currency, 'in')).price;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'quote_unavailable') return null;
    throw error;
  }
}

/** An invoice as the rules of its settlement take it. */
export const stateOf = (invoice: InvoiceRow): InvoiceState => ({
  ...invoice,
  fee: { bps: invoice.feeBps, fixedCentavos: invoice.feeFixedCentavos },
  creditMaxCentavos: creditMax(invoice.amountCentavos, invoice.depositMaxCentavos),
});

/** What the processor says of an invoice, and the invoice, with its address if it had none yet. */
async function askProvider(
  deps: Deps,
  invoice: InvoiceRow,
): Promise<{ invoice: InvoiceRow; provider: CryptoInvoice | null }> {
  const rail = await deps.rails.cryptoNamed(invoice.rail);
  if (!rail) throw new ProviderUnavailable(`No rail named ${invoice.rail} is configured.`);
  const { id, providerId } = invoice;
  const found = await aboutTransaction(id, () =>
    providerId === null ? rail.findInvoiceByOrder(id) : rail.findInvoice(providerId),
  );
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  const provider = found.value;
  // Before its address is shown: what is paid to it would be of another coin.
  if (provider && provider.currency !== invoice.currency) {
    throw new ProviderUnavailable('the processor speaks of another currency than the invoice’s');
  }
  if (!provider || invoice.providerId !== null) return { invoice, provider };
  const { memo, pageUrl: providerUrl, confirmationsNeeded } = provider;
  const expiresAt = quoteEnd(invoice.expiresAt, provider.expiresAt);
  const wallet = canonicalWallet(provider.wallet, provider.currency);
  const address = { providerId: provider.providerId, wallet, memo, expiresAt };
  await setInvoiceAddress(deps.db.pool, id, { ...address, providerUrl, confirmationsNeeded });
  return { invoice: { ...invoice, ...address }, provider };
}
