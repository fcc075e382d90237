import { memberNameInput } from '#contract/members/session.ts';
import { PanelError } from '#domain/errors/panel-error.ts';
import type { Origin } from '#services/api-keys/principal.ts';
import type { Deps } from '#services/deps.ts';
import { acceptInvitation } from '#services/members/invite-member.ts';
import { completeSignUp } from '#services/members/sign-up.ts';

/** The paths at which the link of a message is used, each by POST: programs that look at mail follow links, and change nothing here. */
export type LinkPath = '/sign-up/complete' | '/invitation/accept';

/**
 * Uses the link of a sign-up or an invitation with the password that is chosen for it, and gives what the new member signs in with.
 * Errors (PanelError): link_over, weak_password, already_member, merchant_exists, invalid (a name that is none).
 */
export async function openLink(
  deps: Deps,
  path: LinkPath,
  body: Record<string, unknown>,
  origin: Origin,
): Promise<{ email: string; password: string }> {
  const token = String(body.token ?? '');
  const password = String(body.password ?? '');
  if (path === '/sign-up/complete') return { ...(await completeSignUp(deps, { token, password, origin })), password };
  const name = memberNameInput.safeParse(body.name);
  if (!name.success) {
    const message = name.error.issues[0]?.message ?? '';
    throw new PanelError('invalid', { details: [{ field: 'name', message }] });
  }
  const accepted = await acceptInvitation(deps, { token, name: name.data.trim(), password, origin });
  return { ...accepted, password };
}
