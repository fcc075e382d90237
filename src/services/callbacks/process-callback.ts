import { findCallback, finishCallback } from '#db/callbacks/callbacks.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { findByProviderId } from '#db/invoices/invoices.ts';
import { extendLease, type Task } from '#db/tasks/tasks.ts';
import { createGate } from '#domain/requests/gate.ts';
import { isUuid, txidToUuid } from '#domain/values/uuid.ts';
import type { CryptoRail, PixNotice, PixRail } from '#rails/ports.ts';
import { ownCredentialId } from '#rails/registry.ts';
import { inTimeOfSubject, inTimeOfTransaction } from '../accounts/on-test-clock.ts';
import { settleCharge } from '../charges/settle-charge.ts';
import type { Deps } from '../deps.ts';
import { settleInvoice } from '../invoices/settle-invoice.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { syncRefund } from '../refunds/run-refund.ts';
import { bookPayment } from '../unmatched/book-payment.ts';
import { syncPayout } from '../withdrawals/run-payout.ts';

/**
 * Callbacks of one rail over an account's own credentials that a worker processes at once. Its
 * address is no secret from the account, and each may name a thousand payments that the PSP is
 * asked about one by one: the worker's other places are for everybody else's.
 */
const OWN_AT_ONCE = 8;
/** After how long one that got no place is tried again. */
const BUSY_MS = 2_000;
/** One that gets no place does not wait for it: it would hold one of the worker's meanwhile. */
const ownCallbacks = createGate({ running: OWN_AT_ONCE, waiting: 0, waitMs: 0 });

/**
 * Processes a stored callback: asks the provider about whatever it names. A callback moves no money
 * itself, so duplicates, forgeries and any order are harmless. With a time: its rail has too many
 * under way, and nothing was done. Throws ProviderUnavailable when the provider can't say.
 */
export async function processCallback(deps: Deps, task: Task): Promise<'kept' | { dueAt: Date; attempts: 'keep' }> {
  const callback = await findCallback(deps.db.pool, task.subjectId);
  if (callback === null || ownCredentialId(callback.rail) === null) return processNow(deps, task, callback);
  const leave = await ownCallbacks.enter(callback.rail);
  if (!leave) return { dueAt: new Date(deps.clock().getTime() + BUSY_MS), attempts: 'keep' };
  try {
    return await processNow(deps, task, callback);
  } finally {
    leave();
  }
}

async function processNow(deps: Deps, task: Task, callback: { rail: string; body: string } | null): Promise<'kept'> {
  const callbackId = task.subjectId;
  const outcomes = callback
    ? await processBody(deps, task, { ...callback, body: openBody(deps, callbackId, callback) })
    : [];
  const outcome = outcomes.length > 0 ? outcomes.join(' ') : 'unreadable';
  if (outcome.includes('unknown_') || outcome === 'unreadable') {
    deps.log.warn({ callbackId, outcome }, 'A callback names nothing that we know.');
  }
  await finishCallback(deps.db.pool, { task, outcome, now: deps.clock() });
  return 'kept';
}

const openBody = ({ secretBox }: Deps, id: string, { body }: { body: string }): string =>
  secretBox.open(body, sealContext('inbound_callbacks.body', { id }));

async function processBody(deps: Deps, task: Task, { rail, body }: { rail: string; body: string }): Promise<string[]> {
  const pix = await deps.rails.pixNamed(rail);
  if (pix) return processPix(deps, task, pix, body);
  const crypto = await deps.rails.cryptoNamed(rail);
  return crypto ? processCrypto(deps, crypto, body) : [];
}

/**
 * A callback may name many payments: it stays claimed for each of them, and one that fails holds up
 * no other, for their own checks may be hours away. Throws the first failure.
 */
async function processPix(deps: Deps, task: Task, rail: PixRail, body: string): Promise<string[]> {
  const outcomes: string[] = [];
  const failures: unknown[] = [];
  for (const [at, notice] of (rail.parseCallback(body) ?? []).entries()) {
    if (at > 0 && !(await extendLease(deps.db.pool, task, deps.clock()))) {
      throw new ProviderUnavailable('Another worker processes the callback.');
    }
    try {
      outcomes.push(await processNotice(deps, rail, notice));
    } catch (error) {
      if (failures.push(error) === FAILURES_MAX) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return outcomes;
}

/** A PSP that does not answer costs 15 seconds each time. */
const FAILURES_MAX = 2;

async function processNotice(deps: Deps, rail: PixRail, notice: PixNotice): Promise<string> {
  if (notice.about === 'payment') {
    const id = notice.txid && txidToUuid(notice.txid);
    const named = { endToEndId: notice.endToEndId };
    const settled = id
      ? await settleCharge(await inTimeOfTransaction(deps, rail.name, id), id, {
          named,
        })
      : 'unknown_charge';
    return settled === 'unknown_charge' ? bookNotice(deps, rail, notice.endToEndId, settled) : settled;
  }
  if (notice.about === 'refund') {
    const id = txidToUuid(notice.refundId);
    const synced = id
      ? await syncRefund(await inTimeOfSubject(deps, rail.name, { kind: 'refund', subjectId: id }), id)
      : 'unknown_refund';
    if (synced === 'refund_has_failed') return bookNotice(deps, rail, notice.endToEndId, 'unchanged');
    return synced === 'unknown_refund' ? bookNotice(deps, rail, notice.endToEndId, synced) : synced;
  }
  const id = txidToUuid(notice.payoutId);
  return id ? syncPayout(await inTimeOfTransaction(deps, rail.name, id), id) : 'unknown_payout';
}

/**
 * Books what the PSP has and the books have not: a payment for none of our transactions, or a
 * refund that had failed here and was carried out. Returns `otherwise` where the PSP does not know
 * the payment.
 */
async function bookNotice(deps: Deps, rail: PixRail, endToEndId: string, otherwise: string): Promise<string> {
  const found = await rail.findPayment(endToEndId);
  if (found.outcome === 'unknown') throw new ProviderUnavailable(found.reason);
  return found.outcome === 'done' && found.value ? bookPayment(deps, rail, found.value) : otherwise;
}

async function processCrypto(deps: Deps, rail: CryptoRail, body: string): Promise<string[]> {
  const notice = rail.parseCallback(body);
  if (!notice) return [];
  const { orderNumber, providerId } = notice;
  if (orderNumber !== null && isUuid(orderNumber)) {
    const id = orderNumber.toLowerCase();
    return [await settleInvoice(await inTimeOfTransaction(deps, rail.name, id), id)];
  }
  const known = await findByProviderId(deps.db.pool, rail.name, providerId);
  if (!known) return ['unknown_invoice'];
  const { type, id } = known;
  return type === 'crypto_in'
    ? [await settleInvoice(await inTimeOfTransaction(deps, rail.name, id), id)]
    : [await syncPayout(await inTimeOfTransaction(deps, rail.name, id), id)];
}
