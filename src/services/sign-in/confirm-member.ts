import { confirmSession, findPasswordHash, findTotpSecret } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import type { Auth } from './create-auth.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import { spendTotpCode } from './spend-totp-code.ts';

/** What a member confirms with. Where a second factor is set up, the password does not count. */
export type Proof = { code: string } | { recoveryCode: string } | { password: string };

/**
 * Notes for this session that a member proved who they are. `headers`: those of the request, as
 * better-auth gets them. Errors (DomainError): confirmation_failed, too_many_attempts.
 */
export type ConfirmMember = (member: Member, proof: Proof, headers: Headers) => Promise<void>;

export function createConfirmMember(deps: Deps, auth: Auth, limits: GuessLimits): ConfirmMember {
  const { db } = deps;

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
    const hash = await findPasswordHash(db, { memberId: member.memberId });
    return hash !== null && passwordHashing.verify({ hash, password: proof.password });
  };

  return async (member, proof, headers) => {
    demandNoWait(await limits.takeConfirmationGuess(member.memberId));
    if (!(await isRight(member, proof, headers))) throw new DomainError('confirmation_failed');
    await limits.confirmationSucceeded(member.memberId);
    await confirmSession(db, member.sessionId, deps.clock());
  };
}
