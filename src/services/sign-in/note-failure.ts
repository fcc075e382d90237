import { findMemberBy } from '#db/members/members.ts';
import type { RejectionAudit } from '../audit/rejection-audit.ts';
import type { Deps } from '../deps.ts';
import type { AuthRequest } from './auth-request.ts';

/**
 * What a request at one of the sign-in's endpoints is about; failures of the others have no member.
 */
type Attempt = 'password' | 'mail' | 'second_factor' | 'passkey' | 'setting';

const ATTEMPTS: Record<string, Attempt> = {
  '/sign-in/email': 'password',
  '/request-password-reset': 'mail',
  '/two-factor/verify-totp': 'second_factor',
  '/two-factor/verify-backup-code': 'second_factor',
  '/passkey/verify-authentication': 'passkey',
  '/change-password': 'setting',
  '/two-factor/enable': 'setting',
  '/two-factor/disable': 'setting',
  '/two-factor/generate-backup-codes': 'setting',
  '/passkey/generate-register-options': 'setting',
  '/passkey/verify-registration': 'setting',
  '/passkey/delete-passkey': 'setting',
};

const LOCKED_STATUS = 429;

/**
 * Notes what failed at the sign-in, of a member who is known; attempts with an unknown address are
 * counted by their status only. `why` is the reason that was answered, null where it succeeded.
 * Called after the answer: its duration must not reveal whether the address is known. Never fails.
 */
export async function noteFailure(
  deps: Pick<Deps, 'db' | 'log'> & { rejections: RejectionAudit },
  { path, about, origin }: Pick<AuthRequest, 'path' | 'about' | 'origin'>,
  { status, why }: { status: number; why: string | null },
): Promise<void> {
  const attempt = ATTEMPTS[path];
  if (!attempt || !about) return;
  try {
    const action = actionOf(attempt, status, why);
    const member = action && (await findMemberBy(deps.db, about));
    if (!member) return;
    const details = { path, ...(why !== null && { why }) };
    const { memberId, merchantIds } = member;
    for (const merchantId of merchantIds) {
      await deps.rejections.note({ merchantId, memberId, accountId: null, action, details, origin });
    }
  } catch (err) {
    deps.log.error({ err, path }, 'The audit could not be written.');
  }
}

/** The name that the audit has for it; null: it is not noted. */
function actionOf(attempt: Attempt, status: number, why: string | null): string | null {
  if (attempt === 'mail') return status < 300 ? 'password.reset_requested' : null;
  if (status < 300 || status >= 500) return null;
  const tried = { password: 'sign_in', second_factor: 'second_factor', passkey: 'passkey', setting: 'confirmation' };
  if (status === LOCKED_STATUS) return `${tried[attempt]}.locked`;
  if (attempt === 'setting') {
    return why === 'INVALID_PASSWORD' ? 'confirmation.failed' : why === 'withdrawals_paused' ? 'member.rejected' : null;
  }
  return `${tried[attempt]}.failed`;
}
