import { makeSignature } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { addMasterKey, generateMasterKeys, promoteMasterKey, removeMasterKey } from '#domain/encryption/master-keys.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { betterAuthSecrets, openBetterAuth, sealBetterAuth } from '../members/better-auth-secrets.ts';
import { createDeviceCookies } from './device-cookies.ts';
import { createSignedCookies } from './signed-cookies.ts';

const first = generateMasterKeys();
const joined = addMasterKey(first);
const both = promoteMasterKey(joined, 'v2') ?? '';
const before = createSecretBox(first);
const opener = createSecretBox(joined);
const during = createSecretBox(both);
const after = createSecretBox(removeMasterKey(both, 'v1') ?? '');

/** A cookie as better-auth signs it under these keys. */
const signedBy = async (box: SecretBox) =>
  `token.${await makeSignature('token', betterAuthSecrets(box)[0]?.value ?? '')}`;

test('a session that either key signed is read while both are present, and only one of the new key afterwards', async () => {
  const old = await signedBy(before);
  const fresh = await signedBy(during);
  const reads = (box: SecretBox, cookie: string) => createSignedCookies(box).read(cookie);
  for (const box of [opener, during]) {
    expect(reads(box, old)).toBe('token');
    expect(reads(box, fresh)).toBe('token');
  }
  expect(reads(after, fresh)).toBe('token');
  expect(reads(after, old)).toBeNull();
});

// ASVS 9.1.1, 9.1.2, 9.1.3
test('a session without a signature, or with another’s, is not valid', async () => {
  const { read } = createSignedCookies(during);
  const [, signature] = (await signedBy(during)).split('.');
  for (const cookie of [
    null,
    '',
    'token',
    'token.',
    `other.${signature}`,
    `.${signature}`,
    `token.${'A'.repeat(43)}=`,
  ]) {
    expect(read(cookie)).toBeNull();
  }
});

test('a cookie that the old key signed is signed again by the new one, and another cookie stays as it is', async () => {
  const fresh = await signedBy(during);
  const { renew, renewAll } = createSignedCookies(during);
  expect(renew(await signedBy(before))).toBe(fresh);
  expect(renew(fresh)).toBeNull();
  expect(renew('token.forged')).toBeNull();
  const cookies = (session: string) => `theme=dark; trilho.session_token=${encodeURIComponent(session)}; x=%; y=a.b; z`;
  expect(renewAll(cookies(await signedBy(before)))).toBe(cookies(fresh));
  expect(renewAll(cookies('token.forged'))).toBe(cookies('token.forged'));
  expect(renewAll('')).toBe('');
});

test('a browser is known from a device cookie of either key while both are present', () => {
  const cookie = createDeviceCookies(before).issue('maria@example.com');
  for (const box of [opener, during]) expect(createDeviceCookies(box).read(cookie, 'maria@example.com')).not.toBeNull();
  expect(createDeviceCookies(during).read(cookie, 'joao@example.com')).toBeNull();
  expect(createDeviceCookies(after).read(cookie, 'maria@example.com')).toBeNull();
});

test('an authenticator’s secret opens under either key while both are present, and is encrypted under the new one', async () => {
  const sealed = await sealBetterAuth(before, 'secret');
  expect(sealed).toMatch(/^\$ba\$1\$/);
  expect(await openBetterAuth(during, sealed)).toBe('secret');
  const again = await sealBetterAuth(during, 'secret');
  expect(again).toMatch(/^\$ba\$2\$/);
  expect(await openBetterAuth(after, again)).toBe('secret');
  await expect(openBetterAuth(after, sealed)).rejects.toThrow();
});
