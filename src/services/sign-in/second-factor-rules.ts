import { endSessionOf, findAnyTotpSecret, findTotpSecret } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { rejectWhilePaused } from './confirmations.ts';
import { findPendingMember } from './find-pending-member.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import { recordChange } from './record-change.ts';
import { recordIntent } from './record-intent.ts';
import type { AuthCall, SignInRule } from './sign-in-rule.ts';
import { spendTotpCode } from './spend-totp-code.ts';

/** A code that better-auth accepted a moment ago may be one step older by now. */
const STEPS_OFF_AFTERWARDS = 2;

/**
 * Counts the guess before it is checked, together with those at every other place that requires a
 * second factor: for the member of the session, or of the sign-in that waits for it. Where there is
 * no member, better-auth rejects it.
 */
async function countGuess(deps: Deps, limits: GuessLimits, request: AuthRequest, call: AuthCall): Promise<void> {
  const { member, pendingToken } = request;
  const pending = member || pendingToken === null ? null : await findPendingMember(deps, call.internals, pendingToken);
  // better-auth would go on with one that began by a password which was replaced since.
  if (!member && pendingToken !== null && !pending)
    await call.internals.internalAdapter.deleteVerificationByIdentifier(pendingToken);
  const memberId = member?.memberId ?? pending?.memberId;
  if (memberId === undefined) return;
  request.about = { memberId };
  demandNoWait(await limits.takeConfirmationGuess(memberId));
}

/** Takes the count back: the guess was right. */
async function countSuccess(limits: GuessLimits, { about }: AuthRequest): Promise<void> {
  if (about && 'memberId' in about) await limits.confirmationSucceeded(about.memberId);
}

/** A code of the authenticator: it signs in, confirms in a session, or completes a set-up. */
export function totpRule(deps: Deps, limits: GuessLimits): SignInRule {
  const setUps = new WeakSet<AuthRequest>();
  return {
    async before(request, call) {
      const { member } = request;
      if (member) {
        request.isInSession = true;
        if ((await findTotpSecret(deps.db, member.memberId)) === null) {
          rejectWhilePaused(member, deps.clock());
          setUps.add(request);
        }
      }
      await countGuess(deps, limits, request, call);
      if (member && setUps.has(request))
        await recordIntent(deps, { memberId: member.memberId, origin: request.origin }, 'two_factor.enabled');
    },
    async after(request, { body }, done) {
      const { token, user } = done as { token: string; user: { id: string } };
      const sealedSecret = await findAnyTotpSecret(deps.db, user.id);
      const of = sealedSecret && { memberId: user.id, sealedSecret };
      if (!of || !(await spendTotpCode(deps, of, String(body.code), STEPS_OFF_AFTERWARDS))) {
        // The code was used before: the session that it began is ended before anybody is notified.
        if (!request.member) await endSessionOf(deps.db, token);
        throw new DomainError('confirmation_failed');
      }
      await countSuccess(limits, request);
      if (setUps.has(request)) await recordChange(deps, request, 'two_factor.enabled', 'second_factor_on');
    },
  };
}

/**
 * A recovery code signs in. In a session only the confirmation dialog takes one, which has a
 * procedure of its own.
 */
export const backupCodeRule = (deps: Deps, limits: GuessLimits): SignInRule => ({
  async before(request, call) {
    if (request.member) throw new DomainError('invalid_state');
    await countGuess(deps, limits, request, call);
  },
  after: (request) => countSuccess(limits, request),
});
