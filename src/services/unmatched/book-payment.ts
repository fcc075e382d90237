import { findCharge } from '#db/charges/charges.ts';
import { findDisputeOf } from '#db/disputes/list-disputes.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { findCreditedCharge, findKnownRefunds, recordForeignRefund } from '#db/refunds/foreign-refunds.ts';
import { findFirstSweep } from '#db/sweeps/sweeps.ts';
import { findKnownPayments, recordUnmatched } from '#db/unmatched/unmatched.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { toStorableText } from '#domain/values/storable-text.ts';
import { txidToUuid, uuidv7 } from '#domain/values/uuid.ts';
import type { PixPayment, PixPaymentRefund, PixRail } from '#rails/ports.ts';
import { inTimeOfTransaction } from '../accounts/on-test-clock.ts';
import { settleCharge } from '../charges/settle-charge.ts';
import type { Deps } from '../deps.ts';
import { BY_PSP } from '../disputes/by-psp.ts';
import { endDispute } from '../disputes/manage-disputes.ts';
import { findRailOwner } from '../providers/find-rail-owner.ts';
import { logExcess } from '../refunds/log-excess.ts';
import { refundEvent } from '../refunds/refund-event.ts';
import { isBeside } from './is-beside.ts';

/** How often a charge is read again that several processes decide about at once. */
const READS_MAX = 5;

/** A refund that was made at the bank has no texts of ours. */
const NO_TEXTS = { description: null, reference: null, metadata: null };

/**
 * Books a payment from its state at the PSP: credits its charge, puts a payment without a charge
 * into suspense, and books refunds that were made without a request of ours. Safe to call any
 * number of times, by any number of processes. Returns what was done, or `unchanged`. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function bookPayment(deps: Deps, rail: PixRail, payment: PixPayment): Promise<string> {
  const known = await findKnownPayments(deps.db.pool, rail.name, [payment.endToEndId]);
  const outcomes = known.has(payment.endToEndId) ? [] : [await findPlace(deps, rail, payment)];
  for (const refund of await findForeignRefunds(deps, rail.name, [payment])) {
    outcomes.push(await bookForeignRefund(deps, rail.name, payment, refund));
  }
  const changes = outcomes.filter((outcome) => outcome !== 'unchanged');
  if (changes.length > 0) deps.wakeWorkers();
  return changes.join(' ') || 'unchanged';
}

/** Filters a page of payments to those that may have to be booked. */
export async function findUnbooked(
  deps: Pick<Deps, 'db'>,
  rail: string,
  payments: readonly PixPayment[],
): Promise<PixPayment[]> {
  const known = await findKnownPayments(
    deps.db.pool,
    rail,
    payments.map(({ endToEndId }) => endToEndId),
  );
  const foreign = new Set(await findForeignRefunds(deps, rail, payments));
  return payments.filter(
    ({ endToEndId, refunds }) => !known.has(endToEndId) || refunds.some((refund) => foreign.has(refund)),
  );
}

/** Books a payment that is not in the books: to its charge, or into suspense without one. */
async function findPlace(deps: Deps, rail: PixRail, payment: PixPayment): Promise<string> {
  const id = payment.txid && txidToUuid(payment.txid);
  const charge = id ? await findCharge(deps.db.pool, id) : null;
  if (charge && (charge.rail === rail.name || (await isBeside(deps, rail.name, charge)))) {
    const own = await inTimeOfTransaction(deps, rail.name, charge.id);
    return settleCharge(own, charge.id, { listed: { payment, by: rail.name } });
  }
  return recordAsUnmatched(deps, rail.name, payment);
}

/**
 * Puts a payment without a charge into suspense, once, where it waits for a decision. Returns
 * `unmatched`, or `unchanged` when it is known or from before the first sweep.
 */
export async function recordAsUnmatched(
  deps: Deps,
  rail: string,
  payment: Omit<PixPayment, 'refunds'>,
): Promise<string> {
  const { pool } = deps.db;
  // A payment from before the first sweep of this rail is not the service's.
  const since = await findFirstSweep(pool, rail);
  if (since && payment.paidAt.getTime() < since.getTime() - SWEEP_PLAN.recent.lengthMs) return 'unchanged';
  const now = deps.clock();
  const id = uuidv7(now);
  const recorded = await recordUnmatched(pool, {
    id,
    rail,
    mode: isSandboxRail(rail) ? 'test' : 'live',
    accountId: await findRailOwner(deps, rail),
    endToEndId: payment.endToEndId,
    txid: payment.txid,
    centavos: payment.amountCentavos,
    paidAt: payment.paidAt,
    payerNote: payment.payerNote
      ? deps.secretBox.seal(toStorableText(payment.payerNote), sealContext('unmatched_payments.payer_note', { id }))
      : null,
    createdAt: now,
  });
  if (!recorded) return 'unchanged';
  deps.observe({ kind: 'ledger_posting', posting: 'unmatched' });
  deps.log.warn(
    { unmatchedId: id, rail, endToEndId: payment.endToEndId },
    'A payment is of no charge and waits for a decision.',
  );
  return 'unmatched';
}

/** Finds the completed devoluções that are not booked and were not requested by the service. */
async function findForeignRefunds(
  deps: Pick<Deps, 'db'>,
  rail: string,
  payments: readonly PixPayment[],
): Promise<PixPaymentRefund[]> {
  const done = payments.flatMap(({ endToEndId, refunds }) =>
    refunds
      .filter(({ completed }) => completed)
      .map((refund) => ({ endToEndId, refund, refundId: refund.refundId, ownId: txidToUuid(refund.refundId) })),
  );
  if (done.length === 0) return [];
  const known = await findKnownRefunds(deps.db.pool, rail, done);
  return done.filter(({ endToEndId, refundId }) => !known.has(`${endToEndId} ${refundId}`)).map(({ refund }) => refund);
}

async function bookForeignRefund(
  deps: Deps,
  rail: string,
  { endToEndId }: PixPayment,
  { refundId, returnId, amountCentavos: centavos, kind, at }: PixPaymentRefund,
): Promise<string> {
  const { pool } = deps.db;
  for (let read = 0; read < READS_MAX; read++) {
    const chargeId = await findCreditedCharge(pool, rail, endToEndId);
    const charge = chargeId === null ? null : await findCharge(pool, chargeId);
    const own = charge ? await inTimeOfTransaction(deps, rail, charge.id) : deps;
    if (charge && kind === 'med_return') await closeCase(own, charge.id);
    const now = own.clock();
    const id = uuidv7(now);
    const outcome = await recordForeignRefund(
      pool,
      { id, rail, endToEndId, refundId, returnId, kind, centavos, at },
      charge && { ...charge, ...refundEvent(own, charge, { ...NO_TEXTS, id, centavos, done: true, returnId }, now) },
      now,
    );
    if (outcome === 'changed') continue;
    if (outcome !== 'booked') return 'unchanged';
    deps.observe({ kind: 'ledger_posting', posting: 'foreign_refund' });
    deps.log.warn({ transactionId: chargeId, endToEndId, reason: kind }, 'A payment went back without a request.');
    if (charge) logExcess(deps, charge, centavos);
    return 'foreign_refund';
  }
  throw new Error(`Payment ${endToEndId} changes faster than its refund can be booked.`);
}

/**
 * Ends the case about a charge that goes back by the return mechanism although no decision was seen
 * yet: a merchant's system waits for the event of its end, before that of the devolução.
 */
async function closeCase(deps: Deps, chargeId: string): Promise<void> {
  const dispute = await findDisputeOf(deps.db.pool, chargeId);
  if (dispute?.state !== 'open' && dispute?.state !== 'answered') return;
  await endDispute(deps, { id: dispute.id, to: 'lost', by: BY_PSP });
}
