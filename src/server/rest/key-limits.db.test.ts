import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { createApiKey, type OperatorKeyInput } from '#services/api-keys/manage-api-keys.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { restDocument, restProcedures } from './openapi/document.ts';
import { findOperation, send } from './openapi/testing/document-replay.ts';

/**
 * What a key may do, where it may come from and how long it works, at every operation the router
 * has.
 */

const DENIED = {
  success: false,
  error: 'Permissão negada',
  message:
    'Esta chave, ou a conta dela, não tem permissão para esta operação. Um membro cria no painel, em Chaves de API, outra com a permissão que falta; abrir contas depende também da conta.',
  code: 'permission_denied',
};
const ELSEWHERE = {
  success: false,
  error: 'Endereço IP não permitido',
  message: 'Esta chave só aceita requisições dos endereços IP da lista dela, que se vê em Chaves de API no painel.',
  code: 'ip_not_allowed',
};
/**
 * What a family's body has of these: the crypto endpoints' message is the others' `error`.
 */
const inFamily = (body: typeof DENIED, isCrypto: boolean) =>
  isCrypto ? { success: false, message: body.error, code: body.code } : body;

/**
 * Operations that any key may call, and why. A new operation has a permission, or a reason here.
 */
const FOR_EVERY_KEY: Record<string, string> = {
  'currencies.list': 'what the account could use is the same for every key',
  'currencies.quote': 'a market price, which reserves nothing and shows nothing of the account',
  'account.get': 'a system has to find out whose key it holds',
  'account.limits': 'what the account may do; the sums of today are no balance',
};

const NOW = Date.parse('2026-11-20T12:34:56.789Z');
const CACHE_MS = 60_000;

const document = restDocument();
const OPERATIONS = restProcedures().map(({ name, meta }) => ({
  name,
  permission: meta.permission,
  isCrypto: meta.rest?.crypto !== undefined,
  operation: findOperation(document, meta.openapi.operationId ?? ''),
}));
const PERMITTED = OPERATIONS.flatMap(({ permission, ...rest }) => (permission ? [{ permission, ...rest }] : []));

let now = NOW;
let trilho: TestService;
let accountId: string;

beforeAll(async () => {
  trilho = await startTestService({
    clock: () => new Date(now),
    variables: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FAILED_KEYS: '3' },
  });
  ({ accountId } = await trilho.openAccount({ currency: 'USDT_BSC', canCreateAccounts: true }));
});
afterAll(() => trilho.stop());

async function newKey(input: Partial<OperatorKeyInput> = {}): Promise<string> {
  const key = await createApiKey(trilho.deps, { accountId, name: 'chave', ...input });
  if (!key) throw new Error('There is no account.');
  return key.apiKey;
}

/**
 * Behind the trusted proxy that the test is: a client at this address. Each test has addresses of
 * its own.
 */
const from = (address: string) => ({ 'x-forwarded-for': address });
const balance = (apiKey: string, headers = {}) => trilho.get('/payments/balance', apiKey, headers);

describe('permissions', () => {
  let others: Map<Permission, string>;
  let powerless: string;
  beforeAll(async () => {
    powerless = await newKey({ permissions: [] });
    others = new Map();
    for (const missing of PERMISSIONS)
      others.set(missing, await newKey({ permissions: PERMISSIONS.filter((one) => one !== missing) }));
  });

  test.each(PERMITTED)(
    '$name is 403 in its family’s body for a key with every permission but $permission',
    async ({ permission, isCrypto, operation }) => {
      const answer = await send(trilho, operation, { apiKey: others.get(permission) });
      expect([answer.status, answer.body]).toEqual([403, inFamily(DENIED, isCrypto)]);
    },
  );

  test.each(PERMITTED)('$name is open to a key with $permission alone', async ({ permission, operation }) => {
    const answer = await send(trilho, operation, { apiKey: await newKey({ permissions: [permission] }) });
    // What it is about may not exist, or may not be possible: but the call was allowed.
    expect(answer.status).not.toBe(403);
    expect(answer.status).not.toBe(401);
  });

  test.each(PERMITTED.filter(({ operation }) => operation.method === 'POST'))(
    '$name is rejected before its input is checked, and a repetition with the right key executes',
    async ({ isCrypto, operation }) => {
      const headers = { 'idempotency-key': `denied-${operation.operation.operationId}` };
      const answer = await send(trilho, operation, { apiKey: powerless, body: { amount: 'x' }, headers });
      expect([answer.status, answer.body]).toEqual([403, inFamily(DENIED, isCrypto)]);
      const again = await send(trilho, operation, { apiKey: await newKey({ permissions: PERMISSIONS }), headers });
      expect(again.headers.get('idempotent-replayed')).toBeNull();
      // 422 would say that the rejected try had used the Idempotency-Key up.
      expect([403, 422]).not.toContain(again.status);
    },
  );

  test('an account that may open none for others is rejected before its fields are checked, whatever its key may do', async () => {
    const { apiKey } = await trilho.openAccount();
    for (const headers of [{}, { 'idempotency-key': 'no-accounts' }] as Record<string, string>[])
      for (const body of [{}, { name: 7 }, { documentType: 'rg', document: 'x' }]) {
        const answer = await trilho.post('/accounts', apiKey, body, headers);
        expect([answer.status, answer.body]).toEqual([403, DENIED]);
      }
  });

  test.each(PERMITTED.filter(({ operation }) => operation.method === 'POST'))(
    '$name is 403 also under an Idempotency-Key that another key of the account was answered with',
    async ({ name, isCrypto, operation }) => {
      const headers = { 'idempotency-key': `known-${name}` };
      const first = await send(trilho, operation, { apiKey: await newKey({ permissions: [...PERMISSIONS] }), headers });
      const answer = await send(trilho, operation, { apiKey: powerless, headers });
      expect([answer.status, answer.body]).toEqual([403, inFamily(DENIED, isCrypto)]);
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
      expect(first.status).not.toBe(403);
    },
  );

  test('every other operation is open to every key, for a reason', async () => {
    const open = OPERATIONS.filter(({ permission }) => !permission);
    const names = open.map(({ name }) => name).sort();
    expect(names, 'Give a new operation a permission, or a reason in FOR_EVERY_KEY').toEqual(
      Object.keys(FOR_EVERY_KEY).sort(),
    );
    for (const { operation } of open) expect((await send(trilho, operation, { apiKey: powerless })).status).toBe(200);
  });

  test('a key without the permission moves nothing', async () => {
    const { pool } = trilho.deps.db;
    const count = async () => (await pool.query('SELECT count(*)::int AS n FROM transactions')).rows[0].n;
    const before = await count();
    for (const { operation } of PERMITTED.filter((one) => one.operation.method === 'POST'))
      await send(trilho, operation, { apiKey: powerless });
    expect(await count()).toBe(before);
  });
});

describe('addresses', () => {
  test.each(OPERATIONS)(
    '$name is 403 in its family’s body for a key that comes from elsewhere',
    async ({ name, isCrypto, operation }) => {
      const apiKey = await newKey({ allowedIps: ['203.0.113.0/24'] });
      const address = `198.51.100.${OPERATIONS.findIndex((one) => one.name === name)}`;
      const answer = await send(trilho, operation, { apiKey, headers: from(address) });
      expect([answer.status, answer.body]).toEqual([403, inFamily(ELSEWHERE, isCrypto)]);
    },
  );

  test('a key works from the addresses and ranges of its list, in either spelling, and from no other', async () => {
    const apiKey = await newKey({ allowedIps: ['203.0.113.7', '192.0.2.0/25', '2001:db8:1:2::/64', '2001:db8:9::9'] });
    const status = async (address: string) => (await balance(apiKey, from(address))).status;
    for (const inside of [
      ...['203.0.113.7', '::ffff:203.0.113.7', '192.0.2.0', '192.0.2.127'],
      ...['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:9::9'],
    ])
      expect([inside, await status(inside)]).toEqual([inside, 200]);
    // The last one is the neighbour, in its /64, of one that is allowed alone.
    for (const outside of ['203.0.113.8', '192.0.2.128', '2001:db8:1:3::1', '2001:db8:9::8'])
      expect([outside, await status(outside)]).toEqual([outside, 403]);
  });

  test('what a client says of itself is not believed: only the trusted proxy’s word counts', async () => {
    const apiKey = await newKey({ allowedIps: ['203.0.113.7'] });
    expect((await balance(apiKey, from('203.0.113.7, 198.51.100.77'))).status).toBe(403);
    expect((await balance(apiKey, from('198.51.100.77, 203.0.113.7'))).status).toBe(200);
    const direct = await startTestService({ beside: trilho, clock: () => new Date(now) });
    expect((await direct.get('/payments/balance', apiKey, from('203.0.113.7'))).status).toBe(403);
    await direct.stop();
  });

  test('a client at an address that is not allowed soon gets 429, and uses up nothing of the key’s limit', async () => {
    const apiKey = await newKey({ allowedIps: ['203.0.113.7'] });
    const remaining = async () => {
      const answer = await balance(apiKey, from('203.0.113.7'));
      expect(answer.status).toBe(200);
      return Number(answer.headers.get('ratelimit-remaining'));
    };
    const before = await remaining();
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await balance(apiKey, from('198.51.100.99'))).status);
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
    expect(await remaining()).toBe(before - 1);
  });
});

describe('expiry', () => {
  test('a key stops at the instant it expires, also where it is cached and also where failed keys are held back', async () => {
    now = NOW;
    const apiKey = await newKey({ expiresAt: new Date(NOW + CACHE_MS / 2) });
    const asked: string[] = [];
    const { pool } = trilho.deps.db;
    const original = pool.query;
    // The service is asked until it caches: invalidations arrive a moment after the start.
    await trilho.until('the key is cached', async () => {
      asked.length = 0;
      pool.query = ((...args: Parameters<typeof original>) => {
        asked.push(String((args[0] as { name?: string }).name));
        return original.apply(pool, args);
      }) as typeof original;
      const { status } = await balance(apiKey, from('192.0.2.201')).finally(() => {
        pool.query = original;
      });
      expect(status).toBe(200);
      return !asked.includes('find-key-owner') || null;
    });
    now = NOW + CACHE_MS / 2 - 1;
    expect((await balance(apiKey, from('192.0.2.201'))).status).toBe(200);
    now = NOW + CACHE_MS / 2;
    const over = await balance(apiKey, from('192.0.2.201'));
    expect([over.status, over.body.error]).toEqual([401, 'API key inválida']);
    now = NOW;
  });
});
