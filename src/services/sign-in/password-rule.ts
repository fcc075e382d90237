import { findPasswordHash, replacePasswordHash } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { PASSWORD_LENGTH_MAX } from '#domain/members/password.ts';
import type { Deps } from '../deps.ts';
import { renewHash } from '../members/renew-hash.ts';
import type { DeviceCookies } from './device-cookies.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import type { SignInRule } from './sign-in-rule.ts';

/**
 * A sign-in with a password: counted before the password is checked, for the browser where it has
 * signed in to this login before, else for the login and the address. `email` is a parsed one.
 */
export const passwordRule = (
  deps: Pick<Deps, 'db' | 'log'>,
  limits: GuessLimits,
  devices: DeviceCookies,
): SignInRule => ({
  async before(request, { body }) {
    const login = String(body.email);
    request.about = { email: login };
    if (String(body.password ?? '').length > PASSWORD_LENGTH_MAX) throw new DomainError('invalid_input');
    const device = devices.read(request.deviceCookie, login);
    const attempt = { login, address: request.origin.ipAddress ?? '', device };
    demandNoWait(await limits.takeSignIn(attempt));
    request.takeBack = () => limits.signInSucceeded(attempt);
  },
  async after(request, { body }) {
    await request.takeBack?.();
    request.takeBack = null;
    const email = String(body.email);
    const hash = await findPasswordHash(deps.db, { member: { email } });
    if (hash === null) return;
    const proven = { hash, password: String(body.password) };
    await renewHash(deps, proven, (hashes) => replacePasswordHash(deps.db, email, hashes));
  },
});
