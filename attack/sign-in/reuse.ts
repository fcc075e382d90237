import {
  linkIn,
  mailTo,
  openBrowser,
  openMember,
  PASSWORD,
  setUpAuthenticator,
} from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { cookieOf } from '../authorisation/panel.ts';
import type { Arena } from '../subject.ts';
import { newVisitor, type Visitor } from './visitors.ts';

/**
 * A code or link for one use works once, also when it is sent many times at once; an ended session
 * stays ended.
 */
export async function attackByReuse(arena: Arena, service: TestService): Promise<void> {
  // ASVS 6.5.1
  const tally = arena.attack('codes, links and sessions a second time');
  const atOnce = arena.times(5, 20);
  const { email, browser } = await openMember(service, 'reuso@example.com');
  const { code, backupCodes } = await setUpAuthenticator(browser);

  for (const [what, path, used] of [
    ['an authenticator code', '/api/auth/two-factor/verify-totp', await code(1)],
    ['a recovery code', '/api/auth/two-factor/verify-backup-code', backupCodes[0] ?? ''],
  ] as const) {
    const thieves: Visitor[] = [];
    for (let number = 0; number < atOnce; number++) {
      const thief = newVisitor(service);
      await thief.signIn(email, PASSWORD);
      thieves.push(thief);
    }
    await Promise.all(thieves.map((thief) => thief.post(path, { code: used })));
    const inside = await Promise.all(thieves.map((thief) => thief.isSignedIn()));
    const count = inside.filter(Boolean).length;
    tally(`${what}, ${atOnce} times at once`, count <= 1 ? null : `${count} signed in`);
  }

  const forgetful = await openMember(service, 'esqueci@example.com');
  const before = cookieOf(forgetful.browser);
  await newVisitor(service).post('/api/auth/request-password-reset', { email: forgetful.email });
  const mails = await mailTo(service, forgetful.email, 2);
  const token = new URL(linkIn(mails.at(-1)), service.url).searchParams.get('token');
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, index) =>
      newVisitor(service).post('/api/auth/reset-password', { token, newPassword: `nova frase comprida ${index}` }),
    ),
  );
  const resets = answers.filter(({ status }) => status === 200).length;
  tally(`a reset link, ${atOnce} times at once`, resets === 1 ? null : `${resets} passwords were set`);
  const old = await openBrowser(service).get('/api/trpc/test/session.me', { cookie: before });
  tally('a session from before the reset', old.status === 401 ? null : `${old.status}`);
  const signedIn = await newVisitor(service).signIn(forgetful.email, PASSWORD);
  tally('the password from before the reset', signedIn.status === 401 ? null : `${signedIn.status}`);

  const changing = await openMember(service, 'troca@example.com');
  const elsewhere = newVisitor(service);
  await elsewhere.signIn(changing.email, PASSWORD);
  const changed = await changing.browser.post('/api/auth/change-password', {
    currentPassword: PASSWORD,
    newPassword: 'uma frase nova, bem comprida',
  });
  if (changed.status !== 200) throw new Error(`Changing the password was answered ${changed.status}: ${changed.text}`);
  // ASVS 6.2.2, 7.4.3
  tally('a session elsewhere after a new password', (await elsewhere.isSignedIn()) ? 'still signed in' : null);
}

/** A sign-in does not continue a session that an attacker chose. */
export async function attackByFixation(arena: Arena, service: TestService): Promise<void> {
  // ASVS 7.2.4
  const tally = arena.attack('a session chosen by somebody else');
  const { email, browser } = await openMember(service, 'fixada@example.com');
  const name = [...browser.cookies.keys()].find((cookie) => cookie.endsWith('session_token')) ?? '';
  for (const chosen of ['a'.repeat(32), browser.cookies.get(name) ?? '']) {
    const victim = newVisitor(service);
    victim.browser.cookies.set(name, chosen);
    await victim.signIn(email, PASSWORD);
    const given = victim.browser.cookies.get(name);
    tally(`the cookie ${chosen.slice(0, 8)}…`, given === chosen ? 'the chosen session is theirs' : null);
    tally('the sign-in', (await victim.isSignedIn()) ? null : 'did not work: nothing was proved');
  }
  const attacker = newVisitor(service);
  attacker.browser.cookies.set(name, 'a'.repeat(32));
  tally('the chosen cookie afterwards', (await attacker.isSignedIn()) ? 'is signed in' : null);
}
