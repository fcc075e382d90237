import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { BREAKER_FAILURES } from '#rails/breaker.ts';
import { revokeApiKey } from '#services/api-keys/manage-api-keys.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';

/**
 * The REST contract, one row a rule: PIX charge, transaction status and balance, at both prefixes,
 * with the whole body. What the contract leaves open (the sentences in `message`, the errors of the
 * PIX charge) is held to what the catalogue says.
 */

const NOW = new Date('2026-11-20T12:34:56.789Z');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const END_TO_END_ID = /^E\d{20}[0-9A-Za-z]{11}$/;

/**
 * More than a day before WITHDRAWN: a charge of this time has expired by then, its grace included.
 */
const EARLIER = new Date('2026-11-19T10:00:00.000Z');
const WITHDRAWN = new Date('2026-11-20T12:00:00.000Z');

let now = EARLIER;
let trilho: TestService;
/** The rows are written before the accounts are there: a row reads them when it runs. */
const keys = { merchant: '', payer: '', other: '', pending: '', rejected: '', revoked: '', unknown: '', mistyped: '' };
const ids = { pending: '', paid: '', expired: '', withdrawal: '', paidWithdrawal: '' };

beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
  const merchant = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 99, fixedCentavos: 10n } }] });
  keys.merchant = merchant.apiKey;
  keys.payer = (await trilho.openAccount({ fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 90n } }] })).apiKey;
  keys.other = (await trilho.openAccount()).apiKey;
  keys.pending = (await trilho.openAccount({ kycStatus: 'pending', mode: 'live' })).apiKey;
  keys.rejected = (await trilho.openAccount({ kycStatus: 'rejected', mode: 'live' })).apiKey;
  keys.revoked = (await trilho.openAccount()).apiKey;
  await revokeApiKey(trilho.deps, keys.revoked);
  keys.unknown = generateApiKey('test');
  keys.mistyped = keys.merchant.slice(0, -1) + (keys.merchant.endsWith('0') ? '1' : '0');

  const charge = async (key: string) => {
    return transactionIdOf(await trilho.post('/payments/transactions', key, { amount: 100.5 }));
  };
  /** `stepMs`: how far the clock moves between two polls, where the sandbox's time has to pass. */
  const becomes = (key: string, id: string, type: string, wanted: string, stepMs = 0) =>
    trilho.until(`the transaction is ${wanted}`, async () => {
      now = new Date(now.getTime() + stepMs);
      const { body } = await trilho.get(`/payments/transactions/${id}/status?type=${type}`, key);
      return (body.data as { status: string }).status === wanted || null;
    });
  const withdrawal = async () => {
    return transactionIdOf(
      await trilho.post('/payments/transfers/pix', keys.payer, {
        amount: 40,
        pixKey: 'maria@example.com',
        pixKeyType: 'EMAIL',
      }),
    );
  };
  ids.expired = await charge(keys.merchant);
  const funds = await charge(keys.payer);
  await trilho.pay(funds);
  await becomes(keys.payer, funds, 'pix_in', 'paid');
  now = WITHDRAWN;
  await becomes(keys.merchant, ids.expired, 'pix_in', 'expired');
  ids.paidWithdrawal = await withdrawal();
  await becomes(keys.payer, ids.paidWithdrawal, 'pix_out', 'paid', 500);
  now = NOW;
  // While the clock stands the provider has accepted it, and does not send it.
  ids.withdrawal = await withdrawal();
  await becomes(keys.payer, ids.withdrawal, 'pix_out', 'processing');
  ids.pending = await charge(keys.merchant);
  ids.paid = await charge(keys.merchant);
  await trilho.pay(ids.paid);
  await becomes(keys.merchant, ids.paid, 'pix_in', 'paid');
});
afterAll(() => trilho.stop());

type Row = { rule: string; call: (prefix: string) => Promise<Answer>; status: number; body: () => object };

/** Fields of ours, beside the contract's. */
const NO_MERCHANT_FIELDS = { reference: null, metadata: null };

const MISSING = {
  success: false,
  error: 'API key não fornecida',
  message: 'Envie sua chave de API no cabeçalho x-api-key.',
  code: 'api_key_missing',
};
const INVALID = {
  success: false,
  error: 'API key inválida',
  message: 'A chave de API enviada não existe, venceu ou foi revogada. Confira se ela foi copiada por inteiro.',
  code: 'api_key_invalid',
};
const NOT_APPROVED = {
  success: false,
  error: 'KYC não aprovado',
  message:
    'A verificação cadastral (KYC) desta conta ainda não foi aprovada. O dono da conta a envia e acompanha no painel, em Verificação.',
  code: 'kyc_not_approved',
};
const WRONG_TYPE = {
  success: false,
  error: 'Tipo inválido',
  message: 'Informe o tipo (type) como pix_in ou pix_out.',
  code: 'invalid_transaction_type',
  details: [{ field: 'type', message: 'Deve ser exatamente pix_in ou pix_out.', code: 'not_exactly_one_of' }],
};
const NOT_FOUND = {
  success: false,
  error: 'Transação não encontrada',
  message: 'Nenhuma transação com este identificador e tipo foi encontrada para este usuário.',
  code: 'transaction_not_found',
};
const INVALID_AMOUNT = {
  success: false,
  error: 'Valor inválido',
  message: 'Envie amount como número em reais, maior que zero, com no máximo duas casas decimais.',
  code: 'invalid_amount',
  details: [
    {
      field: 'amount',
      message: 'Deve ser um número maior que zero, em reais, com no máximo duas casas decimais.',
      code: 'not_amount',
    },
  ],
};

const balance = (key: () => string | undefined) => (prefix: string) => trilho.get(`${prefix}/payments/balance`, key());
const status = (id: () => string, query: string, key: () => string | undefined) => (prefix: string) =>
  trilho.get(`${prefix}/payments/transactions/${id()}/status${query}`, key());
const charge = (body: object, key: () => string | undefined) => (prefix: string) =>
  trilho.post(`${prefix}/payments/transactions`, key(), body);

const merchant = () => keys.merchant;
const payer = () => keys.payer;

/** Every operation rejects these keys alike, before it checks anything else. */
const REJECTED_KEYS: readonly (readonly [string, () => string | undefined, object])[] = [
  ['without a key', () => undefined, MISSING],
  ['with a key that was never issued', () => keys.unknown, INVALID],
  ['with a key that was mistyped', () => keys.mistyped, INVALID],
  ['with a revoked key', () => keys.revoked, INVALID],
  ['with something that is no key', () => 'x', INVALID],
  ['with the key twice', () => `${keys.merchant}, ${keys.merchant}`, INVALID],
];

const ROWS: readonly Row[] = [
  ...REJECTED_KEYS.flatMap(([rule, key, body]): Row[] => [
    { rule: `balance ${rule}`, call: balance(key), status: 401, body: () => body },
    { rule: `status ${rule}`, call: status(() => ids.paid, '?type=pix_in', key), status: 401, body: () => body },
    { rule: `status of a wrong type ${rule}`, call: status(() => 'x', '', key), status: 401, body: () => body },
    { rule: `charge ${rule}`, call: charge({ amount: 1 }, key), status: 401, body: () => body },
    { rule: `invalid charge ${rule}`, call: charge({}, key), status: 401, body: () => body },
  ]),

  {
    rule: 'balance of the owner of the key',
    call: balance(merchant),
    status: 200,
    // 100.50 - (0.99 % = 0.99495, half up 0.99; + 0.10)
    body: () => ({ success: true, data: { available_balance: 99.41, pending_balance: 0, blocked_balance: 0 } }),
  },
  {
    rule: 'balance of an account without movements',
    call: balance(() => keys.other),
    status: 200,
    body: () => ({ success: true, data: { available_balance: 0, pending_balance: 0, blocked_balance: 0 } }),
  },
  {
    rule: 'balance before KYC is approved',
    call: balance(() => keys.pending),
    status: 403,
    body: () => ({ ...NOT_APPROVED, kyc_status: 'pending' }),
  },
  {
    rule: 'balance after KYC was rejected',
    call: balance(() => keys.rejected),
    status: 403,
    body: () => ({ ...NOT_APPROVED, kyc_status: 'rejected' }),
  },

  {
    rule: 'status of a pending charge',
    call: status(() => ids.pending, '?type=pix_in', merchant),
    status: 200,
    body: () => ({
      success: true,
      data: {
        transaction_id: ids.pending,
        external_id: uuidToTxid(ids.pending),
        type: 'pix_in',
        status: 'pending',
        amount: 100.5,
        amount_fees: 1.09,
        created_at: '2026-11-20T12:34:56.789Z',
        paid_at: null,
        ...NO_MERCHANT_FIELDS,
      },
    }),
  },
  {
    rule: 'status of a paid charge',
    call: status(() => ids.paid, '?type=pix_in', merchant),
    status: 200,
    body: () => ({
      success: true,
      data: {
        transaction_id: ids.paid,
        external_id: expect.stringMatching(END_TO_END_ID),
        type: 'pix_in',
        status: 'paid',
        amount: 100.5,
        amount_fees: 1.09,
        created_at: '2026-11-20T12:34:56.789Z',
        paid_at: '2026-11-20T12:34:56.789Z',
        ...NO_MERCHANT_FIELDS,
      },
    }),
  },
  {
    rule: 'status of an expired charge',
    call: status(() => ids.expired, '?type=pix_in', merchant),
    status: 200,
    body: () => ({
      success: true,
      data: {
        transaction_id: ids.expired,
        external_id: uuidToTxid(ids.expired),
        type: 'pix_in',
        status: 'expired',
        amount: 100.5,
        amount_fees: 1.09,
        created_at: EARLIER.toISOString(),
        paid_at: null,
        ...NO_MERCHANT_FIELDS,
      },
    }),
  },
  {
    rule: 'status of a withdrawal that its provider has accepted',
    call: status(() => ids.withdrawal, '?type=pix_out', payer),
    status: 200,
    body: () => ({
      success: true,
      data: {
        transaction_id: ids.withdrawal,
        external_id: expect.stringMatching(END_TO_END_ID),
        type: 'pix_out',
        status: 'processing',
        amount: 40,
        amount_fees: 0.9,
        created_at: '2026-11-20T12:34:56.789Z',
        paid_at: null,
        ...NO_MERCHANT_FIELDS,
      },
    }),
  },
  {
    rule: 'status of a paid withdrawal',
    call: status(() => ids.paidWithdrawal, '?type=pix_out', payer),
    status: 200,
    body: () => ({
      success: true,
      data: {
        transaction_id: ids.paidWithdrawal,
        external_id: expect.stringMatching(END_TO_END_ID),
        type: 'pix_out',
        status: 'paid',
        amount: 40,
        amount_fees: 0.9,
        created_at: WITHDRAWN.toISOString(),
        paid_at: expect.stringMatching(/^2026-11-20T12:0\d:\d\d\.\d{3}Z$/),
        ...NO_MERCHANT_FIELDS,
      },
    }),
  },
  {
    rule: 'status by an id in capitals',
    call: status(() => ids.pending.toUpperCase(), '?type=pix_in', merchant),
    status: 200,
    body: () => ({ success: true, data: expect.objectContaining({ transaction_id: ids.pending }) }),
  },
  ...[
    '',
    '?type=',
    '?type',
    '?type=pix',
    '?type=PIX_IN',
    '?type=pix_in%20',
    '?type=crypto_in',
    '?type[]=pix_in',
    '?Type=pix_in',
    '?type=pix_in,pix_out',
  ].map(
    (query): Row => ({
      rule: `status with the type "${query}"`,
      call: status(() => ids.paid, query, merchant),
      status: 400,
      // Another name is another parameter, which a warning names.
      body: () => ({ ...WRONG_TYPE, ...(/type\[\]|Type/.test(query) && { warnings: [expect.any(Object)] }) }),
    }),
  ),
  ...(
    [
      ['an id that never was', () => '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b', '?type=pix_in', merchant],
      ['an id that is no uuid', () => 'abc', '?type=pix_in', merchant],
      ['an id with SQL in it', () => encodeURIComponent("x'; DROP TABLE transactions--"), '?type=pix_in', merchant],
      ['a uuid in braces', () => encodeURIComponent(`{${ids.paid}}`), '?type=pix_in', merchant],
      ['a NUL', () => '%00', '?type=pix_in', merchant],
      ['a charge, asked for as a withdrawal', () => ids.paid, '?type=pix_out', merchant],
      ['a withdrawal, asked for as a charge', () => ids.withdrawal, '?type=pix_in', payer],
      ["another account's charge", () => ids.paid, '?type=pix_in', () => keys.other],
      ["another account's withdrawal", () => ids.withdrawal, '?type=pix_out', () => keys.other],
      ['the owner named in the query', () => ids.paid, '?type=pix_in&accountId=x', () => keys.other],
    ] as const
  ).map(
    ([what, id, query, key]): Row => ({
      rule: `status of ${what}`,
      call: status(id, query, key),
      status: 404,
      body: () => NOT_FOUND,
    }),
  ),

  {
    rule: 'charge of an amount and nothing else',
    call: charge({ amount: 100.5 }, merchant),
    status: 200,
    body: () => created({ amount: 100.5 }),
  },
  {
    rule: 'charge with all that the contract names, echoed exactly as it was sent',
    call: charge(
      {
        amount: 1234.56,
        customerEmail: 'Maria.Silva@Example.COM',
        customerName: ' Maria da Silva ',
        customerDocument: '529.982.247-25',
        customerDocumentType: 'cpf',
        customerPhone: '(11) 98765-4321',
        description: 'Pedido nº 42: pão & café ☕',
        callbackUrl: 'https://93.184.216.34/hooks/pix?a=1#b',
      },
      merchant,
    ),
    status: 200,
    body: () =>
      created({
        amount: 1234.56,
        customer: {
          name: ' Maria da Silva ',
          email: 'Maria.Silva@Example.COM',
          document: '529.982.247-25',
          document_type: 'cpf',
          phone: '(11) 98765-4321',
        },
        description: 'Pedido nº 42: pão & café ☕',
        callback_url: 'https://93.184.216.34/hooks/pix?a=1#b',
      }),
  },
  {
    rule: 'charge of a company, its type in capitals',
    call: charge({ amount: 10, customerDocument: '12.abc.345/01de-35', customerDocumentType: 'CNPJ' }, merchant),
    status: 200,
    body: () => created({ amount: 10, customer: { document: '12.abc.345/01de-35', document_type: 'CNPJ' } }),
  },
  {
    rule: 'charge with nulls, which count as absent',
    call: charge({ amount: 10, customerName: null, customerDocument: null, splitAmount: null }, merchant),
    status: 200,
    body: () => created({ amount: 10 }),
  },
  {
    rule: 'charge before KYC is approved (the contract asks for KYC at the balance only)',
    call: charge({ amount: 10 }, () => keys.pending),
    status: 200,
    body: () => created({ amount: 10 }),
  },
  { rule: 'charge without an amount', call: charge({}, merchant), status: 400, body: () => INVALID_AMOUNT },
  {
    rule: 'charge with issues in several fields, each named',
    call: charge({ amount: '10', customerEmail: 'x', callbackUrl: 7 }, merchant),
    status: 400,
    body: () => ({
      ...INVALID_AMOUNT,
      details: [
        ...INVALID_AMOUNT.details,
        { field: 'customerEmail', message: 'Deve ser um e-mail válido.', code: 'not_email' },
        { field: 'callbackUrl', message: 'Deve ser um texto.', code: 'not_text' },
      ],
    }),
  },
  {
    rule: 'charge with an issue that is not the amount',
    call: charge({ amount: 10, customerPhone: '123' }, merchant),
    status: 400,
    body: () => ({
      success: false,
      error: 'Dados inválidos',
      message: 'Corrija os campos indicados em details e envie de novo.',
      code: 'invalid_input',
      details: [{ field: 'customerPhone', message: 'Deve ser um telefone brasileiro com DDD.', code: 'not_phone' }],
    }),
  },
];

type Created = { amount: number; customer?: object; description?: string; callback_url?: string };

function created({ amount, customer, description = undefined, callback_url = undefined }: Created) {
  return {
    success: true,
    message: 'Cobrança PIX criada com sucesso',
    data: {
      transaction_id: expect.stringMatching(UUID),
      amount,
      status: 'pending',
      payment_url: expect.stringMatching(/^http:\/\/localhost:\d+\/pay\/[0-9a-f-]{36}$/),
      qr_code_svg_url: expect.stringMatching(/\/pay\/[0-9a-f-]{36}\/qr\.svg$/),
      qr_code_png_url: expect.stringMatching(/\/pay\/[0-9a-f-]{36}\/qr\.png$/),
      payment_data: {
        qr_code: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
        pix_key: null,
        txid: expect.stringMatching(UUID),
        expiration_date: '2026-11-21T12:34:56.789Z',
        reference_code: expect.stringMatching(UUID),
      },
      customer: { name: null, email: null, document: null, document_type: null, phone: null, ...customer },
      split: null,
      description: description ?? null,
      callback_url: callback_url ?? null,
      ...NO_MERCHANT_FIELDS,
      created_at: '2026-11-20T12:34:56.789Z',
    },
  };
}

describe.each(['', '/api'])('the contract at %s/payments', (prefix) => {
  test.each(ROWS)('$rule: $status', async ({ call, status: expected, body }) => {
    const answer = await call(prefix);
    expect(answer.body).toEqual(body());
    expect(answer.status).toBe(expected);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

test('the three ids of a charge lead to it, and no two charges share one', async () => {
  const answers = await Promise.all([1, 2].map(() => charge({ amount: 5 }, merchant)('')));
  const found = answers.map(({ body }) => {
    const {
      transaction_id: id,
      payment_data,
      payment_url,
    } = body.data as {
      transaction_id: string;
      payment_url: string;
      payment_data: { txid: string; reference_code: string };
    };
    expect([payment_data.txid, payment_data.reference_code]).toEqual([id, id]);
    expect(new URL(payment_url).pathname).toBe(`/pay/${id}`);
    return id;
  });
  expect(new Set(found).size).toBe(2);
});

test('a PSP that does not create the charge is an error of the charge, and nothing of its words goes out', async () => {
  for (const [value, code] of [
    ['refused', 400],
    ['error', 400],
  ] as const) {
    await trilho.setSwitch('pix.charge', value);
    const answer = await charge({ amount: 77.01 }, merchant)('');
    await trilho.setSwitch('pix.charge', 'ok');
    expect(answer.status).toBe(code);
    expect(answer.body).toEqual({
      success: false,
      error: 'Não foi possível criar a cobrança',
      message: 'O provedor PIX não criou a cobrança. Nada foi cobrado; tente de novo em instantes.',
      code: 'charge_not_created',
    });
  }
});

test('a sandbox that failed for one developer’s charges creates the next one’s', async () => {
  const create = () => charge({ amount: 77.01 }, merchant)('');
  await trilho.setSwitch('pix.charge', 'error');
  await Promise.all(Array.from({ length: BREAKER_FAILURES }, create));
  expect((await create()).status).toBe(400);
  await trilho.setSwitch('pix.charge', 'ok');
  expect((await create()).status).toBe(200);
});
