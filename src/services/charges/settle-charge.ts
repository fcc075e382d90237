import type { EntryWithoutNotices } from '#db/audit/audit.ts';
import { type ChargeRow, findCharge } from '#db/charges/charges.ts';
import { closeCharge, payCharge, reviewCharge } from '#db/ledger/ledger.ts';
import { findKnownPayments } from '#db/unmatched/unmatched.ts';
import { nextSettlementStep, type ReceivedPayment, type SettlementStep } from '#domain/charges/charge-settlement.ts';
import { mayBecome } from '#domain/transactions/transaction-states.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { chargeEvent, splitEvent } from './charge-event.ts';
import { expediteSplitEvent } from './expedite-split-event.ts';

/** The outcome of a sync: the last step that was taken, or `unchanged` for none. */
export type Settlement = 'paid' | 'review' | 'expired' | 'cancelled' | 'unchanged' | 'unknown_charge';

/** A charge with more payments than this is processed over several syncs. */
const STEPS_MAX = 20;

/**
 * Brings a charge to its state at the PSP: asks the PSP, then credits, puts to review, or closes.
 * Safe to call at any time, any number of times, from any number of processes. A payment that is in
 * the books without this charge stays as it was booked, and holds up no other. `named` is the
 * payment that a callback named, requested by its own id when the PSP's charge does not list it.
 * `listed` is a payment that `by`, the charge's rail or one beside it, lists with the charge's
 * txid: it counts also when the PSP's charge does not list it. `audit` is the entry of who cancels
 * it, written where this call closes it as cancelled. `neverCreated`: a charge that the PSP does
 * not know is closed as cancelled. Throws ProviderUnavailable when the PSP can't say.
 */
export async function settleCharge(
  deps: Deps,
  id: string,
  {
    audit = null,
    neverCreated = false,
    ...known
  }: Known & { audit?: EntryWithoutNotices | null; neverCreated?: boolean } = {},
): Promise<Settlement> {
  let charge = await findCharge(deps.db.pool, id);
  if (!charge) return 'unknown_charge';
  const asked = await askProvider(deps, charge, known);
  if (asked?.status === null) {
    deps.log.warn({ transactionId: id, rail: charge.rail }, 'A PSP’s answer about a charge can be read in part only.');
  }
  const provider = asked ?? (neverCreated ? { status: 'cancelled' as const, payments: [] } : null);

  let last: Settlement = 'unchanged';
  const elsewhere: string[] = [];
  for (let taken = 0; charge && taken < STEPS_MAX; taken++) {
    const now = deps.clock();
    const { rail } = charge;
    const booked = new Set([...charge.reviewedPayments, ...elsewhere]);
    const step = nextSettlementStep(charge, provider, booked, now);
    if (!step) break;
    const before = await take(deps, charge, { step, now, audit }).catch(async (error: unknown) => {
      if (step.step === 'close' || !(await isBookedElsewhere(deps, { id, rail }, step.payment))) throw error;
      elsewhere.push(step.payment.endToEndId);
      return null;
    });
    const isTaken = before === charge.status;
    if (isTaken) last = nameOf(step);
    // Most charges have one payment, after which nothing is left to do.
    if (isTaken && step.step === 'pay' && provider?.payments.length === 1) break;
    // A status that changed meanwhile means that another process took a step: it is read again.
    charge = await findCharge(deps.db.pool, id);
  }
  if (last !== 'unchanged') deps.wakeWorkers();
  return last;
}

/** What is known of a charge's payments before the PSP is asked about it. */
type Known = { named?: { endToEndId: string } | undefined; listed?: { payment: ReceivedPayment; by: string } };

async function askProvider(deps: Deps, charge: ChargeRow, { named, listed }: Known) {
  const provider = await findAtProvider(deps, charge, named).catch((error: unknown) => {
    // Its own credentials may be revoked: those beside them say enough.
    if (listed && listed.by !== charge.rail && error instanceof ProviderUnavailable) return null;
    throw error;
  });
  if (!listed || provider?.payments.some(({ endToEndId }) => endToEndId === listed.payment.endToEndId)) return provider;
  return { status: provider?.status ?? ('paid' as const), payments: [...(provider?.payments ?? []), listed.payment] };
}

async function findAtProvider(deps: Deps, charge: ChargeRow, named: Known['named']) {
  const rail = await deps.rails.pixNamed(charge.rail);
  if (!rail) throw new ProviderUnavailable(`No rail named ${charge.rail} is configured.`);
  const found = await rail.findCharge(uuidToTxid(charge.id));
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  const provider = found.value;
  if (!provider || !named || isKnown(charge, provider.payments, named.endToEndId)) return provider;
  // The charge may be slower than the callback, and some PSPs leave the list of payments out: the
  // callback's own id leads to the payment.
  const asked = await aboutTransaction(charge.id, () => rail.findPayment(named.endToEndId));
  if (asked.outcome === 'unknown') throw new ProviderUnavailable(asked.reason);
  const payment = asked.outcome === 'done' ? asked.value : null;
  return payment?.txid === provider.txid ? { ...provider, payments: [...provider.payments, payment] } : provider;
}

const isKnown = (charge: ChargeRow, listed: readonly ReceivedPayment[], endToEndId: string): boolean =>
  charge.endToEndId === endToEndId ||
  charge.reviewedPayments.includes(endToEndId) ||
  listed.some((payment) => payment.endToEndId === endToEndId);

/**
 * Whether a payment waits without a charge, was decided about, or is that of another charge: the
 * database does not book it a second time.
 */
async function isBookedElsewhere(
  deps: Deps,
  { id, rail }: Pick<ChargeRow, 'id' | 'rail'>,
  { endToEndId }: ReceivedPayment,
): Promise<boolean> {
  const { pool } = deps.db;
  if (!(await findKnownPayments(pool, rail, [endToEndId])).has(endToEndId)) return false;
  const charge = await findCharge(pool, id);
  if (!charge || charge.endToEndId === endToEndId || charge.reviewedPayments.includes(endToEndId)) return false;
  deps.log.warn({ transactionId: id, endToEndId }, 'A charge names a payment that is booked without it.');
  return true;
}

type Taken = { step: SettlementStep; now: Date; audit: EntryWithoutNotices | null };

async function take(deps: Deps, charge: ChargeRow, { step, now, audit }: Taken) {
  const { id, status: from } = charge;
  const db = deps.db.pool;
  if (step.step === 'close') {
    const event = chargeEvent(deps, charge, { status: step.as, now });
    return closeCharge(db, { id, from, to: step.as, now, ...event }, step.as === 'cancelled' ? audit : null);
  }
  const { endToEndId, paidAt, amountCentavos } = step.payment;
  if (step.step === 'pay') {
    const event = chargeEvent(deps, charge, { status: 'paid', endToEndId, paidAt, now });
    const split = splitEvent(deps, charge, now);
    const before = await payCharge(db, { id, from, endToEndId, paidAt, now, split, ...event });
    if (before !== from) return before;
    deps.observe({ kind: 'ledger_posting', posting: 'charge_paid' });
    if (split) await expediteSplitEvent(deps, { ...split, at: now });
    return before;
  }
  // A paid charge stays paid when it is paid a second time: only the second payment waits.
  const status = mayBecome(from, 'review') ? 'review' : from;
  const event = chargeEvent(deps, charge, { status, review: step, now });
  const before = await reviewCharge(db, {
    id,
    from,
    endToEndId,
    receivedCentavos: amountCentavos,
    paidAt,
    reason: step.reason,
    reviewId: uuidv7(now),
    now,
    ...event,
  });
  if (before !== from) return before;
  deps.observe({ kind: 'ledger_posting', posting: 'suspense' });
  deps.log.error(
    { transactionId: id, endToEndId, reason: step.reason },
    'A payment was not credited and waits for review.',
  );
  return before;
}

const nameOf = (step: SettlementStep): Settlement =>
  step.step === 'close' ? step.as : step.step === 'pay' ? 'paid' : 'review';
