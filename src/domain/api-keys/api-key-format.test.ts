import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { displayPartsOf, generateApiKey, hashApiKey, readApiKey } from './api-key-format.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe.each(['live', 'test'] as const)('a %s key', (mode) => {
  test('reads as what it is and shows its first twelve characters and its last four', () => {
    for (let i = 0; i < 200; i++) {
      const key = generateApiKey(mode);
      expect(key).toMatch(new RegExp(`^tr_${mode}_[0-9A-Za-z]{36}$`));
      expect(readApiKey(key)).toEqual({ mode, prefix: key.slice(0, 12) });
      expect(displayPartsOf(key)).toEqual({ prefix: key.slice(0, 12), lastFour: key.slice(-4) });
    }
  });

  test('with one wrong character is rejected, wherever it is', () => {
    const key = generateApiKey(mode);
    for (let i = 0; i < key.length; i++) {
      for (const character of alphabet) {
        if (character === key[i]) continue;
        expect(readApiKey(key.slice(0, i) + character + key.slice(i + 1))).toBeNull();
      }
    }
  });

  test('with two neighbours swapped is rejected', () => {
    const key = generateApiKey(mode);
    for (let i = 0; i + 1 < key.length; i++) {
      const swapped = key.slice(0, i) + key.charAt(i + 1) + key.charAt(i) + key.slice(i + 2);
      if (swapped !== key) expect(readApiKey(swapped)).toBeNull();
    }
  });

  test('does not pass for the other mode', () => {
    const key = generateApiKey(mode);
    expect(readApiKey(key.replace(mode, mode === 'live' ? 'test' : 'live'))).toBeNull();
  });
});

test('the checksum is the CRC-32 of everything before it, in base62', () => {
  const key = generateApiKey('live');
  let value = 0;
  for (const character of key.slice(-6)) value = value * 62 + alphabet.indexOf(character);
  expect(value).toBe(crc32(key.slice(0, -6)));
});

test('a key handed out once reads for ever', () => {
  const key = 'tr_test_0123456789ABCDEFGHIJKLMNOPQRST0pwKC9';
  expect(readApiKey(key)).toEqual({ mode: 'test', prefix: 'tr_test_0123' });
});

test.each(['', 'tr_live_', 'sk_live_x', 'tr_demo_0123456789012345678901234567890123456', ' ', 'x'.repeat(100_000)])(
  'text of another shape is no key',
  (text) => {
    expect(readApiKey(text)).toBeNull();
  },
);

test('white space around a key is not forgiven', () => {
  const key = generateApiKey('test');
  for (const text of [` ${key}`, `${key} `, `${key}\n`]) expect(readApiKey(text)).toBeNull();
});

// ASVS 11.5.1
test('keys never repeat and use every character about equally', () => {
  const keys = Array.from({ length: 4_000 }, () => generateApiKey('test'));
  expect(new Set(keys).size).toBe(keys.length);
  const counts = new Map([...alphabet].map((character) => [character, 0]));
  for (const key of keys)
    for (const character of key.slice(8, 38)) counts.set(character, (counts.get(character) ?? 0) + 1);
  const expected = (keys.length * 30) / 62;
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: a fair source exceeds 150 less than once in a hundred million runs, a
  // byte modulo 62 gives about 800.
  expect(chiSquare).toBeLessThan(150);
});

// ASVS 11.4.3
test('the hash is SHA-256, 32 bytes', () => {
  const key = generateApiKey('live');
  expect(hashApiKey(key)).toEqual(createHash('sha256').update(key).digest());
  expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
