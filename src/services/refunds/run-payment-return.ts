import { findPaymentReturn, finishPaymentReturn, notePaymentReturn } from '#db/refunds/payment-returns.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { nextPoll } from '../next-poll.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { rejectWhileUnanswered } from './reject-while-unanswered.ts';

/**
 * Sends a payment that was never credited back to its payer; returns the time of the next step, or
 * null when the return has ended. As with refunds, the devolução has our id, and API Pix executes
 * an id once. A payment whose return the PSP rejects waits for another decision. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function runPaymentReturn(deps: Deps, id: string): Promise<Date | null> {
  const asked = await findPaymentReturn(deps.db.pool, id);
  if (asked?.status !== 'pending') return null;
  const rail = await deps.rails.pixNamed(asked.rail);
  if (!rail) throw new ProviderUnavailable(`No rail named ${asked.rail} is configured.`);
  if (asked.sentAt === null) await notePaymentReturn(deps.db.pool, id, deps.clock());
  const answer = await rail.refundPayment({
    endToEndId: asked.endToEndId,
    refundId: uuidToTxid(id),
    amountCentavos: asked.centavos,
    description: null,
  });
  if (answer.outcome === 'unknown') throw new ProviderUnavailable(answer.reason);
  if (answer.outcome === 'rejected') {
    rejectWhileUnanswered(deps, asked, answer.reason);
    deps.log.error({ returnId: id, reason: answer.reason }, 'The PSP rejected the return of a payment.');
    return end(deps, id, false, null);
  }
  const { status, returnId } = answer.value;
  return status === 'processing'
    ? nextPoll(asked.createdAt, deps.clock())
    : end(deps, id, status === 'completed', returnId);
}

async function end(deps: Deps, id: string, done: boolean, returnId: string | null): Promise<null> {
  if (await finishPaymentReturn(deps.db.pool, { id, done, returnId, now: deps.clock() })) {
    if (done) deps.observe({ kind: 'ledger_posting', posting: 'payment_returned' });
    deps.wakeWorkers();
  }
  return null;
}
