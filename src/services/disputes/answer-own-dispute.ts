import type { DecidedBy } from '#db/connection/ask-decision.ts';
import type { DisputeAnswer } from '#domain/disputes/dispute-states.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Origin, Principal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { getDispute, type OwnDispute } from './get-dispute.ts';
import { giveAnswer } from './manage-disputes.ts';

/**
 * Gives a merchant's answer to a case of this account, which takes one, and returns the case with
 * it. `resumed`: an attempt before this one may have given it. Errors: dispute_not_found,
 * dispute_answered, dispute_closed, dispute_too_late.
 */
export async function answerOwnDispute(
  deps: Pick<Deps, 'db' | 'clock' | 'testClock' | 'secretBox' | 'wakeWorkers'>,
  who: { principal: Principal; origin: Origin },
  given: { id: string; answer: DisputeAnswer; text: string | null; resumed?: boolean | undefined },
): Promise<OwnDispute> {
  const { accountId } = who.principal;
  const { id } = await getDispute(deps, accountId, given.id);
  const text = given.text?.trim() || null;
  const outcome = await giveAnswer(deps, { id, answer: given.answer, text, accountId, by: decidedBy(who) });
  const dispute = await getDispute(deps, accountId, id);
  if (outcome === 'answered') return dispute;
  if (given.resumed && dispute.answer === given.answer && dispute.answerText === text) return dispute;
  if (outcome === 'too_late') throw new DomainError('dispute_too_late');
  throw new DomainError(dispute.state === 'answered' ? 'dispute_answered' : 'dispute_closed');
}

function decidedBy({ principal: { actor }, origin }: { principal: Principal; origin: Origin }): DecidedBy {
  return actor.kind === 'member'
    ? { name: actor.name, memberId: actor.memberId, ...origin }
    : { name: 'API', memberId: null, keyId: actor.keyId, ...origin };
}
