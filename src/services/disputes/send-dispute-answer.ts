import { findCharge } from '#db/charges/charges.ts';
import { type DisputeRow, findDispute } from '#db/disputes/disputes.ts';
import { claimAnswer, noteAnswer } from '#db/disputes/disputes-at-psp.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { toStorableText } from '#domain/values/storable-text.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { PixDisputeRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { BY_PSP } from './by-psp.ts';

/** A call takes 15 seconds at most; before that another worker's call may be in progress. */
const IN_FLIGHT_MS = 20_000;

/**
 * Sends a merchant's answer to the PSP, once, and notes the outcome. After a call without a
 * reply the PSP is asked about the case before the answer is sent again. An answer that the PSP
 * rejects, or that could not be sent before the case's deadline, is noted on the case, in the audit
 * and in the log. Throws ProviderUnavailable when the PSP can't say yet.
 */
export async function sendDisputeAnswer(deps: Deps, id: string): Promise<void> {
  const dispute = await findDispute(deps.db.pool, id, null);
  if (!dispute?.answer || dispute.providerId === null || dispute.answerSentAt || dispute.answerRejection) return;
  const charge = await findCharge(deps.db.pool, dispute.transactionId);
  const disputes = charge && (await deps.rails.pixNamed(charge.rail))?.disputes;
  const { providerId, answer } = dispute;
  const at = await findAnswer(deps, dispute, providerId, disputes ?? null);
  if (at === 'sent') await note(deps, dispute, null);
  else if (at === 'decided') await note(deps, dispute, 'the case was decided without it');
  else if (deps.clock() > dispute.answerBy) await note(deps, dispute, 'the PSP was not reached in time');
  else if (at === 'unsent' && disputes) await send(deps, { ...dispute, providerId, answer }, disputes);
  else throw new ProviderUnavailable('The PSP does not say whether it has the answer to a dispute.');
}

type Answered = DisputeRow & { providerId: string; answer: NonNullable<DisputeRow['answer']> };

/** Where the answer is; `unknown`: the PSP does not say whether an earlier call has reached it. */
async function findAnswer(
  { clock }: Pick<Deps, 'clock'>,
  { answerAskedAt }: DisputeRow,
  providerId: string,
  disputes: PixDisputeRail | null,
): Promise<'unsent' | 'sent' | 'decided' | 'unknown'> {
  if (!disputes) return 'unknown';
  if (answerAskedAt === null) return 'unsent';
  if (clock().getTime() - answerAskedAt.getTime() < IN_FLIGHT_MS) return 'unknown';
  const found = await disputes.findDispute(providerId);
  if (found.outcome !== 'done') return 'unknown';
  const { status = null, answeredAt = null } = found.value ?? {};
  if (status === 'answered' || answeredAt !== null) return 'sent';
  return status === 'lost' || status === 'won' || status === 'cancelled' ? 'decided' : 'unsent';
}

async function send(deps: Deps, dispute: Answered, disputes: PixDisputeRail): Promise<void> {
  const { id, transactionId, providerId, answer, answerText, answerAskedAt } = dispute;
  const now = deps.clock();
  // False: another worker has claimed it since, or its outcome is noted already.
  if (!(await claimAnswer(deps.db.pool, { id, askedAt: answerAskedAt, now }))) {
    throw new ProviderUnavailable('Another worker sends the answer to a dispute.');
  }
  const text = answerText && deps.secretBox.open(answerText, sealContext('disputes.answer_text', { id }));
  // Only this call is recorded with the transaction: lists of cases are about other payments, too.
  const sent = await aboutTransaction(transactionId, () => disputes.answerDispute({ providerId, answer, text }));
  if (sent.outcome === 'unknown') throw new ProviderUnavailable(sent.reason);
  // An answer that is not from an earlier call of ours was given in the PSP's own application.
  const isForeign = sent.outcome === 'done' && sent.value === 'has_one' && answerAskedAt === null;
  if (sent.outcome === 'rejected') await note(deps, dispute, toStorableText(sent.reason));
  else await note(deps, dispute, isForeign ? 'the case has an answer already, which was given at the PSP' : null);
}

async function note(deps: Deps, { id, transactionId }: DisputeRow, rejection: string | null): Promise<void> {
  const noted = await noteAnswer(deps.db.pool, { id, rejection, by: BY_PSP, now: deps.clock() });
  if (!noted) return;
  const fields = { disputeId: id, transactionId };
  if (rejection === null) deps.log.info(fields, 'The PSP has the answer to a dispute.');
  else deps.log.error({ ...fields, reason: rejection }, 'The PSP did not take the answer to a dispute.');
}
