import { scryptSync } from 'node:crypto';
import { setImmediate as settled } from 'node:timers/promises';
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

test('a password is hashed with 32 MiB of scrypt, and a salt of its own', async () => {
  const password = 'uma frase';
  const hashes = [await passwordHashing.hash(password), await passwordHashing.hash(password)];
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) {
    const [salt = '', key] = hash.split(':');
    const atCost = (cost: number) =>
      scryptSync(password, salt, 64, { cost, blockSize: 16, parallelization: 1, maxmem: 2 ** 26 }).toString('hex');
    expect(atCost(2 ** 14)).toBe(key);
    expect(atCost(2 ** 13)).not.toBe(key);
    expect(await passwordHashing.verify({ hash, password })).toBe(true);
  }
});
