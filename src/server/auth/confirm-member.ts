import { symmetricDecrypt, verifyPassword } from 'better-auth/crypto';
import {
  blockWithdrawals,
  claimTotpStep,
  confirmSession,
  findPasswordHash,
  findTotpSecret,
  isConfirmed,
  takeConfirmation,
} from '#db/members.ts';
import { PanelError } from '#domain/panel-error.ts';
import type { Deps } from '#services/deps.ts';
import type { Member } from '#services/principal.ts';
import type { Confirmations } from './confirmations.ts';
import type { Auth } from './create-auth.ts';
import type { GuessLimits } from './guess-limits.ts';
import { totpStep } from './totp.ts';

/** How long a proof counts. A withdrawal uses it up at once. */
const FRESH_MS = 5 * 60_000;
/** After a new password by e-mail, or a second factor taken away: long enough for the member to notice the message about it. */
export const WITHDRAWAL_PAUSE_MS = 24 * 3_600_000;

/** What a member proves himself with. Where a second factor is set up, the password does not count. */
export type Proof = { code: string } | { recoveryCode: string } | { password: string };

export type ConfirmMember = Confirmations & {
  /** Notes a proof for this session. Errors (PanelError): confirmation_failed, too_many_attempts. */
  prove(member: Member, proof: Proof, headers: Headers): Promise<void>;
  /** Notes that a passkey was used for it. */
  proved(sessionId: string): Promise<void>;
  pauseWithdrawals(memberId: string): Promise<void>;
};

export function createConfirmMember(deps: Deps, auth: Auth, limits: GuessLimits): ConfirmMember {
  const pool = deps.db.pool;
  const since = () => new Date(deps.clock().getTime() - FRESH_MS);

  const isRight = async (member: Member, proof: Proof, headers: Headers): Promise<boolean> => {
    if ('code' in proof) {
      const sealed = await findTotpSecret(pool, member.memberId);
      if (!sealed) return false;
      const secret = await symmetricDecrypt({ key: deps.secretBox.derive('better-auth'), data: sealed });
      const step = await totpStep(secret, proof.code.replace(/\s/g, ''), deps.clock());
      return step !== null && (await claimTotpStep(pool, member.memberId, step));
    }
    if ('recoveryCode' in proof) {
      const body = { code: proof.recoveryCode.trim(), disableSession: true };
      return auth.api.verifyBackupCode({ headers, body }).then(
        () => true,
        () => false,
      );
    }
    if (member.hasSecondFactor) return false;
    const hash = await findPasswordHash(pool, member.memberId);
    return hash !== null && verifyPassword({ hash, password: proof.password });
  };

  return {
    async require(member, act) {
      const { sessionId, withdrawalsBlockedUntil } = member;
      if (act === 'withdrawal' && withdrawalsBlockedUntil && withdrawalsBlockedUntil > deps.clock()) {
        throw new PanelError('withdrawals_paused', { facts: { until: withdrawalsBlockedUntil.toISOString() } });
      }
      const look = act === 'withdrawal' ? takeConfirmation : isConfirmed;
      if (await look(pool, sessionId, since())) return;
      const factor = member.hasSecondFactor ? 'second_factor' : 'password';
      throw new PanelError('confirmation_required', { facts: { factor } });
    },
    async prove(member, proof, headers) {
      const wait = await limits.takeConfirmationGuess(member.memberId);
      if (wait > 0) throw new PanelError('too_many_attempts', { facts: { seconds: String(wait) } });
      if (!(await isRight(member, proof, headers))) throw new PanelError('confirmation_failed');
      await limits.confirmationSucceeded(member.memberId);
      await confirmSession(pool, member.sessionId, deps.clock());
    },
    proved: (sessionId) => confirmSession(pool, sessionId, deps.clock()),
    pauseWithdrawals: (memberId) =>
      blockWithdrawals(pool, memberId, new Date(deps.clock().getTime() + WITHDRAWAL_PAUSE_MS)),
  };
}
