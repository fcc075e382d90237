import { endSessions, findMemberBy } from '#db/members/members.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Ends all sessions of a person, for the operator to whom they reported a lost computer; the audit
 * of each of their merchants says so. They sign in again as before. Returns how many sessions there
 * were; null: nobody signs in with this address.
 */
export async function signOutMember(
  deps: Pick<Deps, 'db' | 'clock'> & AsOperator,
  email: string,
): Promise<number | null> {
  const member = await findMemberBy(deps.db, { email });
  if (!member) return null;
  return endSessions(deps.db, member.memberId, 'all', (ended) =>
    member.merchantIds.map((merchantId) =>
      operatorEntry(deps, { merchantId, accountId: null }, 'session.all_ended', { subject: email, ended }),
    ),
  );
}
