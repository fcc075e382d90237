import { expect, test, trilho, trilhoJson } from '../fixtures.ts';

test('a key is created and revoked beside the running service, and the service obeys within a second', async ({
  merchant,
  request,
}) => {
  const key = await trilhoJson('key', 'create', '--account', merchant.accountId, '--name', 'loja');
  const balance = () => request.get('/payments/balance', { headers: { 'x-api-key': key.api_key ?? '' } });
  expect((await balance()).status()).toBe(200);
  await trilho('key', 'revoke', key.key_id ?? '');
  await expect.poll(async () => (await balance()).status(), { timeout: 1_000 }).toBe(401);
});

test('a key made by the operator is limited to its permissions and addresses, and its expiry needs a zone', async ({
  merchant,
  request,
}) => {
  const make = (...options: string[]) => trilhoJson('key', 'create', '--account', merchant.accountId, ...options);
  const ask = async (path: string, key: string | undefined) =>
    (await request.get(path, { headers: { 'x-api-key': key ?? '' } })).status();
  const reads = await make('--permission', 'transactions:read', '--ip', '127.0.0.0/8', '--ip', '::1');
  expect(await ask('/payments/transactions', reads.api_key)).toBe(200);
  expect(await ask('/payments/balance', reads.api_key)).toBe(403);
  const elsewhere = await make('--ip', '203.0.113.0/24', '--expires', '2999-01-31T12:00:00Z');
  expect(await ask('/payments/balance', elsewhere.api_key)).toBe(403);
  const wrong = await make('--expires', '2020-01-31').catch((error: { stderr: string }) => error.stderr);
  expect(wrong).toContain('an instant with its zone');
});

test('the demo command prints the login and key of the seeded merchant, and the key works', async ({ request }) => {
  const demo = await trilhoJson('demo');
  expect(demo).toEqual({
    email: expect.stringContaining('@'),
    password: expect.any(String),
    api_key: expect.stringMatching(/^tr_test_/),
    account_id: expect.any(String),
    operator: {
      email: expect.stringContaining('@'),
      password: expect.any(String),
      authenticator_key: expect.stringMatching(/^[A-Z2-7]+$/),
    },
  });
  const balance = await request.get('/payments/balance', { headers: { 'x-api-key': demo.api_key ?? '' } });
  expect(balance.status()).toBe(200);
});

test('the ledger balances while the service works', async ({ merchant, payerPays }) => {
  await payerPays(await merchant.createCharge({ amount: 12.34 }));
  expect(await trilhoJson('ledger', 'check')).toMatchObject({ ok: true, discrepancies: [] });
});

test('the command line answers bad input with the values that it takes', async () => {
  const failure = await trilho('sandbox', 'set', 'pix.callback', 'sideways').catch(
    (error: { stderr: string }) => error,
  );
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('once, twice, never') });
});

test('an account is changed beside the running service, and the service obeys within a second', async ({
  merchant,
  payerPays,
}) => {
  await payerPays(await merchant.createCharge({ amount: 200 }));
  await expect.poll(async () => (await merchant.get('/payments/balance')).available_balance).toBeGreaterThan(190);
  const withdraw = async () => {
    const answer = await merchant.post('/payments/transfers/pix', {
      amount: 10,
      pixKey: '52998224725',
      pixKeyType: 'CPF',
    });
    return answer.body.error ?? answer.status;
  };
  const set = (...options: string[]) => trilho('account', 'set', merchant.accountId, ...options);

  await set('--rail', 'pix_out=off');
  expect(await withdraw()).toBe('Nenhuma configuração encontrada');
  await set('--rail', 'pix_out=on', '--limit', 'maximal_value_out_pix=9.99');
  expect(await withdraw()).toBe('Valor acima do máximo permitido');
  // In test mode nothing waits for a verification.
  await set('--limit', 'maximal_value_out_pix=none', '--kyc', 'pending');
  expect(await withdraw()).toBe(200);
  await set('--kyc', 'approved', '--fee', 'pix_out=+150', '--currency', 'USDT_TRX');
  expect(await withdraw()).toBe(200);
  await expect
    .poll(() => merchant.get('/account'))
    .toMatchObject({
      currency: 'USDT_TRX',
      fees: { pix_out: { percent: 0, fixed: 1.5 } },
      rails: { pix_out: true },
    });
});
