import { insertAudit } from '#db/audit/audit.ts';
import { endSessionOf, findSignedIn } from '#db/members/members.ts';
import { listMerchantsOf } from '#db/members/memberships.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';
import type { AuthRequest } from './auth-request.ts';
import type { DeviceCookies } from './device-cookies.ts';

/** Where a session begins that was not there before: others give one that is there a new cookie. */
const SIGNS_IN: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-up/complete',
  '/invitation/accept',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** Where the login itself begins: its first browser is news to nobody. */
const BEGINS_LOGIN: ReadonlySet<string> = new Set(['/sign-up/complete', '/invitation/accept']);

/**
 * Notes the session that a request began, and notifies its member when the browser is one that has
 * not signed in to this login before. Gives its member's login; null where the session is over
 * again: it was to confirm something. Errors (DomainError): no_merchant, for a person who was
 * removed everywhere: nothing of the session goes out.
 */
export async function recordSessionStart(
  deps: Deps,
  devices: DeviceCookies,
  { path, origin, isInSession, deviceCookie }: AuthRequest,
  session: { token: string; userId: string },
): Promise<string | null> {
  const at = deps.clock();
  const started = await findSignedIn(deps.db.pool, session.token, at);
  if (!started) {
    if ((await listMerchantsOf(deps.db, session.userId)).length > 0) return null;
    throw new DomainError('no_merchant');
  }
  const { memberId, merchantId, email } = started;
  if (SIGNS_IN.has(path) && !isInSession) {
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
