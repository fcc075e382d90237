/** The processor's callbacks to a shop about an invoice, by the switch `crypto.callback`. */
import { createHmac } from 'node:crypto';
import type { PoolClient } from 'pg';
import { MAX_ATTEMPTS } from '../callback-sender.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { readSwitch } from '../switches.ts';
import { toOwnTime } from '../test-clocks.ts';
import type { Invoice } from './invoice-records.ts';
import { newId, secondsAfter } from './invoices.ts';
import { presentCallback } from './presentation.ts';
import { findShop } from './shops.ts';

/** The true callback waits until the forged one is done, but not longer than this. */
const HOLD_SECONDS = 10;

/**
 * Writes the callbacks about the current state of `invoice`, in the transaction that has changed
 * it. Writes none for an invoice without a callback URL, or of an unknown shop.
 */
export async function planInvoiceCallbacks(
  db: PoolClient,
  options: SandboxOptions,
  invoice: Invoice,
  now: Date,
): Promise<void> {
  const shop = findShop(options, invoice.shopId);
  const mode = await readSwitch(db, 'crypto.callback');
  if (!shop || invoice.callbackUrl === null || mode === 'never') return;
  const fields = presentCallback(invoice, now, options.merchantName);
  const body = signed(fields, shop.apiKey);

  let forgedId: string | null = null;
  if (mode === 'forged') {
    const lie = { ...fields, ...(await unpaidOrder(db, invoice, now)), status: 'completed' };
    forgedId = await insertCallback(db, invoice.callbackUrl, {
      body: signed(lie, `${shop.apiKey}?`),
      dueAt: now,
      waitsFor: null,
      // A forgery is not repeated.
      maxAttempts: 1,
    });
  }
  const dueAt = forgedId === null ? now : secondsAfter(now, HOLD_SECONDS);
  const callback = { body, dueAt, waitsFor: forgedId, maxAttempts: MAX_ATTEMPTS };
  await insertCallback(db, invoice.callbackUrl, callback);
  if (mode === 'twice') await insertCallback(db, invoice.callbackUrl, callback);
}

/**
 * Returns the JSON of a callback with its verify_hash: HMAC-SHA1 with the shop's key over the JSON
 * of the other fields, sorted by name (Plisio/nodejs-api-client, ResponseValidator).
 */
export function signed(fields: Record<string, string>, apiKey: string): string {
  const sorted = Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
  const verify_hash = createHmac('sha1', apiKey).update(JSON.stringify(sorted)).digest('hex');
  return JSON.stringify({ ...sorted, verify_hash });
}

/** The shop's newest unpaid invoice; without one, an invoice that does not exist. */
async function unpaidOrder(db: PoolClient, { id, shopId, orderNumber }: Invoice, now: Date) {
  const { rows } = await db.query<{ txn_id: string; order_number: string }>(
    `SELECT id AS txn_id, order_number FROM sandbox.crypto_invoices invoice
     WHERE shop_id = $1 AND id <> $2
       AND NOT EXISTS (SELECT 1 FROM sandbox.crypto_payments payment WHERE payment.invoice_id = invoice.id)
     ORDER BY created_at DESC LIMIT 1`,
    [shopId, id],
  );
  return rows[0] ?? { txn_id: newId(now), order_number: orderNumber };
}

async function insertCallback(
  db: PoolClient,
  url: string,
  plan: { body: string; dueAt: Date; waitsFor: string | null; maxAttempts: number },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO sandbox.callbacks (url, body, due_at, max_attempts, dropped_tries, waits_for, awaits_next)
     VALUES ($1, $2, $3, $4, 0, $5, false) RETURNING id`,
    [url, plan.body, toOwnTime(plan.dueAt), plan.maxAttempts, plan.waitsFor],
  );
  return (rows[0] as { id: string }).id;
}
