import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { API_ERROR_CODES, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import type { OpenAccountInput } from '#services/accounts/open-account.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';

/**
 * The REST contract, one row a rule, for what moves money besides PIX charges: PIX withdrawal,
 * crypto deposit, crypto withdrawal; over HTTP, at both prefixes, with the whole body. And the
 * order of the checks, which is ours.
 */

/** Noon in São Paulo. */
const NOW = new Date('2026-11-20T15:00:00.123Z');
/** 21:00 in São Paulo. */
const NIGHT = new Date('2026-11-21T00:00:00.000Z');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** EIP-55's own first example. */
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TON_WALLET = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

let now = NOW;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  now = NOW;
  await trilho.setSwitch('quotes', 'ok');
  await trilho.setSwitch('crypto.invoice', 'ok');
});

/** An account with what the test says, and money in it; live where its verification counts. */
async function account(input: Partial<OpenAccountInput> = {}, balance = 0) {
  const { kycStatus = 'approved', ...terms } = input;
  const opened = await trilho.openAccount({
    currency: 'USDT_BSC',
    mode: kycStatus === 'approved' ? 'test' : 'live',
    ...terms,
  });
  if (balance > 0) {
    const charge = await trilho.post('/payments/transactions', opened.apiKey, { amount: balance });
    await trilho.pay(transactionIdOf(charge));
    await trilho.until('the balance is there', async () => (await available(opened.apiKey)) === balance || null);
  }
  if (kycStatus !== 'approved') await change(opened.accountId, { merchant: { kycStatus } });
  return opened;
}
const available = async (key: string) =>
  ((await trilho.get('/payments/balance', key)).body.data as { available_balance: number }).available_balance;
const change = (accountId: string, what: object) =>
  setAccount(trilho.deps, {
    accountId,
    merchant: {},
    account: {},
    fees: [],
    limits: [],
    rails: [],
    webhookUrl: undefined,
    credentials: [],
    ...what,
  });
const limit = (name: string, brl: number) => ({ name, centavos: BigInt(brl * 100) });

const PIX = '/payments/transfers/pix';
const DEPOSIT = '/payments/deposits/crypto';
const WITHDRAWAL = '/payments/transfers/crypto';
const PREFIXES = ['', '/api'];
const pixOut = (more: object = {}) => ({ amount: 10, pixKey: '+5511987654321', pixKeyType: 'PHONE', ...more });
const cryptoOut = (more: object = {}) => ({ amount: 100, wallet: WALLET, ...more });

/** One of the catalogue's codes with this text. */
const codeOf = (error: string) => {
  const codes = API_ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].error === error);
  return expect.stringMatching(new RegExp(`^(${codes.join('|') || 'none'})$`));
};

type Failable = { status: string; failure: object | null };

/** The families of error bodies. */
const plain = (error: string) => ({
  ...{ success: false, error, message: expect.stringMatching(/^[A-ZÀ-Ú].*\.$/) },
  code: codeOf(error),
});
const crypto = (message: string, code: unknown = codeOf(message)) => ({ success: false, message, code });
const KEY_CODE = expect.stringMatching(/^api_key_(missing|invalid)$/);

/** Expects a rejection of the crypto family; one of an input names its fields besides. */
function expectCryptoRejection({ status, body: { details, ...body } }: Answer, message: string): void {
  expect([status, body]).toEqual([400, crypto(message)]);
  const isOfInput = /^(invalid_amount|wallet_required|invalid_input|currency_not_configured)$/.test(String(body.code));
  const named = [expect.objectContaining({ field: expect.any(String), code: expect.any(String) })];
  expect(details).toEqual(isOfInput ? named : undefined);
}

describe.each(PREFIXES)('PIX withdrawal at %s/payments/transfers/pix', (prefix) => {
  const post = (key: string | undefined, body: unknown) => trilho.post(prefix + PIX, key, body);

  test('is accepted: the receiver gets exactly the amount, the fee comes on top, both are held', async () => {
    const fees = [{ type: 'pix_out' as const, fee: { bps: 100, fixedCentavos: 50n } }];
    const { apiKey } = await account({ fees }, 100);
    const answer = await post(apiKey, pixOut({ amount: 40, pixKey: '(11) 98765-4321', description: 'Repasse nº 7' }));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'Saque PIX solicitado com sucesso',
        data: {
          transaction_id: expect.stringMatching(UUID),
          external_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          type: 'pix_out',
          status: 'pending',
          amount: 40,
          amount_fees: 0.9,
          amount_total: 40.9,
          pix_key: '+5511987654321',
          pix_key_type: 'PHONE',
          description: 'Repasse nº 7',
          reference: null,
          metadata: null,
          created_at: NOW.toISOString(),
        },
      },
    ]);
    expect(await available(apiKey)).toBe(59.1);
  });

  test.each([
    ['CPF', '529.982.247-25', '52998224725', 'CPF'],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35', 'CNPJ'],
    ['Email', 'Maria@Example.com', 'maria@example.com', 'EMAIL'],
    ['PHONE', '11987654321', '+5511987654321', 'PHONE'],
    ['evp', '7D9F0335-8DCC-4054-9BF9-0DBD61D36906', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', 'EVP'],
    ['RANDOM', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', 'EVP'],
  ])('a key of type %s is normalised by its type', async (pixKeyType, pixKey, normalised, type) => {
    const { apiKey } = await account({}, 10);
    const { status, body } = await post(apiKey, pixOut({ pixKeyType, pixKey }));
    expect([status, body.data]).toEqual([200, expect.objectContaining({ pix_key: normalised, pix_key_type: type })]);
  });

  test.each<[string, object, string]>([
    ['an amount that is a text', pixOut({ amount: '10' }), 'Valor inválido'],
    ['no amount', { pixKey: 'x', pixKeyType: 'EVP' }, 'Valor inválido'],
    ['three decimals', pixOut({ amount: 10.001 }), 'Valor inválido'],
    ['no key', { amount: 10, pixKeyType: 'PHONE' }, 'Dados inválidos'],
    ['no type of key', { amount: 10, pixKey: '+5511987654321' }, 'Dados inválidos'],
    ['a key of another type', pixOut({ pixKeyType: 'CPF' }), 'Chave PIX inválida'],
    ['a type that is none', pixOut({ pixKeyType: 'IBAN' }), 'Chave PIX inválida'],
    ['a CPF with a wrong digit', pixOut({ pixKeyType: 'CPF', pixKey: '52998224726' }), 'Chave PIX inválida'],
    ['a description that is too long', pixOut({ description: 'x'.repeat(141) }), 'Dados inválidos'],
  ])('%s: 400', async (_, body, error) => {
    const { apiKey } = await account({}, 10);
    const answer = await post(apiKey, body);
    expect([answer.status, answer.body]).toEqual([400, { ...plain(error), details: expect.any(Array) }]);
    expect(await available(apiKey)).toBe(10);
  });

  test.each<[number, string, RegExp]>([
    [0, 'Valor abaixo do mínimo permitido', /mínimo por operação desta conta, R\$ 1,00;/],
    [-5, 'Valor abaixo do mínimo permitido', /mínimo por operação desta conta, R\$ 1,00;/],
    [5_000.01, 'Valor acima do máximo permitido', /máximo por operação desta conta, R\$ 5\.000,00;/],
    [2_000_000, 'Valor acima do máximo permitido', /máximo por operação desta conta, R\$ 5\.000,00;/],
    [1e30, 'Valor acima do máximo permitido', /máximo por operação desta conta, R\$ 5\.000,00;/],
  ])('%d reais are out of the range, and the message says its figure', async (amount, error, message) => {
    const { apiKey } = await account({ limits: [limit('maximal_value_out_pix', 5_000)] }, 10);
    const answer = await post(apiKey, pixOut({ amount }));
    expect([answer.status, answer.body]).toEqual([400, { ...plain(error), message: expect.stringMatching(message) }]);
    expect(await available(apiKey)).toBe(10);
  });

  test('an empty description counts as absent', async () => {
    const { apiKey } = await account({}, 10);
    expect((await post(apiKey, pixOut({ description: '' }))).body.data).toMatchObject({ description: null });
  });

  test('less than R$ 1.00, whatever the account’s limits: 400, and a payout’s fee is a centavo at least', async () => {
    const { apiKey } = await account({ fees: [{ type: 'pix_out', fee: { bps: 1, fixedCentavos: 0n } }] }, 10);
    const answer = await post(apiKey, pixOut({ amount: 0.99 }));
    expect([answer.status, answer.body]).toEqual([400, plain('Valor abaixo do mínimo permitido')]);
    expect(await available(apiKey)).toBe(10);
    expect((await post(apiKey, pixOut({ amount: 1 }))).status).toBe(200);
    expect(await available(apiKey)).toBe(8.99);
  });

  test.each<[string, Partial<OpenAccountInput>, string]>([
    ['Saldo insuficiente', { fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 1n } }] }, 'Saldo insuficiente'],
    ['minimum', { limits: [limit('minimal_value_out_pix', 10.01)] }, 'Valor abaixo do mínimo permitido'],
    ['maximum', { limits: [limit('maximal_value_out_pix', 9.99)] }, 'Valor acima do máximo permitido'],
    ['daily limit', { limits: [limit('daily_limit_out_pix', 9.99)] }, 'Limite diário atingido'],
    ['no credential', { inactiveRails: ['pix_out'] }, 'Nenhuma configuração encontrada'],
  ])('%s: 400, and nothing is held', async (_, terms, error) => {
    const { apiKey } = await account(terms, 10);
    const answer = await post(apiKey, pixOut());
    expect([answer.status, answer.body]).toEqual([400, plain(error)]);
    expect(await available(apiKey)).toBe(10);
  });

  test('to a key that DICT does not have fails, gives the money back, and says so in detail and event', async () => {
    const { apiKey } = await account({}, 10);
    const id = transactionIdOf(await post(apiKey, pixOut({ pixKey: '00000000191', pixKeyType: 'CPF' })));
    const detail = async () => (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Failable;
    await trilho.until('it failed', async () => (await detail()).status === 'failed' || null);
    const message = 'A chave PIX não está registrada. Confira-a com quem vai receber, e peça o saque de novo.';
    expect((await detail()).failure).toEqual({ code: 'key_not_found', message });
    const events = await trilho.get(`/events?type=pix_out.failed&transaction_id=${id}`, apiKey);
    const [{ event_id: eventId }] = events.body.data as [{ event_id: string }];
    const event = (await trilho.get(`/events/${eventId}`, apiKey)).body.data as { body: string };
    expect(JSON.parse(event.body).data).toMatchObject({ status: 'failed', failure_code: 'key_not_found' });
    expect(await available(apiKey)).toBe(10);
  });

  test('the night’s limit counts from 20h to 6h, and not by day', async () => {
    const { apiKey } = await account({ limits: [limit('night_limit_out_pix', 15)] }, 100);
    expect((await post(apiKey, pixOut({ amount: 20 }))).status).toBe(200);
    now = NIGHT;
    expect((await post(apiKey, pixOut({ amount: 10 }))).status).toBe(200);
    const answer = await post(apiKey, pixOut({ amount: 5.01 }));
    expect([answer.status, answer.body]).toEqual([400, plain('Limite noturno atingido')]);
    expect((await post(apiKey, pixOut({ amount: 5 }))).status).toBe(200);
    now = new Date('2026-11-21T09:00:00Z');
    expect((await post(apiKey, pixOut({ amount: 20 }))).status).toBe(200);
  });

  test('before KYC is approved: 403 with kyc_status', async () => {
    const { apiKey } = await account({ kycStatus: 'pending' }, 10);
    const answer = await post(apiKey, pixOut());
    expect([answer.status, answer.body]).toEqual([403, { ...plain('KYC não aprovado'), kyc_status: 'pending' }]);
  });

  test('without a key, and with an unknown one: 401', async () => {
    expect((await post(undefined, pixOut())).body).toEqual(plain('API key não fornecida'));
    const answer = await post(generateApiKey('test'), pixOut());
    expect([answer.status, answer.body]).toEqual([401, plain('API key inválida')]);
  });
});

test.each(['pending', 'rejected'] as const)(
  'in test mode a merchant whose KYC is %s has a balance, refunds and sends money',
  async (kycStatus) => {
    const { apiKey, accountId } = await account({ mode: 'test' });
    await change(accountId, { merchant: { kycStatus } });
    const charge = await trilho.post('/payments/transactions', apiKey, { amount: 100 });
    const id = transactionIdOf(charge);
    await trilho.pay(id);
    await trilho.until('the balance is there', async () => (await available(apiKey)) === 100 || null);
    expect((await trilho.post(`/payments/transactions/${id}/refund`, apiKey, { amount: 10 })).status).toBe(200);
    const sent = await trilho.post(PIX, apiKey, pixOut({ amount: 20 }));
    expect(sent.status).toBe(200);
    const out = transactionIdOf(sent);
    await trilho.until('it was sent', async () => {
      // The PSP takes its time.
      now = new Date(now.getTime() + 5_000);
      const { body } = await trilho.get(`/payments/transactions/${out}/status?type=pix_out`, apiKey);
      return (body.data as { status: string }).status === 'paid' || null;
    });
  },
);

describe.each(PREFIXES)('crypto deposit at %s/payments/deposits/crypto', (prefix) => {
  const post = (key: string | undefined, body: unknown) => trilho.post(prefix + DEPOSIT, key, body);

  test('is created: 201', async () => {
    const { apiKey } = await account({ fees: [{ type: 'crypto_in', fee: { bps: 150, fixedCentavos: 0n } }] });
    const answer = await post(apiKey, { amount: 108 });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        message: 'Depósito cripto criado com sucesso',
        data: {
          transaction_id: expect.stringMatching(UUID),
          invoice_url: expect.stringMatching(/^http:\/\/localhost:\d+\/pay\/[0-9a-f-]{36}$/),
          wallet_hash: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
          qr_code: expect.any(String),
          memo: null,
          currency: 'USDT_BSC',
          amount_brl: 108,
          amount_fees: 1.62,
          net_amount: 106.38,
          status: 'pending',
          // 108 / 5.40, for an hour; the processor counts whole seconds.
          crypto_amount: 20,
          qr_code_svg_url: expect.stringMatching(/\/pay\/[0-9a-f-]{36}\/qr\.svg$/),
          qr_code_png_url: expect.stringMatching(/\/pay\/[0-9a-f-]{36}\/qr\.png$/),
          expires_at: new Date(Math.ceil(now.getTime() / 1000) * 1000 + 3_600_000).toISOString(),
          description: null,
          callback_url: null,
          reference: null,
          metadata: null,
        },
      },
    ]);
    const data = answer.body.data as { qr_code: string; wallet_hash: string };
    expect(data.qr_code).toBe(data.wallet_hash);
  });

  test.each(['usdt_bsc', 'Usdt_Bsc', ''])(
    'takes the currency %j in any case, and an empty one as the account’s',
    async (currency) => {
      const { apiKey } = await account();
      const { status, body } = await post(apiKey, { amount: 100, currency });
      expect([status, body.data]).toEqual([201, expect.objectContaining({ currency: 'USDT_BSC' })]);
    },
  );

  test('is in the currency that is asked for, whatever the account’s is', async () => {
    const { apiKey } = await account({ currency: null });
    const { status, body } = await post(apiKey, { amount: 100, currency: 'USDT_TON' });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ currency: 'USDT_TON', memo: expect.any(String), wallet_hash: expect.any(String) }),
    ]);
  });

  test('works before KYC is approved', async () => {
    const { apiKey } = await account({ kycStatus: 'pending' });
    expect((await post(apiKey, { amount: 100 })).status).toBe(201);
  });

  test.each<[string, unknown, Partial<OpenAccountInput>, [string, string]?]>([
    ['Valor inválido', {}, {}],
    ['Valor inválido', { amount: '100' }, {}],
    ['Valor inválido', { amount: null }, {}],
    ['Valor inválido', { amount: true }, {}],
    ['Valor inválido', { amount: 49.999 }, { limits: [limit('minimal_value_in_crypto', 50)] }],
    ['Valor abaixo do mínimo permitido', { amount: 0 }, {}],
    ['Valor abaixo do mínimo permitido', { amount: -1 }, {}],
    ['Valor abaixo do mínimo permitido', { amount: -0.01 }, { limits: [limit('minimal_value_in_crypto', 50)] }],
    ['Valor acima do máximo permitido', { amount: 2_000_000 }, {}],
    [
      'Valor acima do máximo permitido',
      { amount: 1_000_000.01 },
      { limits: [{ name: 'maximal_value_in_crypto', centavos: null }] },
    ],
    ['Valor acima do máximo permitido', { amount: 1e30 }, {}],
    ['Valor abaixo do mínimo permitido', { amount: 49.99 }, { limits: [limit('minimal_value_in_crypto', 50)] }],
    ['Valor abaixo do mínimo permitido', { amount: 0.99 }, {}],
    ['Valor acima do máximo permitido', { amount: 50.01 }, { limits: [limit('maximal_value_in_crypto', 50)] }],
    ['Valor abaixo do mínimo aceito pela rede', { amount: 10.79 }, {}],
    ['Nenhuma moeda configurada para este usuário', { amount: 100 }, { currency: null }],
    ['Nenhuma moeda configurada para este usuário', { amount: 100 }, { inactiveRails: ['crypto_in'] }],
    ['Moeda não suportada', { amount: 100, currency: 'DREX' }, {}],
    ['Moeda não suportada', { amount: 100, currency: 'U\u017fDT_BSC' }, {}],
    ['Não foi possível obter cotação', { amount: 100 }, {}, ['quotes', 'down']],
    ['Não foi possível obter cotação', { amount: 100 }, {}, ['quotes', 'diverging']],
    ['Não foi possível obter cotação', { amount: 100 }, {}, ['quotes', 'stale']],
    ['Não foi possível criar invoice', { amount: 100 }, {}, ['crypto.invoice', 'error']],
  ])('%s: 400 (%j)', async (message, body, terms, sandboxSwitch) => {
    const { apiKey } = await account(terms);
    if (sandboxSwitch) {
      await trilho.setSwitch(...sandboxSwitch);
      // A quote of a moment ago is used again for a while.
      now = new Date(now.getTime() + 60_000);
    }
    const answer = await post(apiKey, body);
    expectCryptoRejection(answer, message);
  });

  test.each<[string, string, Partial<OpenAccountInput>]>([
    ['currency_not_chosen', 'no currency', { currency: null }],
    ['no_currency_active', 'a rail that is switched off', { inactiveRails: ['crypto_in'] }],
  ])('details say %s for an account with %s', async (code, _, terms) => {
    const { body } = await post((await account(terms)).apiKey, { amount: 100 });
    expect(body.details).toEqual([{ field: 'currency', code, message: expect.stringMatching(/ envie | fale com /i) }]);
  });

  test('R$ 10.80 are 2 USDT, the least that the network takes', async () => {
    const { apiKey } = await account();
    expect((await post(apiKey, { amount: 10.8 })).status).toBe(201);
  });

  test.each([
    ['without a key', () => undefined],
    ['with an unknown key', () => generateApiKey('test')],
  ])('%s: 401', async (_, key) => {
    const answer = await post(key(), { amount: 100 });
    expect([answer.status, answer.body]).toEqual([401, crypto('API key inválida ou não encontrada', KEY_CODE)]);
  });

  test('an internal error: 500, with `error` that names the request and nothing of our insides', async () => {
    const answer = await broken(async () => post((await account()).apiKey, { amount: 100 }));
    expect([answer.status, answer.body]).toEqual([
      500,
      {
        ...crypto('Erro ao processar depósito crypto', 'internal'),
        error: `internal_error (x-request-id ${answer.headers.get('x-request-id')})`,
      },
    ]);
  });
});

describe.each(PREFIXES)('crypto withdrawal at %s/payments/transfers/crypto', (prefix) => {
  const post = (key: string | undefined, body: unknown) => trilho.post(prefix + WITHDRAWAL, key, body);

  test('is accepted: the fee comes out of the amount, the rest is bought and rounded down to eight decimals', async () => {
    const { apiKey } = await account({ fees: [{ type: 'crypto_out', fee: { bps: 200, fixedCentavos: 0n } }] }, 100);
    const answer = await post(apiKey, cryptoOut({ wallet: WALLET.toLowerCase() }));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'Saque cripto solicitado com sucesso',
        data: {
          transaction_id: expect.stringMatching(UUID),
          amount_brl: 100,
          amount_fees: 2,
          net_amount_brl: 98,
          // 98 / 5.40 = 18.148148148…
          crypto_amount: 18.14814814,
          currency: 'USDT_BSC',
          wallet: WALLET,
          status: 'pending',
          reference: null,
          metadata: null,
        },
      },
    ]);
    expect(await available(apiKey)).toBe(0);
  });

  test('says the quantity that is sent, on a network of fewer decimals too', async () => {
    const { apiKey } = await account({ currency: 'USDT' }, 100);
    const quoted = await trilho.get(`${prefix}/payments/quote?side=withdrawal&amount=100`, apiKey);
    // 100 / 5.40 = 18.518518518…
    expect(quoted.body.data).toMatchObject({ crypto_amount: 18.518518 });
    const answer = await post(apiKey, cryptoOut({ wallet: WALLET }));
    expect(answer.body.data).toMatchObject({ currency: 'USDT', crypto_amount: 18.518518 });
  });

  test.each<[string, unknown, Partial<OpenAccountInput>, [string, string]?]>([
    ['Valor inválido', { wallet: WALLET }, {}],
    ['Valor inválido', cryptoOut({ amount: '100' }), {}],
    ['Valor inválido', cryptoOut({ amount: 10.001 }), {}],
    ['Valor abaixo do mínimo permitido', cryptoOut({ amount: 0 }), {}],
    ['Valor abaixo do mínimo permitido', cryptoOut({ amount: -100 }), {}],
    ['Valor acima do máximo permitido', cryptoOut({ amount: 2_000_000 }), {}],
    ['Valor acima do máximo permitido', cryptoOut({ amount: 1e30 }), {}],
    ['Carteira de destino é obrigatória', { amount: 100 }, {}],
    ['Carteira de destino é obrigatória', cryptoOut({ wallet: null }), {}],
    ['Carteira de destino é obrigatória', cryptoOut({ wallet: ' ' }), {}],
    ['Carteira de destino inválida', cryptoOut({ wallet: '0x123' }), {}],
    ['Carteira de destino inválida', cryptoOut({ wallet: WALLET.replace('aA', 'Aa') }), {}],
    ['Carteira de destino inválida', cryptoOut({ currency: 'USDT_TRX' }), {}],
    ['Memo inválido', cryptoOut({ memo: '123' }), {}],
    // One that the processor would leave out: an exchange would not know whose money it is.
    ['Memo inválido', cryptoOut({ currency: 'TON', wallet: TON_WALLET, memo: '123' }), {}],
    ['Moeda não suportada', cryptoOut({ currency: 'DREX' }), {}],
    ['Valor abaixo do mínimo permitido', cryptoOut(), { limits: [limit('minimal_value_out_crypto', 100.01)] }],
    ['Valor abaixo do mínimo permitido', cryptoOut({ amount: 0.99 }), {}],
    // The fee leaves nothing to send.
    [
      'Valor abaixo do mínimo permitido',
      cryptoOut(),
      { fees: [{ type: 'crypto_out', fee: { bps: 10_000, fixedCentavos: 0n } }] },
    ],
    ['Valor acima do máximo permitido', cryptoOut(), { limits: [limit('maximal_value_out_crypto', 99.99)] }],
    ['Limite diário atingido', cryptoOut(), { limits: [limit('daily_limit_out_crypto', 99.99)] }],
    ['Saldo insuficiente', cryptoOut({ amount: 100.01 }), {}],
    ['Nenhuma configuração encontrada', cryptoOut(), { inactiveRails: ['crypto_out'] }],
    ['Não foi possível obter cotação', cryptoOut(), {}, ['quotes', 'down']],
  ])('%s: 400 (%j), and nothing is held', async (message, body, terms, sandboxSwitch) => {
    const { apiKey } = await account(terms, 100);
    if (sandboxSwitch) {
      await trilho.setSwitch(...sandboxSwitch);
      now = new Date(now.getTime() + 60_000);
    }
    const answer = await post(apiKey, body);
    expectCryptoRejection(answer, message);
    expect(await available(apiKey)).toBe(100);
  });

  test('of an account without a currency, and without one in the body: 400, and details name currency', async () => {
    const { apiKey } = await account({ currency: null }, 100);
    const { status, body } = await post(apiKey, cryptoOut());
    const message = expect.stringContaining('Preferências');
    const details = [{ field: 'currency', code: 'currency_not_chosen', message }];
    expect([status, body]).toEqual([400, { ...crypto('Nenhuma configuração encontrada'), details }]);
    expect(await available(apiKey)).toBe(100);
  });

  test('takes a currency in any case, and empty optional texts as none', async () => {
    const { apiKey } = await account({ currency: 'USDT_TRX' }, 100);
    const answer = await post(apiKey, cryptoOut({ currency: 'usdt_bsc', memo: '' }));
    expect([answer.status, answer.body.data]).toEqual([200, expect.objectContaining({ currency: 'USDT_BSC' })]);
  });

  test('the daily limit is the sum of the day’s withdrawals, without fees, and restarts at midnight in São Paulo', async () => {
    const terms = { limits: [limit('daily_limit_out_crypto', 60)] };
    const { apiKey } = await account(terms, 200);
    expect((await post(apiKey, cryptoOut({ amount: 40 }))).status).toBe(200);
    expect((await post(apiKey, cryptoOut({ amount: 20.01 }))).body).toEqual(crypto('Limite diário atingido'));
    expect((await post(apiKey, cryptoOut({ amount: 20 }))).status).toBe(200);
    now = new Date('2026-11-21T02:59:59.999Z');
    expect((await post(apiKey, cryptoOut({ amount: 20 }))).body).toEqual(crypto('Limite diário atingido'));
    now = new Date('2026-11-21T03:00:00.000Z');
    expect((await post(apiKey, cryptoOut({ amount: 60 }))).status).toBe(200);
  });

  test('before KYC is approved: 403 with the same body as elsewhere', async () => {
    const { apiKey } = await account({ kycStatus: 'rejected' });
    const answer = await post(apiKey, cryptoOut());
    expect([answer.status, answer.body]).toEqual([403, { ...plain('KYC não aprovado'), kyc_status: 'rejected' }]);
  });

  test.each([
    ['without a key', () => undefined],
    ['with an unknown key', () => generateApiKey('test')],
  ])('%s: 401', async (_, key) => {
    const answer = await post(key(), cryptoOut());
    expect([answer.status, answer.body]).toEqual([401, crypto('API key inválida ou não encontrada', KEY_CODE)]);
  });

  test('an internal error: 500, with `error` that names the request and nothing of our insides', async () => {
    const { apiKey } = await account({}, 100);
    const answer = await broken(() => post(apiKey, cryptoOut()));
    expect([answer.status, answer.body]).toEqual([
      500,
      {
        ...crypto('Erro ao processar saque crypto', 'internal'),
        error: `internal_error (x-request-id ${answer.headers.get('x-request-id')})`,
      },
    ]);
  });
});

/** Runs something while every new transaction fails in the database. */
async function broken(work: () => Promise<Answer>): Promise<Answer> {
  await trilho.asOwner(
    `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'secret of the inside'; END $$`,
  );
  await trilho.asOwner('CREATE TRIGGER planted BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION planted()');
  try {
    return await work();
  } finally {
    await trilho.asOwner('DROP TRIGGER planted ON transactions; DROP FUNCTION planted()');
  }
}

describe('the order of the checks: of everything that is wrong, the first is reported', () => {
  type Step = { reason: string; terms?: Partial<OpenAccountInput>; key?: string; body: unknown; quotes?: 'down' };

  let steps = 0;
  const rejectionAt = async (path: string, step: Step) => {
    const { apiKey } = await account(step.terms ?? {});
    await trilho.setSwitch('quotes', step.quotes ?? 'ok');
    // No quote of the step before is fresh any more.
    now = new Date(NOW.getTime() + ++steps * 60_000);
    const { body } = await trilho.post(path, step.key ?? apiKey, step.body);
    return body.error ?? body.message;
  };
  const WRONG_KEY = 'tr_test_x';

  const outPix = ['minimal_value_out_pix', 'maximal_value_out_pix', 'daily_limit_out_pix'] as const;
  /** Terms of an account that fails every check of a withdrawal. */
  const worstOut: Partial<OpenAccountInput> = {
    kycStatus: 'pending',
    inactiveRails: ['pix_out', 'crypto_out'],
    limits: [
      limit(outPix[0], 50),
      limit(outPix[2], 1),
      limit('minimal_value_out_crypto', 50),
      limit('daily_limit_out_crypto', 1),
    ],
  };
  const approved: Partial<OpenAccountInput> = { ...worstOut, kycStatus: 'approved' };
  const active: Partial<OpenAccountInput> = { ...approved, inactiveRails: [] };

  test.each<Step>([
    { reason: 'API key inválida', key: WRONG_KEY, terms: worstOut, body: '{' },
    { reason: 'JSON inválido', terms: worstOut, body: '{' },
    { reason: 'Valor inválido', terms: worstOut, body: { amount: '10', pixKeyType: 'IBAN' } },
    { reason: 'Dados inválidos', terms: worstOut, body: { amount: 10, pixKeyType: 'IBAN' } },
    { reason: 'Chave PIX inválida', terms: worstOut, body: pixOut({ pixKeyType: 'CPF' }) },
    { reason: 'KYC não aprovado', terms: worstOut, body: pixOut() },
    { reason: 'Nenhuma configuração encontrada', terms: approved, body: pixOut() },
    { reason: 'Valor abaixo do mínimo permitido', terms: active, body: pixOut() },
    {
      reason: 'Valor acima do máximo permitido',
      terms: { limits: [limit(outPix[1], 9), limit(outPix[2], 1)] },
      body: pixOut(),
    },
    {
      reason: 'Limite diário atingido',
      terms: { limits: [limit(outPix[2], 1), limit('night_limit_out_pix', 1)] },
      body: pixOut(),
    },
    { reason: 'Saldo insuficiente', terms: {}, body: pixOut() },
  ])('PIX withdrawal: $reason', async (step) => {
    expect(await rejectionAt(PIX, step)).toBe(step.reason);
  });

  test('PIX withdrawal: the daily limit is reported before the night’s, and that before the balance', async () => {
    const daily = await account({ limits: [limit('daily_limit_out_pix', 1), limit('night_limit_out_pix', 1)] });
    const nightly = await account({ limits: [limit('daily_limit_out_pix', 100), limit('night_limit_out_pix', 1)] });
    now = NIGHT;
    expect((await trilho.post(PIX, daily.apiKey, pixOut())).body.error).toBe('Limite diário atingido');
    expect((await trilho.post(PIX, nightly.apiKey, pixOut())).body.error).toBe('Limite noturno atingido');
  });

  test.each<Step>([
    { reason: 'API key inválida ou não encontrada', key: WRONG_KEY, terms: worstOut, body: '{', quotes: 'down' },
    { reason: 'JSON inválido', terms: worstOut, body: '{', quotes: 'down' },
    { reason: 'Valor inválido', terms: worstOut, body: { amount: '10' }, quotes: 'down' },
    { reason: 'Carteira de destino é obrigatória', terms: worstOut, body: { amount: 10, memo: 'x' }, quotes: 'down' },
    { reason: 'Carteira de destino inválida', terms: worstOut, body: cryptoOut({ wallet: 'x' }), quotes: 'down' },
    { reason: 'KYC não aprovado', terms: worstOut, body: cryptoOut({ amount: 10 }), quotes: 'down' },
    { reason: 'Nenhuma configuração encontrada', terms: approved, body: cryptoOut({ amount: 10 }), quotes: 'down' },
    { reason: 'Valor abaixo do mínimo permitido', terms: active, body: cryptoOut({ amount: 10 }), quotes: 'down' },
    {
      reason: 'Valor acima do máximo permitido',
      terms: { limits: [limit('maximal_value_out_crypto', 9)] },
      body: cryptoOut(),
      quotes: 'down',
    },
    {
      reason: 'Não foi possível obter cotação',
      terms: { limits: [limit('daily_limit_out_crypto', 1)] },
      body: cryptoOut(),
      quotes: 'down',
    },
    { reason: 'Limite diário atingido', terms: { limits: [limit('daily_limit_out_crypto', 1)] }, body: cryptoOut() },
    { reason: 'Saldo insuficiente', terms: {}, body: cryptoOut() },
  ])('crypto withdrawal: $reason', async (step) => {
    expect(await rejectionAt(WITHDRAWAL, step)).toBe(step.reason);
  });

  test.each<Step>([
    { reason: 'API key inválida ou não encontrada', key: WRONG_KEY, body: '{', quotes: 'down' },
    { reason: 'JSON inválido', body: '{', quotes: 'down' },
    { reason: 'Valor inválido', terms: { currency: null }, body: { amount: '1', currency: 'DREX' }, quotes: 'down' },
    {
      reason: 'Moeda não suportada',
      terms: { limits: [limit('minimal_value_in_crypto', 50)] },
      body: { amount: 1, currency: 'DREX' },
      quotes: 'down',
    },
    {
      reason: 'Nenhuma moeda configurada para este usuário',
      terms: { currency: null, limits: [limit('minimal_value_in_crypto', 50)] },
      body: { amount: 1 },
      quotes: 'down',
    },
    {
      reason: 'Valor abaixo do mínimo permitido',
      terms: { limits: [limit('minimal_value_in_crypto', 50)] },
      body: { amount: 1 },
      quotes: 'down',
    },
    {
      reason: 'Valor acima do máximo permitido',
      terms: { limits: [limit('maximal_value_in_crypto', 0.5)] },
      body: { amount: 1 },
      quotes: 'down',
    },
    { reason: 'Não foi possível obter cotação', body: { amount: 1 }, quotes: 'down' },
    { reason: 'Valor abaixo do mínimo aceito pela rede', body: { amount: 1 } },
  ])('crypto deposit: $reason', async (step) => {
    expect(await rejectionAt(DEPOSIT, step)).toBe(step.reason);
  });
});
