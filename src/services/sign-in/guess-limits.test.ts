import { expect, onTestFinished, test, vi } from 'vitest';
import { createGuessLimits } from './guess-limits.ts';

const LOGIN = 'maria@example.com';
const MEMBER = 'member';

const setUp = () => createGuessLimits({ kind: 'memory' }, (text) => `fingerprint of ${text}`);
type Limits = ReturnType<typeof setUp>;

/** How many times something is allowed before it has to wait; the wait is at least a second. */
async function countAllowed(take: () => Promise<number>): Promise<number> {
  for (let count = 0; count < 1_000; count++) if ((await take()) >= 1) return count;
  return Number.POSITIVE_INFINITY;
}

const signIn =
  (limits: Limits, attempt: { login?: string; address?: string; device?: string | null } = {}) =>
  () =>
    limits.takeSignIn({ login: LOGIN, address: '203.0.113.1', device: null, ...attempt });

test('a new password by mail frees the second factor once a day, so that a mailbox gives no more guesses', async () => {
  const limits = setUp();
  const guess = () => limits.takeConfirmationGuess(MEMBER);
  expect(await countAllowed(guess)).toBe(10);
  expect(await limits.passwordReset(LOGIN, MEMBER)).toBe(true);
  expect(await countAllowed(guess)).toBe(10);
  expect(await limits.passwordReset(LOGIN, MEMBER)).toBe(false);
  expect(await guess()).toBeGreaterThan(14 * 60);
  // Another member’s is not used up.
  expect(await limits.passwordReset('ana@example.com', 'another')).toBe(true);
});

test('a second factor that was freed today is freed again a day later, and no sooner', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limits = setUp();
  const freed: boolean[] = [];
  for (const hours of [0, 23, 2]) {
    vi.advanceTimersByTime(hours * 3_600_000);
    freed.push(await limits.passwordReset(LOGIN, MEMBER));
  }
  expect(freed).toEqual([true, false, true]);
});

test('a new password by mail frees the login each time, and no other one', async () => {
  const limits = setUp();
  const other = signIn(limits, { login: 'ana@example.com', address: '203.0.113.2' });
  await countAllowed(other);
  for (const address of ['203.0.113.3', '203.0.113.4']) {
    expect(await countAllowed(signIn(limits, { address }))).toBe(20);
    await limits.passwordReset(LOGIN, MEMBER);
  }
  expect(await other()).toBeGreaterThan(59 * 60);
});

test('a right code takes back its own guess, and none of an attacker’s', async () => {
  const limits = setUp();
  for (let guess = 0; guess < 9; guess++) await limits.takeConfirmationGuess(MEMBER);
  expect(await limits.takeConfirmationGuess(MEMBER)).toBe(0);
  await limits.confirmationSucceeded(MEMBER);
  expect(await countAllowed(() => limits.takeConfirmationGuess(MEMBER))).toBe(1);
});

test('a browser that has signed in before is counted apart from guesses elsewhere at its login and address', async () => {
  const limits = setUp();
  expect(await countAllowed(signIn(limits))).toBe(20);
  expect(await countAllowed(signIn(limits, { device: 'a browser' }))).toBe(20);
  expect(await countAllowed(signIn(limits, { device: 'another browser' }))).toBe(20);
});

test('an address has sixty guesses for all logins together', async () => {
  const limits = setUp();
  let at = 0;
  expect(await countAllowed(() => signIn(limits, { login: `${at++}@example.com` })())).toBe(60);
  expect(await signIn(limits)()).toBeGreaterThan(14 * 60);
  expect(await signIn(limits, { login: 'new@example.com', address: '203.0.113.9' })()).toBe(0);
});

test('a mailbox gets five messages of a kind, and a sender two hundred in all', async () => {
  const limits = setUp();
  expect(await countAllowed(() => limits.takeMail('sign-up', LOGIN, '203.0.113.1'))).toBe(5);
  expect(await limits.takeMail('sign-up', LOGIN, '203.0.113.3')).toBeGreaterThan(59 * 60);
  expect(await limits.takeMail('reset', LOGIN, '203.0.113.1')).toBe(0);
  let at = 0;
  expect(await countAllowed(() => limits.takeMail('reset', `${at++}@example.com`, '203.0.113.2'))).toBe(200);
});
