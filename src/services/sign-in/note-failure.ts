import { findMemberBy } from '#db/members/members.ts';
import type { RejectionAudit } from '../audit/rejection-audit.ts';
import type { Deps } from '../deps.ts';
import type { AuthRequest } from './auth-request.ts';

/** What the endpoints whose failures are audited are about; those of the others have no member. */
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
 * Records in the audit what failed at the sign-in, where the member is known. Attempts with an
 * unknown address show only in the counts of statuses. `why` is the reason in the response, null
 * where it succeeded. Called after the response, so that its duration does not reveal whether the
 * address is known. Never throws.
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

/** The action in the audit; null: nothing is recorded. */
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
