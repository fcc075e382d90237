import type { AuthContext } from 'better-auth';

export type PendingMember = { memberId: string; email: string; name: string };

/**
 * The member of an unused secret that better-auth issued: `reset-password:<token>`, or the content
 * of the cookie of a sign-in that waits for its second factor. Null when it is unknown or has
 * expired. The secret is not used up.
 */
export async function findPendingMember(
  { internalAdapter }: Pick<AuthContext, 'internalAdapter'>,
  identifier: string,
  now: Date,
): Promise<PendingMember | null> {
  const pending = await internalAdapter.findVerificationValue(identifier);
  if (!pending || new Date(pending.expiresAt) <= now) return null;
  const user = (await internalAdapter.findUserById(pending.value)) as {
    id: string;
    email: string;
    name: string;
  } | null;
  return user && { memberId: user.id, email: user.email, name: user.name };
}
