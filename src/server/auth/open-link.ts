import { fieldIssuesOf } from '#contract/issues/issue-message.ts';
import { acceptInput } from '#contract/members/session.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Origin } from '#services/api-keys/principal.ts';
import type { Deps } from '#services/deps.ts';
import { acceptInvitation } from '#services/members/accept-invitation.ts';
import { completeSignUp } from '#services/members/sign-up.ts';

/**
 * The paths at which the link of a message is used, each by POST: programs that scan mail follow
 * links, and change nothing here.
 */
export type LinkPath = '/sign-up/complete' | '/invitation/accept';

/**
 * Uses the link of a sign-up or an invitation with the password that is chosen for it, and returns
 * the new member's login; null for a person who has a login already. Errors (DomainError):
 * link_over, weak_password, already_member, merchant_exists, invalid_input (an invalid name).
 */
export async function openLink(
  deps: Deps,
  path: LinkPath,
  body: Record<string, unknown>,
  origin: Origin,
): Promise<{ email: string; password: string } | null> {
  const token = String(body.token ?? '');
  const password = String(body.password ?? '');
  if (path === '/sign-up/complete') return { ...(await completeSignUp(deps, { token, password, origin })), password };
  const isNew = body.name !== undefined || body.password !== undefined;
  const input = acceptInput.safeParse(body);
  if (isNew && !input.success) throw new DomainError('invalid_input', { details: fieldIssuesOf(input.error) });
  const person = input.success ? { ...input.data, password } : null;
  const accepted = await acceptInvitation(deps, { token, origin, person });
  return accepted.isNew ? { email: accepted.email, password } : null;
}
