import type { PoolClient } from 'pg';
import { readSwitch } from '../switches.ts';
import { toOwnTime } from '../test-clocks.ts';
import { type Invoice, insertInvoice, insertPayment, type Payment } from './invoice-records.ts';
import { newId, secondsAfter } from './invoices.ts';
import { networkOf, newWallet } from './networks.ts';
import { insertPayout } from './payouts.ts';

/** Any time does: the invoice is paid when it is created. */
const LIFE_SECONDS = 60;

/** An invoice made at the processor's own pages does not have an order number of ours. */
const orderNumberOf = (id: string) => `painel-${id}`;

/**
 * Does what the switch `crypto.processor_acts` says when an invoice is paid, without a callback: an
 * invoice made in the processor's own application is paid the same amount, or that amount is sent
 * from there. Neither is of an order of ours, so they have the sandbox's own time, whatever the
 * invoice's clock says.
 */
export async function actAtProcessor(
  db: PoolClient,
  invoice: Invoice,
  { units, confirmedAt }: Payment,
  at: Date,
): Promise<void> {
  const act = await readSwitch(db, 'crypto.processor_acts');
  if (act === 'none') return;
  const now = toOwnTime(at);
  const { shopId, currency } = invoice;
  const id = newId(now);
  const txHash = networkOf(currency).newTxHash();
  if (act === 'send_elsewhere') {
    const { wallet } = newWallet(currency);
    await insertPayout(db, { id, shopId, currency, units, wallet, txHash, createdAt: now, completesAt: now });
    return;
  }
  await insertInvoice(db, {
    ...{ id, shopId, currency, units, ...newWallet(currency), createdAt: now, payments: [] },
    ...{ orderNumber: orderNumberOf(id), orderName: '', callbackUrl: null, expiresAt: secondsAfter(now, LIFE_SECONDS) },
  });
  await insertPayment(db, id, { txHash, units, seenAt: now, confirmedAt: confirmedAt && now });
}
