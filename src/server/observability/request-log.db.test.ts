import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openBodies } from '#db/requests/logged-bodies.ts';
import { findRequestVolume } from '#db/requests/request-records.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { type AnsweredRequest, createRequestRecorder } from '#services/requests/request-recorder.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/**
 * The request log of the panel: from the REST request to what the merchant reads, and what must not
 * be readable in the table.
 */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock, variables: { RATE_LIMIT_PER_KEY: '40', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => trilho.stop());

/** With another last character, whatever it was. */
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

async function merchant(options: Parameters<TestService['openAccount']>[0] = {}) {
  const account = await trilho.openAccount({ currency: 'USDT_BSC', ...options });
  const { requests } = await panelCaller(trilho.deps, account.accountId);
  return {
    ...account,
    log: requests,
    /** The newest `count` requests, once they are written. */
    newest: (count: number) =>
      trilho.until(`${count} requests are in the log`, async () => {
        const page = await requests.list({ limit: count });
        return page.requests.length === count ? page.requests : null;
      }),
  };
}

describe('the record of requests', () => {
  test('has a request with its id, path, status and both bodies, as the merchant sees it a second later', async () => {
    const shop = await merchant();
    const answer = await trilho.post('/api/payments/transactions', shop.apiKey, { amount: 37, customerName: 'Maria' });
    const [listed] = await shop.newest(1);
    expect(listed).toMatchObject({
      method: 'POST',
      path: '/payments/transactions',
      status: answer.status,
      request_id: answer.headers.get('x-request-id'),
    });
    expect(listed?.duration_ms).toBeGreaterThan(0);
    const { request_body, response_body } = await shop.log.get({ id: listed?.id ?? '' });
    expect(JSON.parse(request_body ?? '')).toEqual({ amount: 37, customerName: 'M***' });
    const data = answer.body.data as Record<string, unknown>;
    expect(JSON.parse(response_body ?? '')).toMatchObject({
      success: true,
      data: { transaction_id: data.transaction_id, amount: 37 },
    });
  });

  // ASVS 16.3.2
  test('has rejections of a valid key, whatever they are for, and repeats under one Idempotency-Key', async () => {
    const shop = await merchant();
    const key = await createApiKey(trilho.deps, { accountId: shop.accountId, name: 'só lê', permissions: [] });
    const fenced = await createApiKey(trilho.deps, {
      accountId: shop.accountId,
      name: 'de longe',
      allowedIps: ['203.0.113.0/24'],
    });
    await trilho.get('/payments/balance', key?.apiKey);
    await trilho.get('/payments/balance', fenced?.apiKey);
    await trilho.post('/payments/transactions', shop.apiKey, { amount: -1 });
    await trilho.post('/payments/transactions', shop.apiKey, 'no JSON');
    const twice = { 'idempotency-key': 'pedido-42' };
    await trilho.post('/payments/transactions', shop.apiKey, { amount: 5 }, twice);
    await trilho.post('/payments/transactions', shop.apiKey, { amount: 5 }, twice);
    const found = await shop.newest(6);
    expect(found.map(({ status, key_name }) => [status, key_name])).toEqual([
      [200, 'Primeira chave'],
      [200, 'Primeira chave'],
      [400, 'Primeira chave'],
      [400, 'Primeira chave'],
      [403, 'de longe'],
      [403, 'só lê'],
    ]);
    const bodies = await Promise.all(found.map(({ id }) => shop.log.get({ id })));
    expect(bodies[0]?.response_body).toEqual(bodies[1]?.response_body);
    expect(bodies[2]?.request_body).toBeNull();
    expect(bodies[3]?.response_body).toContain('details');
    expect(bodies[5]?.response_body).toContain('Permissão negada');
  });

  test('has requests of a valid key to an unknown path, by a wrong method or with a body too large; they are answered as anybody’s', async () => {
    const shop = await merchant();
    const asked = (path: string, method: string, body?: string) =>
      fetch(trilho.url + path, {
        method,
        headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json', 'user-agent': 'loja' },
        ...(body !== undefined && { body }),
      }).then(({ status }) => status);
    expect(await asked('/payments/nowhere', 'GET')).toBe(404);
    expect(await asked('/api/payments/transacoes/52998224725?x=1', 'POST', '{}')).toBe(404);
    expect(await asked('/api/v1/charges', 'GET')).toBe(404);
    expect(await asked('/cobrancas', 'POST', '{}')).toBe(404);
    expect(await asked('/payments/transactions', 'DELETE')).toBe(405);
    expect(await asked('/payments/balance', 'POST', '{}')).toBe(405);
    expect(await asked('/payments/transactions', 'POST', `{"x":"${'x'.repeat(70_000)}"}`)).toBe(413);
    const found = await shop.newest(7);
    expect(found.map(({ method, path, status }) => `${method} ${path} ${status}`).sort()).toEqual(
      [
        'DELETE /payments/transactions 405',
        'GET /api/v1/charges 404',
        'GET /payments/nowhere 404',
        'POST /cobrancas 404',
        'POST /payments/balance 405',
        'POST /payments/transacoes/***?x=*** 404',
        'POST /payments/transactions 413',
      ].sort(),
    );
    // The hour may have ended in between.
    const counted = await findRequestVolume(trilho.deps.db.pool, new Date(clock().getTime() - HOUR_MS));
    const ofNoRoute = counted.filter(({ family }) => family === 'other');
    expect(ofNoRoute.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(4);
    expect(new Set(counted.map(({ family }) => family))).toEqual(new Set(['balance', 'other', 'transactions']));
    const { response_body } = await shop.log.get({ id: found.find(({ status }) => status === 404)?.id ?? '' });
    expect(response_body).toContain('Rota não encontrada');
    // There a wrong key is no error, and no log has the request.
    expect((await trilho.get('/payments/nowhere', mistyped(shop.apiKey))).status).toBe(404);
    expect((await trilho.get('/payments/nowhere')).status).toBe(404);
    expect((await shop.log.list({})).requests).toHaveLength(7);
  });

  test('has a query that can’t be stored, beside those of other accounts', async () => {
    const [shop, other] = [await merchant(), await merchant()];
    const emojis = 'a'.repeat(480) + '😀'.repeat(10);
    const hostile = ['cursor=%00', 'currency=%00', 'cursor=%ED%A0%BD', `cursor=${encodeURIComponent(emojis)}`];
    await Promise.all([
      ...hostile.map((query) => trilho.get(`/payments/transactions?${query}`, shop.apiKey)),
      trilho.get('/payments/balance', other.apiKey),
    ]);
    const paths = (await shop.newest(4)).map(({ path }) => path).sort();
    expect(paths.every((path) => isStorableText(path))).toBe(true);
    expect(paths.join()).toContain('cursor=\uFFFD');
    expect(await other.newest(1)).toHaveLength(1);
  });

  test('has a few rejections of a client that runs against its limit, not thousands', async () => {
    const shop = await merchant();
    const ask = () => trilho.get('/payments/balance', shop.apiKey).then(({ status }) => status);
    const asked: number[] = [];
    // At once no more than a process takes that is late on a busy machine.
    while (asked.length < 140) asked.push(...(await Promise.all(Array.from({ length: 35 }, ask))));
    expect(asked.filter((status) => status === 429)).toHaveLength(100);
    await trilho.until('the 40 that were served are in the log', async () => {
      const { requests } = await shop.log.list({ status: '2xx', limit: 100 });
      return requests.length === 40 ? requests : null;
    });
    const { requests: rejected } = await shop.log.list({ status: '4xx', limit: 100 });
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThanOrEqual(20);
  });

  test('has nothing of unknown keys, and nothing of requests without a key', async () => {
    const shop = await merchant();
    await trilho.get('/payments/balance', mistyped(shop.apiKey));
    await trilho.get('/payments/balance');
    await trilho.get('/payments/limits', shop.apiKey);
    expect((await shop.newest(1))[0]?.path).toBe('/payments/limits');
    expect((await shop.log.list({})).requests).toHaveLength(1);
  });

  test('has no key, secret, document, e-mail, phone, name, PIX key or wallet, wherever they are written', async () => {
    const shop = await merchant({ canCreateAccounts: true });
    const canaries = {
      customerName: 'Zuleica Canária Quintanilha',
      customerEmail: 'zuleica.canaria@example.com',
      customerDocument: '529.982.247-25',
      customerDocumentType: 'cpf',
      customerPhone: '+55 71 98877-6655',
    };
    await trilho.post('/payments/transactions', shop.apiKey, {
      amount: 10,
      ...canaries,
      description: 'para zuleica.canaria@example.com, 529.982.247-25, 52998224725, +5571988776655',
      callbackUrl: 'https://zu:pa55w0rd@example.com/hook?token=c4n4ry',
    });
    await trilho.post('/payments/transfers/pix', shop.apiKey, { amount: 10, pixKey: '52998224725', pixKeyType: 'cpf' });
    await trilho.post('/payments/transfers/pix', shop.apiKey, { amount: 10, pixKey: '+5571988776655' });
    await trilho.post('/payments/transfers/crypto', shop.apiKey, {
      amount: 10,
      wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
      memo: 'memo-c4n4ry',
      [shop.apiKey]: shop.apiKey,
    });
    const opened = await trilho.post('/accounts', shop.apiKey, {
      name: canaries.customerName,
      email: canaries.customerEmail,
      document: canaries.customerDocument,
      documentType: 'cpf',
      phone: canaries.customerPhone,
    });
    const { api_key, secret_key } = opened.body.data as Record<string, string>;
    await trilho.get(
      `/payments/transactions?text=${encodeURIComponent(canaries.customerEmail)}&x=${api_key}`,
      shop.apiKey,
    );
    await trilho.get(`/payments/transactions/${encodeURIComponent(canaries.customerDocument)}`, shop.apiKey);
    await shop.newest(7);

    const { rows } = await trilho.deps.db.pool.query(
      `SELECT r::text AS text, request_id AS id, request_body AS "requestBody", response_body AS "responseBody"
       FROM request_records r WHERE account_id = $1`,
      [shop.accountId],
    );
    // As it is kept, and as it is shown.
    const table = rows
      .flatMap((row) => [row.text, JSON.stringify(openBodies(trilho.deps.secretBox, 'request', row.id, row))])
      .join('\n');
    expect(table).toContain('Z***');
    const hidden = [
      shop.apiKey,
      api_key,
      secret_key,
      'Canária',
      'Quintanilha',
      'uleica',
      '52998224725',
      '529.982',
      '988776655',
    ];
    for (const secret of [
      ...hidden,
      '98877',
      'pa55',
      'c4n4ry',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '27886E0F',
    ]) {
      expect(secret).toBeTruthy();
      expect(table, secret).not.toContain(secret);
    }
  });
});

describe('the list', () => {
  test('is filtered by key, method, status, path and request id, and paged without gap or repeat', async () => {
    const shop = await merchant();
    const other = await createApiKey(trilho.deps, { accountId: shop.accountId, name: 'outra' });
    for (let n = 0; n < 5; n++) await trilho.get('/payments/balance', shop.apiKey);
    await trilho.get('/payments/limits', other?.apiKey);
    await trilho.post('/payments/transactions', shop.apiKey, { amount: 0 });
    const all = await shop.newest(7);
    const paths = async (filter: Parameters<typeof shop.log.list>[0]) =>
      (await shop.log.list(filter)).requests.map(({ path, status }) => `${path} ${status}`);

    expect(await paths({ key_id: other?.keyId })).toEqual(['/payments/limits 200']);
    expect(await paths({ method: 'POST' })).toEqual(['/payments/transactions 400']);
    expect(await paths({ status: '4xx' })).toEqual(['/payments/transactions 400']);
    expect(await paths({ status: '5xx' })).toEqual([]);
    expect(await paths({ text: 'LIMITS' })).toEqual(['/payments/limits 200']);
    expect(await paths({ text: '%' })).toEqual([]);
    expect(await paths({ text: all[0]?.request_id })).toEqual(['/payments/transactions 400']);

    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof shop.log.list>> = await shop.log.list({ cursor, limit: 3 });
      ids.push(...page.requests.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  test('is the account’s own, as is each request in it', async () => {
    const [shop, other] = [await merchant(), await merchant()];
    await trilho.get('/payments/balance', shop.apiKey);
    const [listed] = await shop.newest(1);
    const id = listed?.id ?? '';
    expect((await other.log.list({})).requests).toEqual([]);
    expect((await other.log.list({ key_id: listed?.key_id })).requests).toEqual([]);
    for (const wanted of [id, '999999999999999999']) {
      await expect(other.log.get({ id: wanted })).rejects.toMatchObject({ cause: { code: 'not_found' } });
    }
  });

  test('leaves out what is older than seven days, also before housekeeping deletes it', async () => {
    const shop = await merchant();
    await trilho.get('/payments/balance', shop.apiKey);
    const [listed] = await shop.newest(1);
    aheadMs += 7 * DAY_MS + 60_000;
    const kept = await trilho.openAccount();
    const later = await trilho.get('/payments/balance', kept.apiKey);
    expect(later.status).toBe(200);
    expect((await shop.log.list({})).requests).toEqual([]);
    await expect(shop.log.get({ id: listed?.id ?? '' })).rejects.toMatchObject({ cause: { code: 'not_found' } });
    const stored = async (accountId: string) =>
      (await trilho.deps.db.pool.query('SELECT 1 FROM request_records WHERE account_id = $1', [accountId])).rowCount;
    expect(await stored(shop.accountId)).toBe(1);
    await trilho.until('the later one is written', async () => ((await stored(kept.accountId)) === 1 ? true : null));
    await purgeExpired(trilho.deps);
    expect([await stored(shop.accountId), await stored(kept.accountId)]).toEqual([0, 1]);
  });
});

describe('the recorder', () => {
  const request = (accountId: string, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
    accountId,
    keyId: accountId,
    requestId: accountId,
    method: 'GET',
    path: '/payments/balance',
    query: '',
    template: '/payments/balance',
    status: 200,
    durationMs: 1.25,
    requestBody: undefined,
    responseBody: { success: true },
    ...more,
  });

  function newRecorder() {
    const [warn, observe] = [vi.fn(), vi.fn()];
    const { db, secretBox } = trilho.deps;
    return { recorder: createRequestRecorder({ db, secretBox, clock, log: { warn }, observe }), warn, observe };
  }

  test('keeps what fits its queue, says once how much is missing, and writes the rest when it ends', async () => {
    const { accountId } = await trilho.openAccount();
    const { recorder, warn, observe } = newRecorder();
    for (let n = 0; n < 1_500; n++) recorder.record(request(accountId));
    await recorder.stop();
    const { rows } = await trilho.deps.db.pool.query(
      'SELECT count(*)::int AS count FROM request_records WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ count: 500 }]);
    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([{ dropped: 1_000 }]);
    expect(observe).toHaveBeenCalledTimes(1_000);
    recorder.record(request(accountId));
    await recorder.stop();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('loses the request that the database rejects and none beside it, and counts it', async () => {
    const { accountId } = await trilho.openAccount();
    const { recorder, warn, observe } = newRecorder();
    recorder.record(request(accountId, { status: 201 }));
    recorder.record(request(accountId, { keyId: 'not a uuid' }));
    const circular: Record<string, unknown> = {};
    circular.data = circular;
    recorder.record(request(accountId, { status: 202, responseBody: circular }));
    await recorder.stop();
    expect(warn.mock.calls).toMatchObject([[{ dropped: 1 }, 'Requests are missing in the request log.']]);
    expect(observe.mock.calls.flat()).toMatchObject([{ record: 'request', reason: 'database', count: 1 }]);
    const { rows } = await trilho.deps.db.pool.query(
      'SELECT status FROM request_records WHERE account_id = $1 ORDER BY id',
      [accountId],
    );
    expect(rows).toEqual([{ status: 201 }, { status: 202 }]);
  });
});
