import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { keyLocks } from '#db/encryption/master-keys.ts';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { changeTerms } from '../accounts/change-terms.ts';
import { setAccount } from '../accounts/set-account.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';
import { advanceTestClockAsOperator } from '../accounts/test-clock.ts';
import { switchRail } from '../rails/switch-rail.ts';
import { createApiKey, revokeApiKey } from './manage-api-keys.ts';

/** Two processes of one installation. The clock does not move: no cache entry expires here. */

const NOW = new Date('2026-11-20T12:34:56.789Z');

let first: TestService;
let second: TestService;
/** A connection to the database server that is not the service's. */
let server: pg.Client;

beforeAll(async () => {
  first = await startTestService({ clock: () => NOW });
  second = await startTestService({ clock: () => NOW, beside: first });
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await second.stop();
  await first.stop();
});

const statusOf = async (process: TestService, key: string) => (await process.get('/payments/balance', key)).status;

/** How often keys are looked up in the database, over any connection, while `work` runs. */
async function lookUps(work: () => Promise<void>): Promise<number> {
  const query = vi.spyOn(pg.Pool.prototype, 'query');
  try {
    await work();
    return query.mock.calls.filter(([asked]) => (asked as { name?: string }).name === 'find-key-owner').length;
  } finally {
    query.mockRestore();
  }
}

/** Waits until a process has cached a key; it caches once its listener for invalidations is up. */
async function cached(process: TestService, key: string): Promise<void> {
  await process.until('the key is cached', async () => {
    const asked = await lookUps(async () => expect(await statusOf(process, key)).toBe(200));
    return asked === 0 || null;
  });
}

test('a cached key is not looked up again, whichever handler asks and however often', async () => {
  const { apiKey } = await first.openAccount();
  await cached(first, apiKey);
  const asked = await lookUps(async () => {
    await Promise.all(Array.from({ length: 30 }, () => first.get('/payments/balance', apiKey)));
    await first.get('/api/payments/balance', apiKey);
    await first.post('/payments/transactions', apiKey, { amount: 1 });
  });
  expect(asked).toBe(0);
});

test('a mistyped key never reaches the database', async () => {
  const { apiKey } = await first.openAccount();
  const asked = await lookUps(async () => {
    for (let at = 0; at < apiKey.length; at++) {
      const wrong = apiKey.slice(0, at) + (apiKey[at] === 'x' ? 'y' : 'x') + apiKey.slice(at + 1);
      expect(await statusOf(first, wrong)).toBe(401);
    }
  });
  expect(asked).toBe(0);
  expect(await lookUps(async () => void (await statusOf(first, generateApiKey('test'))))).toBe(1);
});

test('a revoked key is rejected by every process, and the account’s other keys still work', async () => {
  const { apiKey, accountId } = await first.openAccount();
  const other = await createApiKey(first.deps, { accountId, name: 'outra' });
  expect(other?.mode).toBe('test');
  for (const process of [first, second]) {
    await cached(process, apiKey);
    await cached(process, other?.apiKey ?? '');
  }
  expect(await revokeApiKey(second.deps, apiKey)).toEqual({ keyId: expect.any(String) });
  for (const process of [first, second])
    await process.until('the key is out', async () => (await statusOf(process, apiKey)) === 401 || null);
  for (const process of [first, second]) expect(await statusOf(process, other?.apiKey ?? '')).toBe(200);
});

test('a key can be revoked by its id, also a second time, and an unknown one can’t', async () => {
  const { accountId } = await first.openAccount();
  const key = await createApiKey(first.deps, { accountId, name: 'x' });
  for (const _time of [1, 2]) expect(await revokeApiKey(first.deps, key?.keyId ?? '')).toEqual({ keyId: key?.keyId });
  expect(await statusOf(second, key?.apiKey ?? '')).toBe(401);
  expect(await revokeApiKey(first.deps, generateApiKey('test'))).toBeNull();
  expect(await revokeApiKey(first.deps, '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b')).toBeNull();
});

/** What is cached with a key, and who changes it, at the second process. */
const CHANGES: Record<string, (of: { accountId: string; merchantId: string; apiKey: string }) => Promise<unknown>> = {
  'the key is revoked': ({ apiKey }) => revokeApiKey(second.deps, apiKey),
  'the account is suspended': ({ accountId }) => suspendAccount(operator(), { accountId, reason: 'Fraude' }),
  'a rail is turned off': () => switchRail(operator(), { rail: 'crypto_out', reason: 'Manutenção' }),
  'its terms are changed': ({ accountId }) => changeTerms(operator(), { accountId, ...NEW_TERMS }),
  'its clock is moved': (account) =>
    advanceTestClockAsOperator(operator(), { ...account, mode: 'test' }, { id: uuidv7(NOW), byMs: 1_000 }),
  'it is set': ({ accountId }) =>
    setAccount(operator(), { accountId, ...NOTHING_SET, merchant: { kycStatus: 'rejected' } }),
};
const operator = () => ({ ...second.deps, operator: 'ana@trilho.example' });
const NEW_TERMS = { terms: { fees: {}, limits: {}, spreadBps: 100 }, effectiveAt: null, reason: null };
const NOTHING_SET = { account: {}, fees: [], limits: [], rails: [], webhookUrl: undefined, credentials: [] };

test.each(Object.keys(CHANGES))(
  'every process drops what it has cached of an account, although the one that changed it died right after the commit: %s',
  async (what) => {
    const account = await first.openAccount();
    await cached(first, account.apiKey);
    const query = second.deps.db.pool.query.bind(second.deps.db.pool) as (...asked: unknown[]) => Promise<unknown>;
    const dying = vi.spyOn(second.deps.db.pool, 'query').mockImplementation(((...asked: unknown[]) => {
      if (String(asked[0]).includes('pg_notify')) return Promise.reject(new Error('Connection terminated'));
      return query(...asked);
    }) as never);
    await CHANGES[what]?.(account).catch(() => {});
    dying.mockRestore();
    await first.until(
      'the key is looked up again',
      async () => (await lookUps(async () => void (await statusOf(first, account.apiKey)))) > 0 || null,
      5_000,
    );
  },
);

test('a process that can’t receive invalidations caches nothing, so that a key revoked meanwhile is rejected', async () => {
  const [kept, revoked] = [(await first.openAccount()).apiKey, (await first.openAccount()).apiKey];
  for (const key of [kept, revoked]) await cached(first, key);

  const database = new URL(first.databaseUrl).pathname.slice(1);
  const endListeners = () =>
    server.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'trilho-listener'",
      [database],
    );
  // A listener that reconnects waits for the lock by which it shows its master keys.
  const blocker = new pg.Client({ connectionString: first.databaseUrl });
  await blocker.connect();
  const [shown = [0, 0]] = keyLocks(first.deps.secretBox.versions);
  const blocked = blocker.query('SELECT pg_advisory_lock($1, $2)', shown);
  try {
    await endListeners();
    await blocked;
    await first.until('the loss is noticed', async () => {
      const asked = await lookUps(async () => void (await statusOf(first, kept)));
      return asked > 0 || null;
    });
    const asked = await lookUps(async () => {
      for (const _time of [1, 2, 3]) expect(await statusOf(first, kept)).toBe(200);
    });
    expect(asked).toBe(3);

    // No process receives this invalidation.
    await revokeApiKey(first.deps, revoked);
    expect(await statusOf(first, revoked)).toBe(401);
  } finally {
    await blocker.end();
  }
  for (const process of [first, second]) {
    await cached(process, kept);
    expect(await statusOf(process, revoked)).toBe(401);
  }
});

test('the database holds the hash, the prefix and the last use of a key, and no row holds the key or the webhook secret', async () => {
  const { apiKey, secretKey, accountId } = await first.openAccount();
  const { pool } = first.deps.db;
  const row = async () =>
    (
      await pool.query('SELECT prefix, last_used_at, octet_length(hash) AS bytes FROM api_keys WHERE account_id = $1', [
        accountId,
      ])
    ).rows;
  expect(await row()).toEqual([{ prefix: apiKey.slice(0, 12), last_used_at: null, bytes: 32 }]);
  await statusOf(first, apiKey);
  expect(await row()).toEqual([{ prefix: apiKey.slice(0, 12), last_used_at: NOW, bytes: 32 }]);

  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'sandbox') AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(15);
  const secret = secretKey.slice('whsec_'.length);
  // As plain text, and as PostgreSQL writes bytes.
  const needles = [apiKey, apiKey.slice(8), secretKey, secret].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').slice(0, -4),
  ]);
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    for (const needle of needles) expect(rows.filter(({ row: text }) => text.includes(needle))).toEqual([]);
  }
});
