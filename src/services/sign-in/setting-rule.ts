import { findPasswordHash } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { demandStrongPassword } from '../members/new-password.ts';
import { type Confirmations, rejectWhilePaused } from './confirmations.ts';
import { findPasswordOwner } from './find-password-owner.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import { recordChange } from './record-change.ts';
import { recordIntent } from './record-intent.ts';
import type { SignInRule } from './sign-in-rule.ts';

type Change = Parameters<typeof recordChange>[3];

export type Setting = {
  /**
   * better-auth requires the password, which replaces a recent second factor where the member has
   * none.
   */
  asksPassword?: true;
  /** A fresh second factor is required in any case. */
  isGuarded?: true;
  /** It makes a new password, which a member may always do. */
  makesPassword?: true;
  /** The action in the audit, and the change of which members are notified, once it is done. */
  change?: readonly [action: string, what: Change];
};

/** A change to how a member signs in, or a part of one. */
export const settingRule = (
  deps: Deps,
  { limits, confirmations }: { limits: GuessLimits; confirmations: Confirmations },
  { asksPassword, isGuarded, makesPassword, change }: Setting,
): SignInRule => ({
  async before(request, { body }) {
    const { member } = request;
    if (!member) throw new DomainError('not_signed_in');
    request.about = { memberId: member.memberId };
    // A second factor that is set up during the pause could be that of an intruder in the mailbox.
    if (!makesPassword) rejectWhilePaused(member, deps.clock());
    if (isGuarded || member.hasSecondFactor)
      await confirmations.require(member, makesPassword ? 'password' : 'setting');
    if (makesPassword) {
      await demandStrongPassword(body.newPassword, await findPasswordOwner(deps, member));
      request.provedHash = await findPasswordHash(deps.db, { memberId: member.memberId });
    }
    // A second factor that was just confirmed is no reason to let the password be guessed.
    if (asksPassword) demandNoWait(await limits.takeConfirmationGuess(member.memberId));
    if (change) await recordIntent(deps, { memberId: member.memberId, origin: request.origin }, change[0]);
  },
  async after(request) {
    if (asksPassword && request.member) await limits.confirmationSucceeded(request.member.memberId);
    if (change) await recordChange(deps, request, ...change);
  },
});
