import { findPasswordHash, unlockSecondFactor } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { demandStrongPassword } from '../members/new-password.ts';
import type { Auth } from './create-auth.ts';
import { findPasswordOwner } from './find-password-owner.ts';
import { findPendingMember, type PendingMember } from './find-pending-member.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import { pauseWithdrawals } from './pause-withdrawals.ts';
import { recordIntent } from './record-intent.ts';
import type { SignInRule } from './sign-in-rule.ts';

/** The request for a message with a link. `email` has been parsed. */
export const askResetRule = (limits: GuessLimits): SignInRule => ({
  async before(request, { body }) {
    const email = String(body.email);
    request.about = { email };
    demandNoWait(await limits.takeMail('reset', email, request.origin.ipAddress ?? ''));
  },
});

/**
 * The address of the member who gets a new password by a link, which is not used up. Errors
 * (DomainError): link_over.
 */
export const readResetLink = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  auth: Pick<Auth, '$context'>,
  token: string,
): Promise<string> => (await findByResetToken(deps, await auth.$context, token)).email;

async function findByResetToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  internals: Parameters<typeof findPendingMember>[1],
  token: unknown,
): Promise<PendingMember> {
  const pending = await findPendingMember(deps, internals, `reset-password:${token}`);
  if (!pending) throw new DomainError('link_over');
  return pending;
}

/** A new password by the link of a message. */
export function resetPasswordRule(deps: Deps, limits: GuessLimits): SignInRule {
  const resets = new WeakMap<object, PendingMember>();
  return {
    async before(request, { body, internals }) {
      const { token } = body;
      const { memberId } = await findByResetToken(deps, internals, token);
      request.provedHash = await findPasswordHash(deps.db, { memberId });
      // Once more, as the password that was found may have ended the link.
      const pending = await findByResetToken(deps, internals, token);
      resets.set(request, pending);
      await demandStrongPassword(body.newPassword, await findPasswordOwner(deps, pending));
      await recordIntent(deps, { memberId: pending.memberId, origin: request.origin }, 'password.reset');
      // Before the password is changed: no failure in between leaves one without a pause.
      await pauseWithdrawals(deps, pending.memberId);
    },
    async after(request, { rememberDevice }) {
      const member = resets.get(request);
      if (!member) return;
      // An attacker who guesses at this login must not keep its member out: their attempts are
      // deleted, and further ones do not count against this browser.
      const isFree = await limits.passwordReset(member.email, member.memberId);
      if (isFree) await unlockSecondFactor(deps.db, member.memberId);
      rememberDevice(member.email);
    },
  };
}
