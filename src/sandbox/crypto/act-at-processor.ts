import type { PoolClient } from 'pg';
import { readSwitch } from '../switches.ts';
import { type Invoice, insertInvoice, insertPayment, type Payment } from './invoice-records.ts';
import { newId, secondsAfter } from './invoices.ts';
import { networkOf, newWallet } from './networks.ts';
import { insertPayout } from './payouts.ts';

/** It is paid at once. */
const LIFE_SECONDS = 60;

/** What was made at the processor's own pages has no number of ours. */
const orderNumberOf = (id: string) => `painel-${id}`;

/**
 * Carries out what the switch `crypto.processor_acts` says when an invoice is paid, without a
 * callback: the same amount is paid to an invoice that was made in the processor's own application,
 * or is sent from there.
 */
export async function actAtProcessor(
  db: PoolClient,
  invoice: Invoice,
  { units, confirmedAt }: Payment,
  now: Date,
): Promise<void> {
  const act = await readSwitch(db, 'crypto.processor_acts');
  if (act === 'none') return;
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
  await insertPayment(db, id, { txHash, units, seenAt: now, confirmedAt });
}
