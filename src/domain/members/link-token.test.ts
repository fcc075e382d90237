import { expect, test } from 'vitest';
import { linkTokenHash, newLinkToken } from './link-token.ts';

test('the token of a link has 256 random bits, and leads to the hash that is stored', () => {
  const one = newLinkToken();
  const other = newLinkToken();
  expect(Buffer.from(one.token, 'base64url')).toHaveLength(32);
  expect(one.token).not.toBe(other.token);
  expect(linkTokenHash(one.token)).toEqual(one.hash);
  expect(one.hash).toHaveLength(32);
});

test.each(['', 'x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}\n`])(
  '%j is the token of no link',
  (text) => {
    expect(linkTokenHash(text)).toBeNull();
  },
);
