import {
  confirmSession,
  findPasswordHash,
  findTotpSecret,
  isConfirmed,
  takeConfirmation,
} from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import type { Confirmations } from './confirmations.ts';
import type { Auth } from './create-auth.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import { spendTotpCode } from './spend-totp-code.ts';

/** How long a proof counts. A withdrawal uses it up at once. */
const FRESH_MS = 5 * 60_000;

/** What a member confirms with. Where a second factor is set up, the password does not count. */
export type Proof = { code: string } | { recoveryCode: string } | { password: string };

export type ConfirmMember = Confirmations & {
  /** Notes a proof for this session. Errors (DomainError): confirmation_failed, too_many_attempts. */
  prove(member: Member, proof: Proof, headers: Headers): Promise<void>;
  /** Notes that a passkey was used for it. */
  proved(sessionId: string): Promise<void>;
};

/**
 * After a new password by mail, or the second factor taken away, a member moves no money and changes nothing that protects it: whoever
 * has the mailbox has no more than that for a day. Errors (DomainError): withdrawals_paused.
 */
export function refuseWhilePaused({ withdrawalsBlockedUntil: until }: Member, now: Date): void {
  if (until && until > now) throw new DomainError('withdrawals_paused', { params: { until: until.toISOString() } });
}

export function createConfirmMember(deps: Deps, auth: Auth, limits: GuessLimits): ConfirmMember {
  const { db } = deps;
  const since = () => new Date(deps.clock().getTime() - FRESH_MS);

  const isRight = async (member: Member, proof: Proof, headers: Headers): Promise<boolean> => {
    if ('code' in proof) {
      const { memberId } = member;
      const sealedSecret = await findTotpSecret(db, memberId);
      return sealedSecret !== null && spendTotpCode(deps, { memberId, sealedSecret }, proof.code.replace(/\s/g, ''));
    }
    if ('recoveryCode' in proof) {
      const body = { code: proof.recoveryCode.trim(), disableSession: true };
      return auth.api.verifyBackupCode({ headers, body }).then(
        () => true,
        () => false,
      );
    }
    if (member.hasSecondFactor) return false;
    const hash = await findPasswordHash(db, member.memberId);
    return hash !== null && passwordHashing.verify({ hash, password: proof.password });
  };

  return {
    async require(member, act) {
      const { sessionId } = member;
      if (act !== 'password') refuseWhilePaused(member, deps.clock());
      const look = act === 'withdrawal' ? takeConfirmation : isConfirmed;
      if (await look(db, sessionId, since())) return;
      const factor = member.hasSecondFactor ? 'second_factor' : 'password';
      throw new DomainError('confirmation_required', { params: { factor } });
    },
    async prove(member, proof, headers) {
      demandNoWait(await limits.takeConfirmationGuess(member.memberId));
      if (!(await isRight(member, proof, headers))) throw new DomainError('confirmation_failed');
      await limits.confirmationSucceeded(member.memberId);
      await confirmSession(db, member.sessionId, deps.clock());
    },
    proved: (sessionId) => confirmSession(db, sessionId, deps.clock()),
  };
}
