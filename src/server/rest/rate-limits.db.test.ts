import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';

/** Rate limits as a client meets them, over HTTP: low ones, so that they are reached. */

const LIMITED = {
  success: false,
  error: 'Limite de requisições excedido',
  message: 'Aguarde os segundos do cabeçalho Retry-After antes de repetir.',
  code: 'rate_limited',
};
const headers = ({ headers: all }: Answer) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-policy'].map((name) => all.get(name));

describe.each([
  ['the rate limits in memory, in a process alone', 'all'],
  ['the rate limits in PostgreSQL, in web processes beside each other', 'web'],
])('%s', (_, role) => {
  let trilho: TestService;
  let beside: TestService | undefined;
  /** The limits have a clock of their own. */
  let aheadMs = 0;
  beforeAll(async () => {
    const variables = {
      ROLE: role,
      RATE_LIMIT_PER_KEY: '5',
      RATE_LIMIT_FAILED_KEYS: '3',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    trilho = await startTestService({ variables, clock: () => new Date(Date.now() + aheadMs) });
    if (role === 'web') beside = await startTestService({ variables, beside: trilho });
  });
  afterAll(async () => {
    await beside?.stop();
    await trilho.stop();
  });

  test('a key may make a number of requests a minute, at all processes together; then it gets 429 with Retry-After', async () => {
    const { apiKey } = await trilho.openAccount();
    const first = await trilho.get('/payments/balance', apiKey);
    expect([first.status, ...headers(first)]).toEqual([200, '5', '4', '5;w=60']);
    for (let i = 0; i < 4; i++) expect((await (beside ?? trilho).get('/payments/balance', apiKey)).status).toBe(200);
    const rejected = await trilho.get('/payments/balance', apiKey);
    expect([rejected.status, rejected.body, ...headers(rejected)]).toEqual([429, LIMITED, '5', '0', '5;w=60']);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    const crypto = await trilho.post('/payments/deposits/crypto', apiKey, { amount: 1 });
    expect([crypto.status, crypto.body]).toEqual([429, { success: false, message: LIMITED.error, code: LIMITED.code }]);
    const { apiKey: other } = await trilho.openAccount();
    expect((await trilho.get('/payments/balance', other)).status).toBe(200);
  });

  test('an address may send a number of wrong keys a minute; a known key there is served, and other addresses are not affected', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { apiKey } = await trilho.openAccount();
    expect((await trilho.get('/account', apiKey, from('198.51.100.7'))).status).toBe(200);
    const attack = () => trilho.get('/account', generateApiKey('test'), from('198.51.100.7'));
    for (let i = 0; i < 3; i++) expect((await attack()).status).toBe(401);
    const rejected = await attack();
    expect([rejected.status, rejected.body]).toEqual([429, LIMITED]);
    expect((await trilho.get('/account', 'no key at all', from('198.51.100.7'))).status).toBe(429);
    expect((await trilho.get('/account', apiKey, from('198.51.100.7'))).status).toBe(200);
    // It is looked up again, a minute later.
    aheadMs += 61_000;
    expect((await trilho.get('/account', apiKey, from('198.51.100.7'))).status).toBe(200);
    expect((await attack()).status).toBe(429);
    expect((await trilho.get('/account', generateApiKey('test'), from('198.51.100.8'))).status).toBe(401);
  });

  test('after too many wrong keys an address learns of no other key whether it is right, until the minute is over', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { apiKey } = await trilho.openAccount();
    for (let i = 0; i < 4; i++) await trilho.get('/account', generateApiKey('test'), from('198.51.100.9'));
    const guessed = await trilho.get('/account', apiKey, from('198.51.100.9'));
    expect([guessed.status, guessed.body]).toEqual([429, LIMITED]);
    expect((await trilho.get('/account', apiKey, from('198.51.100.10'))).status).toBe(200);
  });
});
