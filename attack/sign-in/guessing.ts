import { type BrowserAnswer, openMember, PASSWORD, setUpAuthenticator } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena } from '../subject.ts';
import { newVisitor } from './visitors.ts';

/**
 * How many passwords may be tried for one login in an hour, from browsers that never signed in to
 * it.
 */
const PASSWORDS_TRIED_MAX = 20;
/** How many second factors may be tried, wherever they are asked for. */
const FACTORS_TRIED_MAX = 10;

/** Guessing is stopped even when all guesses come at once, each from an address of its own. */
export async function attackByGuessing(arena: Arena, service: TestService): Promise<void> {
  // ASVS 6.3.1
  const tally = arena.attack('guessing, all at once');
  const { email, browser } = await openMember(service, 'adivinhado@example.com');

  const passwords = await Promise.all(
    Array.from({ length: arena.times(24, 120) }, (_, index) =>
      newVisitor(service).signIn(email, `palpite número ${index}`),
    ),
  );
  const tried = passwords.filter(({ status }) => status !== 429).length;
  tally('passwords of one login', tried <= PASSWORDS_TRIED_MAX ? null : `${tried} were tried`);
  tally('a password', passwords.some(({ status }) => status < 400) ? 'one was right' : null);
  // Guessing locks out unknown clients, and not the member at a known browser.
  const own = await browser.signIn(email, PASSWORD);
  tally('the member at their own browser', own.status === 200 ? null : `${own.status}`);

  for (const [what, path] of [
    ['codes of the authenticator', '/api/auth/two-factor/verify-totp'],
    ['recovery codes', '/api/auth/two-factor/verify-backup-code'],
  ] as const) {
    const member = await openMember(service, `${path.slice(-5)}@example.com`);
    await setUpAuthenticator(member.browser);
    const thief = newVisitor(service);
    await thief.signIn(member.email, PASSWORD);
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        thief.post(path, { code: path.endsWith('totp') ? String(100_000 + index) : `aaaaa-${10_000 + index}` }),
      ),
    );
    const guesses = codes.filter(wasTried).length;
    tally(what, guesses <= FACTORS_TRIED_MAX ? null : `${guesses} were tried`);
    tally(`${what}: signed in`, (await thief.isSignedIn()) ? 'a guess was right' : null);
    const confirmations = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        member.browser.call('session.confirm', { code: String(200_000 + index) }),
      ),
    );
    const asked = confirmations.filter(({ reason }) => reason !== 'too_many_attempts').length;
    tally(`${what}: in a session's dialog`, asked <= FACTORS_TRIED_MAX ? null : `${asked} were tried`);
  }
}

/**
 * Whether a code was compared at all: after its five tries a sign-in ends, and asks for the
 * password again.
 */
function wasTried({ status, body }: BrowserAnswer): boolean {
  return status !== 429 && !SIGN_IN_IS_OVER.has(String(body.code));
}

const SIGN_IN_IS_OVER: ReadonlySet<string> = new Set([
  'INVALID_TWO_FACTOR_COOKIE',
  'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
]);
