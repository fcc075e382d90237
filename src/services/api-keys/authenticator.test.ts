import { expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { generateApiKey, hashApiKey } from '#domain/api-keys/api-key-format.ts';
import { createAuthenticator } from './authenticator.ts';

/**
 * A database that knows these keys by their hash, counts queries, and responds when the test
 * releases it.
 */
function keysTable() {
  const owners = new Map<string, { keyId: string; accountId: string; expiresAt: Date | null }>();
  const table = {
    questions: 0,
    /**
     * Queries wait for this, where it is set, and are answered with what was true when they were
     * made.
     */
    held: undefined as Promise<void> | undefined,
    failing: false,
    add(accountId: string, expiresAt: Date | null = null): string {
      const key = generateApiKey('test');
      owners.set(hashApiKey(key).toString('hex'), { keyId: key.slice(0, 12), accountId, expiresAt });
      return key;
    },
    expire(key: string, expiresAt: Date) {
      const owner = owners.get(hashApiKey(key).toString('hex'));
      if (owner) owners.set(hashApiKey(key).toString('hex'), { ...owner, expiresAt });
    },
    revoke: (key: string) => void owners.delete(hashApiKey(key).toString('hex')),
    async query({ values: [hash] }: { values: [Buffer] }) {
      table.questions++;
      if (table.failing) throw new Error('the database is away');
      const owner = owners.get(hash.toString('hex'));
      await table.held;
      return {
        rows: owner
          ? [{ ...owner, merchantId: 'm', mode: 'test', fees: null, termsChangeAt: null, hasTestClock: false }]
          : [],
      };
    },
  };
  return table;
}

function setUp() {
  const table = keysTable();
  const time = { ms: Date.UTC(2026, 10, 20) };
  const authenticator = createAuthenticator({ pool: table } as unknown as Database, () => new Date(time.ms));
  authenticator.setInvalidationOnline(true);
  return { table, time, authenticator };
}

const gate = () => Promise.withResolvers<void>();

test('a key is looked up once, and again after a minute', async () => {
  const { table, time, authenticator } = setUp();
  const key = table.add('a');
  for (const passed of [0, 1, 59_999]) {
    time.ms = Date.UTC(2026, 10, 20) + passed;
    expect(await authenticator.authenticate(key)).toMatchObject({ accountId: 'a', mode: 'test' });
  }
  expect(table.questions).toBe(1);
  time.ms = Date.UTC(2026, 10, 20) + 60_000;
  await authenticator.authenticate(key);
  expect(table.questions).toBe(2);
});

test('many simultaneous requests with one key share one look-up', async () => {
  const { table, authenticator } = setUp();
  const key = table.add('a');
  const found = await Promise.all(Array.from({ length: 50 }, () => authenticator.authenticate(key)));
  expect([new Set(found.map(({ accountId }) => accountId)), table.questions]).toEqual([new Set(['a']), 1]);
});

test('a text that can be no key never reaches the database', async () => {
  const { table, authenticator } = setUp();
  const key = table.add('a');
  for (const nothing of [undefined, ''])
    await expect(authenticator.authenticate(nothing)).rejects.toMatchObject({ code: 'api_key_missing' });
  const mistyped = Array.from(
    key,
    (_letter, at) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1),
  );
  for (const wrong of [...mistyped, `${key} `, key.slice(1), key.toUpperCase(), `${key}${key}`, 'x'])
    await expect(authenticator.authenticate(wrong)).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(table.questions).toBe(0);
});

test('an unknown key is looked up each time, since it may be issued the next moment', async () => {
  const { table, authenticator } = setUp();
  const key = generateApiKey('live');
  for (const asked of [1, 2]) {
    await expect(authenticator.authenticate(key)).rejects.toMatchObject({ code: 'api_key_invalid' });
    expect(table.questions).toBe(asked);
  }
});

test('an invalidation drops the cached keys of that account, and of no other', async () => {
  const { table, authenticator } = setUp();
  const [mine, second, other] = [table.add('a'), table.add('a'), table.add('b')];
  for (const key of [mine, second, other]) await authenticator.authenticate(key);
  table.revoke(mine);
  authenticator.invalidate('a');
  await expect(authenticator.authenticate(mine)).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(table.questions).toBe(4);
  await authenticator.authenticate(second);
  expect(table.questions).toBe(5);
  await authenticator.authenticate(other);
  expect(table.questions).toBe(5);
});

/** A key that was revoked after its look-up began, which is not answered yet. */
function revokedDuringLookUp() {
  const { table, authenticator } = setUp();
  const key = table.add('a');
  const answer = gate();
  table.held = answer.promise;
  const before = authenticator.authenticate(key);
  table.revoke(key);
  authenticator.invalidate('a');
  return { authenticator, key, before, answer };
}

test('a look-up that began before a revocation is not cached after it', async () => {
  const { authenticator, key, before, answer } = revokedDuringLookUp();
  answer.resolve();
  await before;
  await expect(authenticator.authenticate(key)).rejects.toMatchObject({ code: 'api_key_invalid' });
});

test('a request that comes after a revocation does not join a look-up that began before it', async () => {
  const { authenticator, key, before, answer } = revokedDuringLookUp();
  const after = authenticator.authenticate(key).catch((error: unknown) => error);
  answer.resolve();
  await before;
  expect(await after).toMatchObject({ code: 'api_key_invalid' });
});

test('while invalidations can’t arrive the cache is empty and no key is cached', async () => {
  const { table, authenticator } = setUp();
  const key = table.add('a');
  await authenticator.authenticate(key);
  authenticator.setInvalidationOnline(false);
  for (const asked of [2, 3]) {
    await authenticator.authenticate(key);
    expect(table.questions).toBe(asked);
  }
  // The connection is back; a look-up that began without it may have missed an invalidation.
  const answer = gate();
  table.held = answer.promise;
  const during = authenticator.authenticate(key);
  authenticator.setInvalidationOnline(true);
  answer.resolve();
  await during;
  await authenticator.authenticate(key);
  expect(table.questions).toBe(5);
  await authenticator.authenticate(key);
  expect(table.questions).toBe(5);
});

test('a look-up that fails is not cached', async () => {
  const { table, authenticator } = setUp();
  const key = table.add('a');
  table.failing = true;
  await expect(authenticator.authenticate(key)).rejects.toThrow('away');
  table.failing = false;
  expect(await authenticator.authenticate(key)).toMatchObject({ accountId: 'a' });
});

test('a cached key is rejected from the instant it expires, and is no longer a known key', async () => {
  const { table, time, authenticator } = setUp();
  const expiresAt = new Date(time.ms + 10_000);
  const key = table.add('a', expiresAt);
  await authenticator.authenticate(key);
  time.ms = expiresAt.getTime() - 1;
  expect(authenticator.getCached(key)).toMatchObject({ accountId: 'a' });
  expect(authenticator.isKnownKey(key)).toBe(true);
  expect(await authenticator.authenticate(key)).toMatchObject({ accountId: 'a' });
  expect(table.questions).toBe(1);
  time.ms = expiresAt.getTime();
  expect(authenticator.getCached(key)).toBeNull();
  expect(authenticator.isKnownKey(key)).toBe(false);
  // The table still has the key: the expiry is judged by this process's clock.
  await expect(authenticator.authenticate(key)).rejects.toMatchObject({ code: 'api_key_invalid' });
});

test('an earlier expiry that a known key is given applies from the next look-up on', async () => {
  const { table, time, authenticator } = setUp();
  const key = table.add('a');
  await authenticator.authenticate(key);
  table.expire(key, new Date(time.ms + 5_000));
  authenticator.invalidate('a');
  await authenticator.authenticate(key);
  time.ms += 5_000;
  expect([authenticator.getCached(key), authenticator.isKnownKey(key)]).toEqual([null, false]);
});

test('a look-up that ends after the key expired accepts no request', async () => {
  const { table, time, authenticator } = setUp();
  const key = table.add('a', new Date(time.ms + 1_000));
  const answer = gate();
  table.held = answer.promise;
  const outcome = authenticator.authenticate(key).catch((error: unknown) => error);
  time.ms += 1_000;
  answer.resolve();
  expect(await outcome).toMatchObject({ code: 'api_key_invalid' });
});

test('a flood of valid keys does not fill the memory: a full cache is emptied', async () => {
  const { table, authenticator } = setUp();
  const keys = Array.from({ length: 10_001 }, () => table.add('a'));
  for (const key of keys) await authenticator.authenticate(key);
  // The first one is not cached any more.
  await authenticator.authenticate(keys[0]);
  expect(table.questions).toBe(10_002);
});
