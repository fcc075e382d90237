import type { AuthContext } from 'better-auth';
import { findPasswordSince } from '#db/members/members.ts';
import { instantOfUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

export type PendingMember = { memberId: string; email: string; name: string };

/**
 * The member of an unused secret that better-auth issued: `reset-password:<token>`, or the content
 * of the cookie of a sign-in that waits for its second factor. Null when it is unknown, has
 * expired, or is older than the member's password, by the database's time: a new password ends what
 * was begun before it. The secret is not used up.
 */
export async function findPendingMember(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { internalAdapter }: Pick<AuthContext, 'internalAdapter'>,
  identifier: string,
): Promise<PendingMember | null> {
  const pending = await internalAdapter.findVerificationValue(identifier);
  if (!pending || new Date(pending.expiresAt) <= clock()) return null;
  const user = (await internalAdapter.findUserById(pending.value)) as {
    id: string;
    email: string;
    name: string;
  } | null;
  if (!user) return null;
  const since = await findPasswordSince(db, user.id);
  if (since && since >= instantOfUuid(pending.id)) return null;
  return { memberId: user.id, email: user.email, name: user.name };
}
