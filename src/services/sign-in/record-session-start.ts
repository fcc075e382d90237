import { insertAudit } from '#db/audit/audit.ts';
import { findSignedIn } from '#db/members/members.ts';
import type { Deps } from '../deps.ts';
import type { AuthRequest } from './auth-request.ts';

/** Where a session begins that was not there before: others give one that is there a new cookie. */
const SIGNS_IN: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-up/complete',
  '/invitation/accept',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** Notes the session that a request began. Gives its member's login; null where there is none. */
export async function recordSessionStart(
  deps: Pick<Deps, 'db' | 'clock'>,
  { path, origin, isInSession }: AuthRequest,
  token: string,
): Promise<string | null> {
  const at = deps.clock();
  const started = await findSignedIn(deps.db.pool, token, at);
  if (!started) return null;
  const { memberId, merchantId, email } = started;
  if (SIGNS_IN.has(path) && !isInSession) {
    const entry = { merchantId, memberId, accountId: null, action: 'session.started', details: { path } };
    await insertAudit(deps.db, { ...entry, ...origin, at });
  }
  return email;
}
