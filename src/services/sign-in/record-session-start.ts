import { insertAudit } from '#db/audit/audit.ts';
import { endSessionOf, findSignedIn } from '#db/members/members.ts';
import { chooseMerchant, listMerchantsOf } from '#db/members/memberships.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';
import type { AuthRequest } from './auth-request.ts';
import type { DeviceCookies } from './device-cookies.ts';

/**
 * Paths that begin a new session; others that set a session cookie replace that of an existing
 * session.
 */
const SIGNS_IN: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-up/complete',
  '/invitation/accept',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** Paths that create the login itself: its first browser needs no notice. */
const BEGINS_LOGIN: ReadonlySet<string> = new Set(['/sign-up/complete', '/invitation/accept']);

/**
 * Records the session that a request began in the audit, and notifies its member when the browser
 * has not signed in to this login before. Returns the member's login; null where the session has
 * ended already, because it only had to confirm something. Errors (DomainError): no_merchant, for a
 * person who was removed from all merchants: nothing of the session is sent.
 */
export async function recordSessionStart(
  deps: Deps,
  devices: DeviceCookies,
  { path, origin, isInSession, deviceCookie, member }: AuthRequest,
  session: { token: string; userId: string },
): Promise<string | null> {
  const at = deps.clock();
  const started = await findSignedIn(deps.db.pool, session.token, at);
  if (!started) {
    if ((await listMerchantsOf(deps.db, session.userId)).length > 0) return null;
    throw new DomainError('no_merchant');
  }
  const { memberId, merchantId, email, sessionId } = started;
  if (!SIGNS_IN.has(path) || isInSession) {
    // It replaces the session of this browser, which goes on acting for the same merchant.
    if (member) await chooseMerchant(deps.db, { sessionId, memberId, merchantId: member.merchantId });
  } else {
    const entry = { merchantId, memberId, accountId: null, action: 'session.started', details: { path } };
    const note = async () => {
      await insertAudit(deps.db, { ...entry, ...origin, at });
      if (BEGINS_LOGIN.has(path) || devices.read(deviceCookie, email) !== null) return;
      await notifyMembers(deps, {
        kind: 'new_device',
        merchantId,
        params: { at, ipAddress: origin.ipAddress },
        isFor: ({ id }) => id === memberId,
      });
    };
    // Its token has not left this process: a session that can't be recorded is ended.
    await note().catch(async (error: unknown) => {
      await endSessionOf(deps.db, session.token);
      throw error;
    });
  }
  return email;
}
