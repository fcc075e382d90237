import { endSessionOf, findPasswordHash, replacePasswordHash } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { PASSWORD_LENGTH_MAX } from '#domain/members/password.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import { renewHash } from '../members/renew-hash.ts';
import type { DeviceCookies } from './device-cookies.ts';
import { demandNoWait, type GuessLimits } from './guess-limits.ts';
import type { SignInRule } from './sign-in-rule.ts';

/**
 * A sign-in with a password: counted before the password is checked, for the browser where it has
 * signed in to this login before, else for the login and the address. `email` is a parsed one.
 */
export function passwordRule(deps: Pick<Deps, 'db' | 'log'>, limits: GuessLimits, devices: DeviceCookies): SignInRule {
  const hashOf = (email: string) => findPasswordHash(deps.db, { member: { email } });
  const hashesBefore = new WeakMap<object, string | null>();
  return {
    async before(request, { body }) {
      const login = String(body.email);
      request.about = { email: login };
      if (String(body.password ?? '').length > PASSWORD_LENGTH_MAX) throw new DomainError('invalid_input');
      const device = devices.read(request.deviceCookie, login);
      const attempt = { login, address: request.origin.ipAddress ?? '', device };
      demandNoWait(await limits.takeSignIn(attempt));
      request.takeBack = () => limits.signInSucceeded(attempt);
      const hash = await hashOf(login);
      hashesBefore.set(request, hash);
      // Where there is a member, better-auth reads their logins, too. Another look-up takes as
      // long, so that the time of a rejection does not reveal which addresses have a login.
      if (hash === null) await hashOf(login);
    },
    async after(request, { body, internals }) {
      await request.takeBack?.();
      request.takeBack = null;
      const email = String(body.email);
      const hash = await hashOf(email);
      if (hash === null) return;
      const proven = { hash, password: String(body.password) };
      // A new password ends all sessions, but not one that begins right after that because the old
      // password was checked before.
      if (hash !== hashesBefore.get(request) && !(await passwordHashing.verify(proven))) {
        const { newSession } = internals;
        if (newSession) await endSessionOf(deps.db, newSession.session.token);
        throw new DomainError('not_signed_in');
      }
      await renewHash(deps, proven, (hashes) => replacePasswordHash(deps.db, email, hashes));
    },
  };
}
