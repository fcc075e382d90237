import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  linkIn,
  mailTo,
  newEmail,
  openBrowser,
  openMember,
  PASSWORD,
  setUpAuthenticator,
} from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** What a secret is drawn from, and the bits that it has to have at least (ASVS 6.5.4, 7.2.3). */
const BASE62 = 62;
const BASE32 = 32;
const SESSION_BITS = 128;
const SEED_BITS = 128;
const RECOVERY_CODE_BITS = 20;
const LINK_BITS = 128;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => void vi.restoreAllMocks());

const bitsOf = (secret: string, alphabet: number) => secret.length * Math.log2(alphabet);

/** Has a member sign in and set everything up; returns the secrets that were made for them. */
async function drawSecrets() {
  const email = newEmail();
  const { browser } = await openMember(service, email);
  const { secret, backupCodes } = await setUpAuthenticator(browser);
  const other = openBrowser(service);
  await other.signIn(email, PASSWORD);
  await other.post('/api/auth/request-password-reset', { email });
  const mail = (await mailTo(service, email, 3)).find((text) => text.includes('/senha/nova'));
  const link = new URL(linkIn(mail), service.url).searchParams.get('token') ?? '';
  const tokens = [browser, other].flatMap(({ cookies }) =>
    [...cookies]
      .filter(([name]) => /session_token|two_factor/.test(name))
      .map(([, value]) => decodeURIComponent(value).split('.')[0] ?? ''),
  );
  return { tokens, seed: secret, recoveryCodes: backupCodes, link };
}

// ASVS 6.5.3, 6.5.4, 7.2.3
test('sessions, seeds, recovery codes and links come from the system’s random generator, and can’t be guessed', async () => {
  // Whatever was drawn from Math.random would be the same each time.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const drawn = [await drawSecrets(), await drawSecrets()];
  for (const { tokens, seed, recoveryCodes, link } of drawn) {
    expect(tokens).toHaveLength(2);
    for (const token of tokens) expect(bitsOf(token, BASE62)).toBeGreaterThanOrEqual(SESSION_BITS);
    expect(bitsOf(seed, BASE32)).toBeGreaterThanOrEqual(SEED_BITS);
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes)
      expect(bitsOf(code.replace('-', ''), BASE62)).toBeGreaterThanOrEqual(RECOVERY_CODE_BITS);
    expect(bitsOf(link, BASE62)).toBeGreaterThanOrEqual(LINK_BITS);
  }
  const all = drawn.flatMap(({ tokens, seed, recoveryCodes, link }) => [...tokens, seed, ...recoveryCodes, link]);
  expect(all.length).toBe(2 * 14);
  expect(new Set(all).size).toBe(all.length);
  // No secret of a fixed pattern: each has several different letters.
  for (const secret of all) expect(new Set(secret).size).toBeGreaterThan(secret.length / 4);
});
