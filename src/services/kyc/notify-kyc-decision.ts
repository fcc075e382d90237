import { findCase } from '#db/kyc/kyc-decisions.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Notifies a merchant's members of the decision on a submission. The task that calls this is
 * written with the decision, so that the notification can't get lost.
 */
export async function notifyKycDecision(deps: Deps, submissionId: string): Promise<void> {
  const decided = await findCase(deps.db, { id: submissionId });
  if (!decided || decided.decision === 'submitted') return;
  await notifyMembers(deps, {
    kind: 'verification_decided',
    merchantId: decided.merchantId,
    subjectId: submissionId,
    occasion: decided.decision,
    params: { approved: decided.decision === 'approved', reason: decided.reason ?? '' },
  });
}
