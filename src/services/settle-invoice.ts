import { findInvoice, type InvoiceRow, setInvoiceAddress, settleInvoiceRow } from '#db/invoices.ts';
import { nextInvoiceStep } from '#domain/invoice-settlement.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { CryptoInvoice } from '#rails/ports.ts';
import type { Deps } from './deps.ts';
import { invoiceEvent } from './invoice-event.ts';
import { ProviderSilent } from './provider-silent.ts';

/** Another process that works on the same invoice is met at most a few times in a row. */
const TRIES_MAX = 5;

/**
 * Brings an invoice to where its processor says it is: what is seen goes to pending, what is final is credited at the invoice's quote.
 * Safe to call at any time, any number of times, from any number of processes. Throws ProviderSilent when the processor can't say.
 */
export async function settleInvoice(deps: Deps, id: string): Promise<string> {
  let invoice = await findInvoice(deps.db.pool, id);
  if (!invoice) return 'unknown_invoice';
  const provider = await askProvider(deps, invoice);
  for (let tries = 0; invoice && tries < TRIES_MAX; tries++) {
    const now = deps.clock();
    const fee = { bps: invoice.feeBps, fixedCentavos: invoice.feeFixedCentavos };
    const step = nextInvoiceStep({ ...invoice, fee }, provider, now);
    if (!step) return 'unchanged';
    const paidAt = step.status === 'completed' ? now : null;
    const event =
      step.event === null ? null : invoiceEvent(invoice, { status: step.status, event: step.event, step, paidAt, now });
    const settled = await settleInvoiceRow(deps.db.pool, {
      invoice,
      step,
      confirmationsNeeded: provider?.confirmationsNeeded ?? null,
      txHashes: provider?.txHashes ?? [],
      paidAt,
      now,
      event,
    });
    if (settled) {
      deps.observe({ kind: 'ledger_posting', posting: 'crypto_received' });
      deps.wakeWorkers();
      return step.subStatus ?? step.status;
    }
    invoice = await findInvoice(deps.db.pool, id);
  }
  throw new Error(`Invoice ${id} changed under our hands ${TRIES_MAX} times.`);
}

async function askProvider(deps: Deps, invoice: InvoiceRow): Promise<CryptoInvoice | null> {
  const rail = await deps.rails.cryptoNamed(invoice.rail);
  if (!rail) throw new ProviderSilent(`No rail named ${invoice.rail} is configured.`);
  const { id, providerId } = invoice;
  const found = await aboutTransaction(id, () =>
    providerId === null ? rail.findInvoiceByOrder(id) : rail.findInvoice(providerId),
  );
  if (found.outcome !== 'done') throw new ProviderSilent(found.reason);
  const provider = found.value;
  if (provider && invoice.providerId === null) {
    const { providerId, pageUrl, wallet, memo, confirmationsNeeded, expiresAt } = provider;
    const address = { providerId, providerUrl: pageUrl, wallet, memo, confirmationsNeeded, expiresAt };
    await setInvoiceAddress(deps.db.pool, invoice.id, address);
  }
  if (provider && provider.currency !== invoice.currency) {
    throw new ProviderSilent('the processor speaks of another currency than the invoice’s');
  }
  return provider;
}
