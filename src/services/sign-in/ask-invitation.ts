import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { inviteMember } from '../members/invite-member.ts';
import type { GuessLimits } from './guess-limits.ts';

/**
 * Invites an address for a member, unless their merchant requested too many invitations within the
 * hour, for it or altogether: one that is withdrawn or replaced was mailed all the same. Errors
 * (DomainError): rate_limited, and those of inviteMember.
 */
export async function askInvitation(
  deps: Deps,
  limits: Pick<GuessLimits, 'takeMail'>,
  input: Parameters<typeof inviteMember>[1],
): Promise<void> {
  const { merchantId, email } = input;
  // By merchant: nobody keeps another from inviting.
  const wait = await limits.takeMail('invitation', `${merchantId} ${email}`, `merchant ${merchantId}`);
  if (wait > 0) throw new DomainError('rate_limited');
  await inviteMember(deps, input);
  deps.wakeWorkers();
}
