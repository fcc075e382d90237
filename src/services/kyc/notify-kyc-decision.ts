import { findCase } from '#db/kyc/kyc-decisions.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Tells a merchant's members what was decided. The task is written with the decision, so that it is
 * told whatever happens.
 */
export async function notifyKycDecision(deps: Deps, submissionId: string): Promise<void> {
  const decided = await findCase(deps.db, { id: submissionId });
  if (!decided || decided.decision === 'submitted') return;
  await notifyMembers(deps, decided.merchantId, 'verification_decided', 'verification_decided', {
    approved: decided.decision === 'approved',
    reason: decided.reason ?? '',
    path: '/live/verificacao',
  });
}
