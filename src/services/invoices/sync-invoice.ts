import { findInvoice } from '#db/invoices/invoices.ts';
import { nextInvoiceCheck } from '#domain/invoices/invoice-settlement.ts';
import type { Deps } from '../deps.ts';
import { settleInvoice } from './settle-invoice.ts';

/**
 * Checks an invoice, whose callbacks may never come; after its end, for late payments. Returns the
 * time of the next check, or null when there is none. Throws ProviderUnavailable when the processor
 * can't say, or when there is no quote for money that needs one.
 */
export async function syncInvoice(deps: Deps, id: string): Promise<Date | null> {
  await settleInvoice(deps, id);
  const invoice = await findInvoice(deps.db.pool, id);
  if (!invoice) return null;
  const { createdAt, expiresAt, status } = invoice;
  return nextInvoiceCheck({ createdAt, expiresAt, open: status === 'pending' }, deps.clock());
}
