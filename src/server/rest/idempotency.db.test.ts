import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LimitName } from '#domain/accounts/limits.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { makePaidCharge } from '../../testing/paid-charge.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';

/** `Idempotency-Key` as a merchant's system meets it: over HTTP, with everything behind it. */

let now = new Date('2026-11-20T12:00:00Z');
let trilho: TestService;
let merchant: Awaited<ReturnType<TestService['openAccount']>>;
let keys = 0;

beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
  merchant = await trilho.openAccount({ limits: [{ name: 'maximal_value_in_pix', centavos: 500_00n }] });
});
afterAll(() => trilho.stop());
afterEach(() => trilho.setSwitch('pix.charge', 'ok'));

const freshKey = () => `pedido-${++keys}`;
const charge = (key: string, body: unknown = { amount: 10 }, apiKey = merchant.apiKey): Promise<Answer> =>
  trilho.post('/payments/transactions', apiKey, body, { 'idempotency-key': key });
const count = async (accountId = merchant.accountId): Promise<number> => {
  const { rows } = await trilho.deps.db.pool.query<{ n: bigint }>(
    'SELECT count(*) AS n FROM transactions WHERE account_id = $1',
    [accountId],
  );
  return Number(rows[0]?.n);
};
const errorOf = ({ status, body }: Answer) => [status, body.error];
const setMaximum = (accountId: string, name: LimitName, centavos: bigint | null) =>
  setAccount(trilho.deps, {
    ...{ accountId, merchant: {}, account: {}, fees: [], rails: [], webhookUrl: undefined, credentials: [] },
    limits: [{ name, centavos }],
  });

describe('the same key and body', () => {
  test('give the same status and body again, byte for byte, and create once', async () => {
    const key = freshKey();
    const before = await count();
    const first = await charge(key);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    for (let i = 0; i < 5; i++) {
      const again = await charge(key);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    }
    expect(await count()).toBe(before + 1);
  });

  test('are the same in another order of members and at the other prefix', async () => {
    const key = freshKey();
    const first = await charge(key, { amount: 10, description: 'café' });
    const again = await trilho.post(
      '/api/payments/transactions',
      merchant.apiKey,
      '{"description":"café", "amount": 10.0}',
      {
        'idempotency-key': key,
      },
    );
    expect(again.text).toBe(first.text);
  });

  test('are the same with the id in the path in capitals', async () => {
    const { transaction_id: id } = JSON.parse((await charge(freshKey())).text).data;
    const cancel = (own: string, key: string) =>
      trilho.post(`/payments/transactions/${own}/cancel`, merchant.apiKey, {}, { 'idempotency-key': key });
    const key = freshKey();
    const first = await cancel(id, key);
    expect([first.status, (await cancel(id.toUpperCase(), key)).text]).toEqual([200, first.text]);
  });

  test('are accepted with an unknown field of any depth, as without a key', async () => {
    const body = `{"amount":10,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect((await charge(freshKey(), body)).status).toBe(200);
  });

  test('are the same with an optional field as null, as an empty text, and without it', async () => {
    const key = freshKey();
    const before = await count();
    const first = await charge(key, { amount: 10, description: null, metadata: null });
    for (const body of [{ amount: 10 }, { amount: 10, description: '', expiresIn: null }]) {
      const again = await charge(key, body);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    }
    expect(errorOf(await charge(key, { amount: 10, description: 'x' }))).toEqual([422, 'Idempotency-Key já usada']);
    expect(await count()).toBe(before + 1);
  });

  test('of a scheduled withdrawal are the same with a null inside of a field, and without it', async () => {
    const key = freshKey();
    const withdraw = (repeat: object) =>
      trilho.post(
        '/payments/transfers/pix',
        merchant.apiKey,
        { amount: 10, pixKey: 'a@example.com', pixKeyType: 'EMAIL', scheduledFor: '2026-12-01', repeat },
        { 'idempotency-key': key },
      );
    const first = await withdraw({ every: 'week', count: 2, until: null });
    const again = await withdraw({ every: 'week', count: 2 });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  test('sent at once execute once: the others get its response or 409', async () => {
    const key = freshKey();
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 50 }, () => charge(key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const other of answers.filter(({ status }) => status !== 200)) {
      expect(errorOf(other)).toEqual([409, 'Requisição em andamento']);
      expect(other.headers.get('retry-after')).toBe('1');
    }
    expect(await count()).toBe(before + 1);
  });

  test('give a rejection again', async () => {
    const key = freshKey();
    const first = await charge(key, { amount: 600 });
    expect(errorOf(first)).toEqual([400, 'Valor acima do máximo permitido']);
    const again = await charge(key, { amount: 600 });
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([400, first.text, 'true']);
  });

  test('give the PSP’s rejection again: a new try needs a new key', async () => {
    await trilho.setSwitch('pix.charge', 'refused');
    const key = freshKey();
    expect(errorOf(await charge(key))).toEqual([400, 'Não foi possível criar a cobrança']);
    await trilho.setSwitch('pix.charge', 'ok');
    expect(errorOf(await charge(key))).toEqual([400, 'Não foi possível criar a cobrança']);
    expect((await charge(freshKey())).status).toBe(200);
  });
});

describe('a replayed response', () => {
  const body = { name: 'Cliente', email: 'cliente@example.com', document: '52998224725', documentType: 'cpf' };
  const openFor = (apiKey: string) => trilho.post('/accounts', apiKey, body, { 'idempotency-key': 'conta' });
  const reject = (merchantId: string, to = 'rejected') =>
    trilho.deps.db.pool.query('UPDATE merchants SET kyc_status = $2::kyc_status WHERE id = $1', [merchantId, to]);

  test('is without its secrets, which are not kept anywhere, and not given once its merchant may not open accounts', async () => {
    const platform = await trilho.openAccount({ canCreateAccounts: true });
    const key = await createApiKey(trilho.deps, {
      accountId: platform.accountId,
      name: 'contas',
      permissions: [...PERMISSIONS],
    });
    const first = await openFor(key?.apiKey ?? '');
    expect(first.status).toBe(201);
    const { api_key, secret_key, ...rest } = first.body.data as Record<string, string>;
    expect([api_key, secret_key].every((secret) => typeof secret === 'string')).toBe(true);

    const again = await openFor(key?.apiKey ?? '');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body.data).toEqual({ ...rest, api_key: null, secret_key: null });

    const { pool } = trilho.deps.db;
    const { rows } = await pool.query('SELECT key, body FROM idempotency_keys WHERE account_id = $1', [
      platform.accountId,
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/conta|Cliente|cliente@/);
    const opened = rows.map(({ key: hash, body: sealed }) =>
      trilho.deps.secretBox.open(sealed, `idempotency-answer:${platform.accountId}:${hash}`),
    );
    expect(opened.join()).toContain('cliente@example.com');
    expect(opened.join()).not.toContain(api_key);
    expect(opened.join()).not.toContain(secret_key);

    await pool.query('UPDATE merchants SET can_create_accounts = false WHERE id = $1', [platform.merchantId]);
    expect(errorOf(await openFor(key?.apiKey ?? ''))).toEqual([403, 'Permissão negada']);
  });

  test('is not given while its merchant’s KYC is rejected, where the operation asks for it', async () => {
    const { accountId, merchantId } = await trilho.openAccount({ mode: 'live' });
    const apiKey = (await createApiKey(trilho.deps, { accountId, name: 's', permissions: [...PERMISSIONS] }))?.apiKey;
    const withdraw = () =>
      trilho.post(
        '/payments/transfers/pix',
        apiKey,
        { amount: 10, pixKey: 'a@example.com', pixKeyType: 'EMAIL' },
        { 'idempotency-key': 'saque' },
      );
    expect(errorOf(await withdraw())).toEqual([400, 'Saldo insuficiente']);
    await reject(merchantId);
    const rejected = await withdraw();
    expect([...errorOf(rejected), rejected.body.kyc_status]).toEqual([403, 'KYC não aprovado', 'rejected']);
    await reject(merchantId, 'approved');
    expect((await withdraw()).headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('money out whose answer was lost', () => {
  /** As if the process had died between the commit and the record of its answer. */
  const loseAnswers = (accountId: string) =>
    trilho.asOwner(
      `UPDATE idempotency_keys SET status = NULL, body = NULL, owner = 0 WHERE account_id = '${accountId}'`,
    );
  const PIX = { amount: 10, pixKey: 'a@example.com', pixKeyType: 'EMAIL' };
  const inAMonth = () => ({ scheduledFor: new Date(now.getTime() + 30 * 86_400_000).toISOString().slice(0, 10) });

  test.each([
    ['sent at once', () => PIX],
    ['scheduled', () => ({ ...PIX, ...inAMonth() })],
  ])('is found by its repetition when it is a withdrawal %s, whatever would reject it by now', async (_, body) => {
    const { apiKey, accountId } = await trilho.openAccount();
    await makePaidCharge(trilho, apiKey, { amount: 100 });
    const sent = body();
    const withdraw = () => trilho.post('/payments/transfers/pix', apiKey, sent, { 'idempotency-key': 'saque' });
    const first = await withdraw();
    expect(first.status).toBe(200);

    await loseAnswers(accountId);
    await setMaximum(accountId, 'maximal_value_out_pix', 5_00n);
    expect(transactionIdOf(await withdraw())).toBe(transactionIdOf(first));
    await setMaximum(accountId, 'maximal_value_out_pix', null);
    expect(transactionIdOf(await withdraw())).toBe(transactionIdOf(first));
    expect(await count(accountId)).toBe(2);
  });

  test('is found by its repetition when it is a refund, after which nothing is left to refund', async () => {
    const { apiKey, accountId } = await trilho.openAccount();
    const id = await makePaidCharge(trilho, apiKey, { amount: 100 });
    const refund = () =>
      trilho.post(`/payments/transactions/${id}/refund`, apiKey, {}, { 'idempotency-key': 'devolucao' });
    const first = await refund();
    expect(first.status).toBe(200);
    await loseAnswers(accountId);
    expect((await refund()).body).toEqual(first.body);
  });
});

describe('another request under the same key', () => {
  test.each<[string, (key: string) => Promise<Answer>]>([
    ['another body', (key) => charge(key, { amount: 10.01 })],
    [
      'another operation',
      (key) => trilho.post('/payments/deposits/crypto', merchant.apiKey, { amount: 10 }, { 'idempotency-key': key }),
    ],
  ])('%s: 422, and nothing happens', async (_, other) => {
    const key = freshKey();
    await charge(key);
    const before = await count();
    expect((await other(key)).status).toBe(422);
    expect(await count()).toBe(before);
  });

  test('of another account executes: a key is an account’s own', async () => {
    const other = await trilho.openAccount();
    const key = freshKey();
    const first = await charge(key);
    const second = await charge(key, { amount: 10 }, other.apiKey);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.text).not.toBe(first.text);
  });
});

test.each<[string, unknown, number]>([
  ['an amount that is none', { amount: '10' }, 400],
  ['a field that is wrong', { amount: 10, customerEmail: 'x' }, 400],
  ['no JSON', '{', 400],
])('%s is not kept: the corrected request executes under the same key', async (_, body, status) => {
  const key = freshKey();
  expect((await charge(key, body)).status).toBe(status);
  const corrected = await charge(key);
  expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

test.each(['', ' ', 'x'.repeat(256), 'a\tb', 'a b', 'pedido-ção', 'a\u00a0b'])(
  'the key %j is rejected',
  async (key) => {
    expect(errorOf(await charge(key))).toEqual([400, 'Idempotency-Key inválida']);
  },
);
test('a key that is sent twice is rejected, also where both are the same', async () => {
  for (const keys of [
    ['a', 'b'],
    ['a', 'a'],
  ]) {
    const headers = new Headers({ 'content-type': 'application/json', 'x-api-key': merchant.apiKey });
    for (const key of keys) headers.append('idempotency-key', key);
    const response = await fetch(`${trilho.url}/payments/transactions`, {
      method: 'POST',
      headers,
      body: '{"amount":10}',
    });
    expect([response.status, (await response.json()).error]).toEqual([400, 'Idempotency-Key inválida']);
  }
});
test('a key may have any visible ASCII character, one alone or 255 of them', async () => {
  const visible = String.fromCharCode(...Array.from({ length: 0x7e - 0x21 + 1 }, (_, n) => 0x21 + n));
  for (const key of [visible, '!', '~', 'a,b', '"8e03978e"', 'k'.repeat(255)]) {
    const first = await charge(key);
    const again = await charge(key);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
  }
});

test('an attempt that failed half-way continues under the same id: the charge is not made twice', async () => {
  const key = freshKey();
  const before = await count();
  // The charge is written, then the statement that keeps its code fails: as if the database had
  // gone away in between.
  await trilho.asOwner(
    `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`,
  );
  await trilho.asOwner(
    'CREATE TRIGGER planted BEFORE UPDATE OF br_code ON transactions FOR EACH ROW EXECUTE FUNCTION fail_once()',
  );
  expect((await charge(key)).status).toBe(500);
  expect(await count()).toBe(before + 1);
  await trilho.asOwner('DROP TRIGGER planted ON transactions; DROP FUNCTION fail_once()');

  // Whatever would reject it by now: it was accepted.
  await setMaximum(merchant.accountId, 'maximal_value_in_pix', 5_00n);
  const again = await charge(key);
  await setMaximum(merchant.accountId, 'maximal_value_in_pix', 500_00n);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect(await count()).toBe(before + 1);
  expect((await charge(key)).text).toBe(again.text);
});

test('an answer is kept for 30 days, then its key can be used again', async () => {
  const key = freshKey();
  const first = await charge(key);
  const began = now;
  now = new Date(began.getTime() + 30 * 86_400_000 - 1_000);
  expect((await charge(key)).text).toBe(first.text);
  now = new Date(began.getTime() + 30 * 86_400_000 + 1_000);
  const second = await charge(key);
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);

  // Housekeeping leaves what has not expired.
  await purgeExpired(trilho.deps);
  expect((await charge(key)).text).toBe(second.text);
  now = new Date(now.getTime() + 31 * 86_400_000);
  await purgeExpired(trilho.deps);
  const { rows } = await trilho.deps.db.pool.query('SELECT FROM idempotency_keys');
  expect(rows).toEqual([]);
  now = began;
});
