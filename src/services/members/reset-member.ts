import type { AuditEntry } from '#db/audit/audit.ts';
import { findMemberBy, takeSecondFactors } from '#db/members/members.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import { endOfPause } from '../sign-in/pause-withdrawals.ts';
import { prepareChangeNotices } from './notify-change.ts';
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
  // Whoever belongs to no merchant can't sign in, and no audit would say what was done.
  if (!member || member.merchantIds.length === 0) return null;
  const { memberId, merchantIds } = member;
  const now = deps.clock();
  const audit: AuditEntry[] = [];
  for (const merchantId of merchantIds) {
    const notices = await prepareChangeNotices(deps, { merchantId, by: null, origin: null });
    audit.push({
      ...operatorEntry(deps, { merchantId, accountId: null }, 'member.reset', { subject: email, reason }),
      notices: notices('second_factor_reset', email),
    });
  }
  if (!(await takeSecondFactors(deps.db, { memberId, until: endOfPause(now), now }, audit))) return false;
  deps.wakeWorkers();
  return true;
}
