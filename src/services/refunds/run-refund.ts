import { findCharge } from '#db/charges/charges.ts';
import { failBlockedRefund, findRefund, finishRefund, type RefundRow, startRefund } from '#db/refunds/refunds.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { PixRefund } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { nextPoll } from '../next-poll.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { logExcess } from './log-excess.ts';
import { refundEvent } from './refund-event.ts';
import { openRefund } from './refund-texts.ts';
import { rejectWhileUnanswered } from './reject-while-unanswered.ts';

/**
 * Takes the next step of a refund; returns the time of the following one, or null when the refund
 * has ended. A devolução has our id and API Pix executes an id once, so sending the request again
 * returns its outcome. A refund that was never sent fails once its account is suspended or its
 * merchant rejected, and the money goes back to the account. Throws ProviderUnavailable when the
 * PSP can't say.
 */
export async function runRefund(deps: Deps, id: string): Promise<Date | null> {
  const refund = await findRefund(deps.db.pool, id);
  if (refund?.status !== 'pending') return null;
  const { rail, endToEndId } = await railOf(deps, refund);
  const claim = await startRefund(deps.db.pool, id, deps.clock());
  if (claim === 'finished') return null;
  if (claim === 'blocked')
    return (await failBlocked(deps, refund)) ? null : nextPoll(refund.sentAt ?? refund.createdAt, deps.clock());
  const request = {
    endToEndId,
    refundId: uuidToTxid(id),
    amountCentavos: refund.centavos,
    description: openRefund(deps, refund).description,
  };
  const answer = await aboutTransaction(refund.transactionId, () => rail.refundPayment(request));
  if (answer.outcome === 'unknown') throw new ProviderUnavailable(answer.reason);
  if (answer.outcome === 'rejected') {
    rejectWhileUnanswered(deps, refund, answer.reason);
    deps.log.warn({ refundId: id, reason: answer.reason }, 'The PSP rejected a refund.');
    await finish(deps, refund, false, null);
    return null;
  }
  return (await settle(deps, refund, answer.value)) ? null : nextPoll(refund.sentAt ?? refund.createdAt, deps.clock());
}

/**
 * Queries a refund at the PSP after a callback about it. Returns the outcome for the callback's
 * record; `refund_has_failed`: the refund failed before, and the PSP may have carried it out since.
 * A refund of another amount under its id is not its outcome: runRefund() ends it. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function syncRefund(deps: Deps, id: string): Promise<string> {
  const refund = await findRefund(deps.db.pool, id);
  if (!refund) return 'unknown_refund';
  if (refund.status === 'failed') return 'refund_has_failed';
  if (refund.status !== 'pending' || refund.sentAt === null) return 'unchanged';
  const { rail, endToEndId } = await railOf(deps, refund);
  const found = await aboutTransaction(refund.transactionId, () => rail.findRefund(endToEndId, uuidToTxid(id)));
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  if (found.value === null || found.value.amountCentavos !== refund.centavos) return 'unchanged';
  return (await settle(deps, refund, found.value)) ? `refund_${found.value.status}` : 'unchanged';
}

async function railOf(deps: Deps, refund: RefundRow) {
  const charge = await findCharge(deps.db.pool, refund.transactionId);
  if (!charge?.endToEndId) throw new Error(`Refund ${refund.id} is of a charge without a payment.`);
  const rail = await deps.rails.pixNamed(charge.rail);
  if (!rail) throw new ProviderUnavailable(`No rail named ${charge.rail} is configured.`);
  return { rail, endToEndId: charge.endToEndId };
}

/** Whether the refund has ended. */
async function settle(deps: Deps, refund: RefundRow, seen: PixRefund): Promise<boolean> {
  if (seen.status === 'processing') return false;
  await finish(deps, refund, seen.status === 'completed', seen.returnId);
  return true;
}

async function finish(deps: Deps, refund: RefundRow, done: boolean, returnId: string | null): Promise<void> {
  const ended = await withFigures(deps, refund, { done, returnId }, (end) =>
    finishRefund(deps.db.pool, { ...end, done, returnId }),
  );
  if (ended) finished(deps, done);
}

/** False: it was started meanwhile, or may be started again. */
async function failBlocked(deps: Deps, refund: RefundRow): Promise<boolean> {
  const nothing = { done: false, returnId: null };
  if (!(await withFigures(deps, refund, nothing, (end) => failBlockedRefund(deps.db.pool, end)))) return false;
  deps.log.warn({ refundId: refund.id }, 'A refund has failed: no money may leave its account.');
  finished(deps, false);
  return true;
}

function finished(deps: Deps, done: boolean): void {
  deps.observe({ kind: 'ledger_posting', posting: done ? 'refund_completed' : 'refund_failed' });
  deps.wakeWorkers();
}

/**
 * Ends a refund with an event that has the charge's figures: where another refund of the charge
 * ends meanwhile, they are read again.
 */
async function withFigures(
  deps: Deps,
  refund: RefundRow,
  outcome: { done: boolean; returnId: string | null },
  end: (end: Parameters<typeof failBlockedRefund>[1]) => Promise<boolean | null>,
): Promise<boolean> {
  const charge = await findCharge(deps.db.pool, refund.transactionId);
  if (!charge) throw new Error(`Refund ${refund.id} has no charge.`);
  const event = refundEvent(deps, charge, { ...refund, ...outcome }, deps.clock());
  const ended = await end({ id: refund.id, refundedCentavos: charge.refundedCentavos, ...event });
  if (ended && outcome.done) logExcess(deps, charge, refund.centavos);
  return ended ?? withFigures(deps, refund, outcome, end);
}
