import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findDispute } from '#db/disputes/disputes.ts';
import { nextReminder } from '#domain/disputes/dispute-states.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Notifies a merchant's members of a case that waits for an answer: at its beginning, at half of
 * its time and shortly before its end. The task is written with the case and with each reminder, so
 * that no notification is lost. Test accounts get none: their money is not real.
 */
export async function notifyDispute(deps: Deps, id: string): Promise<void> {
  const dispute = await findDispute(deps.db.pool, id, null);
  const now = deps.clock();
  if (dispute?.state !== 'open' || now > dispute.answerBy) return;
  const terms = await findAccountTerms(deps.db.pool, dispute.accountId, now);
  if (terms?.mode !== 'live') return;
  const half = (dispute.openedAt.getTime() + dispute.answerBy.getTime()) / 2;
  const kind = now.getTime() < half ? 'dispute_opened' : 'dispute_due_soon';
  await notifyMembers(deps, {
    kind,
    merchantId: terms.merchantId,
    accountId: dispute.accountId,
    subjectId: id,
    // A reminder is identified by the time of the next one.
    occasion: kind === 'dispute_opened' ? '' : (nextReminder(dispute, now)?.toISOString() ?? 'last'),
    params: { reais: toBrl(dispute.centavos), answerBy: dispute.answerBy },
  });
}
