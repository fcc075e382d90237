import { openMember, PASSWORD } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena } from '../subject.ts';
import { newVisitor } from './visitors.ts';

/** Passwords for one login that may be tried from browsers that were never there, in an hour. */
const PASSWORDS_TRIED_MAX = 20;

/** Guessing is stopped also when all guesses come at once, each from an address of its own. */
export async function attackByGuessing(arena: Arena, service: TestService): Promise<void> {
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
  // Whoever guesses locks out those who are like him, not the member at a browser that has been there.
  const own = await browser.signIn(email, PASSWORD);
  tally('the member at their own browser', own.status === 200 ? null : `${own.status}`);
}
