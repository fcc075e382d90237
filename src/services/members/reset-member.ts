import { findMemberBy, takeSecondFactors } from '#db/members/members.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import { endOfPause } from '../sign-in/pause-withdrawals.ts';
import { notifyChange } from './notify-change.ts';
import type { NotifyDeps } from './notify-members.ts';

/**
 * Takes the authenticator, the recovery codes and the passkeys from a person who has lost them,
 * ends their sessions, and pauses what they may send for a day. They sign in by the password alone
 * then. The audit of each of their merchants says so, with the reason, and all members are
 * notified. Returns false when they have no second factor; null: nobody signs in with this address.
 */
export async function resetMember(
  deps: NotifyDeps & AsOperator,
  { email, reason }: { email: string; reason: string },
): Promise<boolean | null> {
  const member = await findMemberBy(deps.db, { email });
  if (!member) return null;
  const { memberId, merchantIds } = member;
  const now = deps.clock();
  const audit = merchantIds.map((merchantId) =>
    operatorEntry(deps, { merchantId, accountId: null }, 'member.reset', { subject: email, reason }),
  );
  if (!(await takeSecondFactors(deps.db, { memberId, until: endOfPause(now), now }, audit))) return false;
  for (const merchantId of merchantIds)
    await notifyChange(deps, { merchantId, what: 'second_factor_reset', about: email, by: null, origin: null });
  return true;
}
