import { argon2Sync } from 'node:crypto';
import { setImmediate as settled } from 'node:timers/promises';
import { hashPassword } from '@better-auth/utils/password';
import { expect, test } from 'vitest';
import { createPasswordHashing, HASHES_WAITING_MAX, hashesAtOnce, passwordHashing } from './password-hashing.ts';

/** Hashing that ends when the test says so. */
function openHashing(cores: number) {
  const ends: (() => void)[] = [];
  const derive = (password: string) =>
    new Promise<string>((resolve) => ends.push(() => resolve(`hash of ${password}`)));
  const compare = async () => {
    await derive('');
    return true;
  };
  return { ends, hashing: createPasswordHashing(cores, { derive, compare }) };
}

test('at most two passwords are hashed at once, and fewer than there are cores where there are several', () => {
  expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 2, 2]);
});

test('hashing and comparing share one limit, and those that wait run in their order', async () => {
  const { ends, hashing } = openHashing(2);
  const done: number[] = [];
  const all = [
    hashing.hash('a').then(() => done.push(1)),
    hashing.verify({ hash: 'h', password: 'b' }).then(() => done.push(2)),
    hashing.hash('c').then(() => done.push(3)),
  ];
  for (const count of [1, 2, 3]) {
    await settled();
    expect(ends.length).toBe(count);
    ends[count - 1]?.();
    await all[count - 1];
  }
  expect(done).toEqual([1, 2, 3]);
});

test('hashing beyond the full queue is rejected at once, with the seconds after which to retry', async () => {
  const { ends, hashing } = openHashing(1);
  const taken = Array.from({ length: 1 + HASHES_WAITING_MAX }, () => hashing.hash('x'));
  await expect(hashing.verify({ hash: 'h', password: 'x' })).rejects.toMatchObject({
    code: 'too_many_attempts',
    params: { seconds: expect.stringMatching(/^\d+$/) },
  });
  for (const one of taken) {
    await settled();
    ends.shift()?.();
    await one;
  }
  const again = hashing.hash('x');
  await settled();
  ends.shift()?.();
  expect(await again).toBe('hash of x');
});

test('an error of hashing reaches the caller, and frees its place', async () => {
  const hashing = createPasswordHashing(1);
  await expect(hashing.verify({ hash: 'no hash', password: 'x' })).rejects.toThrow('Invalid password hash');
  const hash = await hashing.hash('uma frase');
  expect(await hashing.verify({ hash, password: 'uma frase' })).toBe(true);
  expect(await hashing.verify({ hash, password: 'outra frase' })).toBe(false);
});

// ASVS 11.4.2
test('a password is hashed by argon2id with 19 MiB in two passes, and a salt of its own', async () => {
  const password = 'uma frase';
  const hashes = [await passwordHashing.hash(password), await passwordHashing.hash(password)];
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) {
    const [, , , , salt = '', key] = hash.split('$');
    const derived = argon2Sync('argon2id', {
      ...{ message: password, nonce: Buffer.from(salt, 'base64'), parallelism: 1, tagLength: 32 },
      ...{ memory: 19 * 1024, passes: 2 },
    });
    expect(hash.split('$').slice(0, 4)).toEqual(['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    expect(derived.toString('base64').replace('=', '')).toBe(key);
    expect(await passwordHashing.verify({ hash, password })).toBe(true);
    expect(await passwordHashing.verify({ hash, password: 'outra frase' })).toBe(false);
  }
});

// ASVS 11.2.1
test('a hash of the reference implementation is verified at its own cost', async () => {
  // phc-winner-argon2, src/test.c: 64 MiB, two passes, the salt "somesalt".
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await passwordHashing.verify({ hash, password: 'password' })).toBe(true);
  expect(await passwordHashing.verify({ hash, password: 'Password' })).toBe(false);
});

test('a password that was hashed by scrypt before is still verified', async () => {
  const hash = await hashPassword('uma frase');
  expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(await passwordHashing.verify({ hash, password: 'uma frase' })).toBe(true);
  expect(await passwordHashing.verify({ hash, password: 'outra frase' })).toBe(false);
});

test('a password is the same however its letters are composed', async () => {
  const hash = await passwordHashing.hash('ação'.normalize('NFD'));
  expect(await passwordHashing.verify({ hash, password: 'ação'.normalize('NFC') })).toBe(true);
});

test.each([
  '',
  '$argon2id$',
  '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$',
  '$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$x',
])('the stored hash %j is an error, never a match', async (hash) => {
  await expect(passwordHashing.verify({ hash, password: 'x' })).rejects.toThrow('Invalid password hash');
});
