import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';

/** What a PIX charge takes and what it rejects: nothing is guessed, rounded or repaired. */

let trilho: TestService;
let apiKey: string;
let liveKey: string;
const ids = { merchant: '', receiver: '', live: '' };

beforeAll(async () => {
  trilho = await startTestService();
  const fees = [{ type: 'pix_in' as const, fee: { bps: 100, fixedCentavos: 10n } }];
  const merchant = await trilho.openAccount({ fees, email: 'merchant@example.com' });
  apiKey = merchant.apiKey;
  ids.merchant = merchant.accountId;
  ids.receiver = (await trilho.openAccount({ email: 'receiver@example.com' })).accountId;
  await trilho.openAccount({ email: 'other@example.com' });
  const live = await trilho.openAccount({ mode: 'live', email: 'live@example.com' });
  liveKey = live.apiKey;
  ids.live = live.accountId;
});
afterAll(() => trilho.stop());

const charge = (body: unknown, key = apiKey) => trilho.post('/payments/transactions', key, body);

async function stored(answer: Answer): Promise<Record<string, unknown>> {
  const id = transactionIdOf(answer);
  const { rows } = await trilho.deps.db.pool.query('SELECT * FROM transactions WHERE id = $1', [id]);
  return rows[0];
}

/** A rejection writes nothing: no charge, no task. */
async function rejected(call: () => Promise<Answer>): Promise<Answer['body']> {
  const count = async () => {
    const { rows } = await trilho.deps.db.pool.query(
      // Earlier charges are paid and delivered meanwhile: their tasks come and go.
      `SELECT (SELECT count(*) FROM transactions) + (SELECT count(*) FROM tasks t WHERE t.kind = 'sync_charge'
         AND NOT EXISTS (SELECT FROM transactions x WHERE x.id = t.subject_id)) AS rows`,
    );
    return rows[0].rows;
  };
  const before = await count();
  const answer = await call();
  expect(answer.status).toBe(400);
  expect(await count()).toBe(before);
  return answer.body;
}

const oneIssue = (field: string, message: string | RegExp) => ({
  success: false,
  error: 'Dados inválidos',
  message: 'Corrija os campos indicados em details e envie de novo.',
  code: 'invalid_input',
  details: [
    {
      field,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      code: expect.stringMatching(/^[a-z_]+$/),
    },
  ],
});

// ASVS 1.5.2, 2.2.1, 15.3.5
describe('amount', () => {
  const FORM = 'Deve ser um número maior que zero, em reais, com no máximo duas casas decimais.';

  test.each([
    ['"10"', FORM],
    ['"10.00"', FORM],
    ['"1,50"', FORM],
    ['""', FORM],
    ['"NaN"', FORM],
    ['"Infinity"', FORM],
    ['null', FORM],
    ['true', FORM],
    ['false', FORM],
    ['[]', FORM],
    ['[10]', FORM],
    ['{}', FORM],
    ['{"valueOf":10}', FORM],
    ['0', FORM],
    ['0.0', FORM],
    ['-0', FORM],
    ['-0.0', FORM],
    ['-1', FORM],
    ['-0.01', FORM],
    ['0.001', FORM],
    ['0.009', FORM],
    ['1.005', FORM],
    ['10.001', FORM],
    ['12.345', FORM],
    ['0.30000000000000004', FORM],
    ['1e-2000', FORM],
    ['1e-7', FORM],
    ['1e400', FORM],
    ['-1e400', FORM],
    // Nearer to an amount than to any other double: JSON.parse reads 1000000, 10 and 1.01.
    ['999999.999999999999', FORM],
    ['10.00000000000000001', FORM],
    ['1010000000000000000001e-18', FORM],
  ])('%s is rejected and nothing is written', async (text, message) => {
    expect(await rejected(() => charge(`{"amount":${text}}`))).toEqual({
      success: false,
      error: 'Valor inválido',
      message: 'Envie amount como número em reais, maior que zero, com no máximo duas casas decimais.',
      code: 'invalid_amount',
      details: [{ field: 'amount', message, code: 'not_amount' }],
    });
  });

  test('a maximum of the account above that of every account is not shown: the other one holds', async () => {
    const limits = [{ name: 'maximal_value_in_pix', centavos: 20_000_000_00n }];
    const { apiKey: key } = await trilho.openAccount({ limits });
    const { body } = await trilho.get('/payments/limits', key);
    expect((body.data as { limits: Record<string, number> }).limits).toMatchObject({ maximal_value_in_pix: 1_000_000 });
  });

  test.each(['1000000.01', '1000001', '2000000', '999999999999.99', '9007199254740993', '1e21', '1e300'])(
    '%s is above the maximum, and the message says which that is',
    async (text) => {
      expect(await rejected(() => charge(`{"amount":${text}}`))).toEqual({
        success: false,
        error: 'Valor acima do máximo permitido',
        message:
          'O valor está acima do máximo por operação desta conta, R$ 1.000.000,00; consulte GET /payments/limits.',
        code: 'above_maximum',
      });
    },
  );

  test('zero and negative amounts are below the minimum of an account that has one', async () => {
    const limits = [{ name: 'minimal_value_in_pix', centavos: 10_00n }];
    const { apiKey: key } = await trilho.openAccount({ limits });
    for (const text of ['0', '-0', '-1', '-0.01', '9.99', '-1e300'])
      expect(await rejected(() => charge(`{"amount":${text}}`, key))).toEqual({
        success: false,
        error: 'Valor abaixo do mínimo permitido',
        message: 'O valor está abaixo do mínimo por operação desta conta, R$ 10,00; consulte GET /payments/limits.',
        code: 'below_minimum',
      });
  });

  test.each(['NaN', 'Infinity', '-Infinity', '+10', '01', '.5', '1.', '0x10', '1_000', '10n', "'10'"])(
    '%s is no JSON',
    async (text) => {
      expect(await rejected(() => charge(`{"amount":${text}}`))).toMatchObject({ error: 'JSON inválido' });
    },
  );

  test.each([
    ['0.01', 0.01, 1n],
    ['1', 1, 100n],
    ['4.35', 4.35, 435n],
    ['1.1', 1.1, 110n],
    ['100.0', 100, 10_000n],
    ['100.500', 100.5, 10_050n],
    ['1e2', 100, 10_000n],
    ['1.5E+1', 15, 1_500n],
    ['9999.99', 9999.99, 999_999n],
    ['999999.99', 999_999.99, 99_999_999n],
    ['1000000', 1_000_000, 100_000_000n],
    ['100.50000000000000000000', 100.5, 10_050n],
    ['10050000000000000000000e-20', 100.5, 10_050n],
  ])('%s is taken to the centavo', async (text, amount, centavos) => {
    const answer = await charge(`{"amount":${text}}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ amount });
    expect(answer.text).toContain(`"amount":${amount},`);
    expect((await stored(answer)).amount_centavos).toBe(centavos);
  });
});

describe('customer', () => {
  test.each([
    ['customerName', 7, 'Deve ser um texto.'],
    ['customerName', {}, 'Deve ser um texto.'],
    ['customerName', ' \u00a0\t', 'Não pode ser vazio.'],
    ['customerName', 'x'.repeat(201), 'Deve ter no máximo 200 caracteres.'],
    ['customerEmail', 'maria', 'Deve ser um e-mail válido.'],
    ['customerEmail', 'maria@localhost', 'Deve ser um e-mail válido.'],
    ['customerEmail', 'a@b.com,c@d.com', 'Deve ser um e-mail válido.'],
    ['customerEmail', 'maria@example.com\r\nBcc: x@y.com', 'Deve ser um e-mail válido.'],
    ['customerEmail', ['maria@example.com'], 'Deve ser um texto.'],
    ['customerPhone', '123', 'Deve ser um telefone brasileiro com DDD.'],
    ['customerPhone', '+14155552671', 'Deve ser um telefone brasileiro com DDD.'],
    ['customerPhone', '00987654321', 'Deve ser um telefone brasileiro com DDD.'],
    ['customerPhone', 11_987_654_321, 'Deve ser um texto.'],
    ['description', 'x'.repeat(501), 'Deve ter no máximo 500 caracteres.'],
    ['description', 42, 'Deve ser um texto.'],
    ['customerDocument', '52998224725', 'É obrigatório quando customerDocument é enviado.', 'customerDocumentType'],
    ['customerDocumentType', 'cpf', 'É obrigatório quando customerDocumentType é enviado.', 'customerDocument'],
  ])('%s = %j is rejected', async (field, value, message, at = field) => {
    expect(await rejected(() => charge({ amount: 10, [field]: value }))).toEqual(oneIssue(at, message));
  });

  // Folding case must not turn foreign letters into these.
  test.each(['rg', ' ', 'cpf ', 'CPF\u0307', 1, true, ['cpf']])('a document type %j is rejected', async (type) => {
    const body = await rejected(() =>
      charge({ amount: 10, customerDocument: '52998224725', customerDocumentType: type }),
    );
    expect(body).toEqual(oneIssue('customerDocumentType', 'Deve ser cpf ou cnpj.'));
  });

  // ASVS 2.2.3
  test.each([
    ['52998224724', 'cpf'],
    ['11111111111', 'cpf'],
    ['5299822472', 'cpf'],
    ['529982247255', 'cpf'],
    ['12345678000195', 'cpf'],
    ['52998224725', 'cnpj'],
    ['12345678000194', 'cnpj'],
    ['00000000000000', 'cnpj'],
    ['12ABC34501DE36', 'cnpj'],
    ['12ABC34501DEX5', 'cnpj'],
    ['52998224725; DROP', 'cpf'],
    [' ', 'cpf'],
  ])('the document %s is no %s', async (customerDocument, customerDocumentType) => {
    const body = await rejected(() => charge({ amount: 10, customerDocument, customerDocumentType }));
    expect(body).toEqual(
      oneIssue('customerDocument', `Não é um ${customerDocumentType.toUpperCase()} válido: confira o número.`),
    );
  });

  test.each([
    ['529.982.247-25', 'CPF', 'cpf', '52998224725'],
    ['52998224725', 'cpf', 'cpf', '52998224725'],
    ['12.345.678/0001-95', 'Cnpj', 'cnpj', '12345678000195'],
    ['12abc34501de35', 'cnpj', 'cnpj', '12ABC34501DE35'],
  ])('the document %s (%s) is kept sealed, and found by its fingerprint', async (document, type, kind, plain) => {
    const row = await stored(await charge({ amount: 10, customerDocument: document, customerDocumentType: type }));
    expect(row.customer_document_type).toBe(kind);
    const { secretBox } = trilho.deps;
    expect(secretBox.open(String(row.customer_document), `customer-document:${row.id}`)).toBe(plain);
    expect(row.customer_document_index).toEqual(secretBox.fingerprint(plain, 'customer-document'));
    expect(JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      new RegExp(`${plain}|${document}`, 'i'),
    );
  });

  test('e-mail and phone are kept in one spelling', async () => {
    const row = await stored(
      await charge({ amount: 10, customerEmail: ' Maria@Example.COM', customerPhone: '11 98765-4321' }),
    );
    const { customer_email: customerEmail, customer_phone: customerPhone } = row as Record<string, string>;
    const kept = { id: String(row.id), customerEmail: String(customerEmail), customerPhone: String(customerPhone) };
    expect(openTransaction(trilho.deps.secretBox, kept)).toMatchObject({
      customerEmail: 'maria@example.com',
      customerPhone: '+5511987654321',
    });
  });
});

describe('an empty text', () => {
  const TEXTS = ['customerName', 'customerEmail', 'customerPhone', 'description', 'callbackUrl'];
  const PAIRED = ['customerDocument', 'customerDocumentType', 'splitReceiverUserId', 'splitReceiverEmail'];

  test('counts as absent in every optional field, and is answered as absent', async () => {
    const empty = Object.fromEntries([...TEXTS, ...PAIRED].map((name) => [name, '']));
    const answer = await charge({ amount: 10, ...empty });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({
        customer: { name: null, email: null, document: null, document_type: null, phone: null },
        description: null,
        callback_url: null,
      }),
    ]);
  });

  test('is no amount', async () => {
    const body = await rejected(() => charge({ amount: 10, splitAmount: '', splitReceiverUserId: ids.receiver }));
    expect(body).toMatchObject({ error: 'Dados inválidos', details: [{ field: 'splitAmount' }] });
    expect(await rejected(() => charge({ amount: '' }))).toMatchObject({ error: 'Valor inválido' });
  });

  test('in a query is a filter that is not set', async () => {
    const filters = 'type=&status=&from=&to=&min_amount=&max_amount=&text=&limit=&cursor=';
    const { status, body } = await trilho.get(`/payments/transactions?${filters}`, apiKey);
    expect([status, Array.isArray(body.data)]).toEqual([200, true]);
  });
});

describe('text', () => {
  test.each([
    ['a right-to-left override', 'pedido \u202e42'],
    ['an emoji of four bytes', 'café ☕ 🧾'],
    ['a family of joined emoji', '👨‍👩‍👧‍👦'],
    ['zero-width characters', 'a\u200bb\u200dc\ufeff'],
    ['combining marks', `e${'\u0301'.repeat(400)}`],
    ['decomposed letters', 'Sa\u0303o Jose\u0301'],
    ['line breaks and tabs', 'um\n\tdois\r\n'],
    ['markup', '<img src=x onerror=alert(1)></script>{{7*7}}'],
    ['SQL', "'; SELECT pg_sleep(5); --"],
    ['a formula', '=HYPERLINK("http://example.com")'],
    ['as many emoji as letters are allowed', '🧾'.repeat(500)],
  ])('%s comes back as it was sent and is stored so', async (_what, description) => {
    const answer = await charge({ amount: 10, description });
    expect(answer.body).toMatchObject({ success: true, data: { description } });
    const row = await stored(answer);
    const kept = { id: String(row.id), description: String(row.description) };
    expect(openTransaction(trilho.deps.secretBox, kept).description).toBe(description);
  });

  test.each([
    ['a NUL', '"a\\u0000b"'],
    ['a lone high surrogate', '"a\\ud83d"'],
    ['a lone low surrogate', '"\\ude00b"'],
    ['surrogates the wrong way round', '"\\ude00\\ud83d"'],
  ])('%s is rejected in every text', async (_what, json) => {
    for (const field of ['customerName', 'description', 'callbackUrl']) {
      const body = await rejected(() => charge(`{"amount":10,"${field}":${json}}`));
      expect(body).toEqual(oneIssue(field, 'Contém caracteres inválidos.'));
    }
    for (const field of ['customerEmail', 'customerPhone', 'splitReceiverUserId', 'splitReceiverEmail'])
      expect(await rejected(() => charge(`{"amount":10,"splitAmount":1,"${field}":${json}}`))).toMatchObject({
        error: 'Dados inválidos',
      });
  });
});

describe('callbackUrl', () => {
  const INSIDE = [
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://0177.0.0.1/x',
    'https://0.0.0.0/x',
    'https://[::]/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:a9fe:a9fe]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://172.16.0.1/x',
    'https://192.168.1.1/x',
    'https://100.64.0.1/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[2002:7f00:1::]/x',
    'https://[fd00:ec2::254]/x',
    'https://metadata.google.internal/x',
    'https://u:p@93.184.216.34/x',
    'https://93.184.216.34:22/x',
    'https://93.184.216.34:5432/x',
    'https://93.184.216.34:25/x',
    'https://example.com./x',
    'https://intranet/x',
    'https://①②⑦.0.0.1/x',
    'https://exa mple.com/x',
    'https://93.184.216.34\\@127.0.0.1/x',
    'https://',
    '/hooks',
    'hooks',
    ' ',
  ];
  const RULES =
    /^(Use um endereço https|Isto não é uma URL completa|A URL não pode ter usuário|Esta porta não é|Este endereço não é público)/;
  const SCHEMES = ['http://93.184.216.34/x', 'file:///etc/passwd', 'gopher://93.184.216.34/', 'javascript:alert(1)'];

  // ASVS 2.2.2
  test.each([...INSIDE, ...SCHEMES])('a live account may not give %s', async (callbackUrl) => {
    const body = await rejected(() => charge({ amount: 10, callbackUrl }, liveKey));
    expect(body).toEqual(oneIssue('callbackUrl', RULES));
  });

  test.each([
    ['https://u:p@93.184.216.34/x', 'A URL não pode ter usuário e senha.'],
    ['https://93.184.216.34:22/x', 'Esta porta não é permitida. Use a padrão (443) ou uma acima de 1024.'],
    ['https://93.184.216.34\\@127.0.0.1/x', 'Isto não é uma URL completa. Exemplo: https://suaempresa.com.br/webhooks'],
    ['https://10.0.0.1/x', 'Este endereço não é público: não podemos enviar para a rede interna.'],
    ['http://93.184.216.34/x', 'Use um endereço https.'],
  ])('the error of %s says which rule it breaks', async (url, message) => {
    const body = await rejected(() => charge({ amount: 10, callbackUrl: url }, liveKey));
    expect(body).toEqual(oneIssue('callbackUrl', message));
  });

  test('a webhookUrl of a new account is checked by the same rules', async () => {
    const { accountId } = await trilho.openAccount({ canCreateAccounts: true });
    const key = await createApiKey(trilho.deps, { accountId, name: 'contas', permissions: [...PERMISSIONS] });
    const account = { name: 'Cliente', email: 'cliente@example.com', document: '52998224725', documentType: 'cpf' };
    const webhookUrl = 'https://93.184.216.34:22/x';
    const body = await rejected(() => trilho.post('/accounts', key?.apiKey ?? '', { ...account, webhookUrl }));
    expect(body).toEqual(oneIssue('webhookUrl', /^Esta porta não é permitida/));
  });

  test('the error of a private address does not say why it is rejected', async () => {
    const bodies = new Set<string>();
    for (const callbackUrl of ['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://intranet/'])
      bodies.add((await charge({ amount: 10, callbackUrl }, liveKey)).text);
    expect(bodies.size).toBe(1);
  });

  test.each([
    'https://169.254.169.254/x',
    'http://169.254.169.254/x',
    'http://[fd00:ec2::254]/x',
    'http://metadata.google.internal/x',
    'http://10.0.0.1/x',
  ])('%s is rejected even of a test account of a demo', async (callbackUrl) => {
    const body = await rejected(() => charge({ amount: 10, callbackUrl }));
    expect(body).toMatchObject({ details: [{ field: 'callbackUrl' }] });
  });

  test.each(['http://127.0.0.1:9999/hook', 'http://localhost:9999/hook', 'https://93.184.216.34/hook'])(
    'a test account of a demo may give %s',
    async (callbackUrl) => {
      const answer = await charge({ amount: 10, callbackUrl });
      expect(answer.body).toMatchObject({ success: true, data: { callback_url: callbackUrl } });
    },
  );

  test('a live account may give a public https address', async () => {
    const callbackUrl = 'https://93.184.216.34:8443/hook?x=1';
    const answer = await charge({ amount: 10, callbackUrl }, liveKey);
    expect((await stored(answer)).callback_url).toBe(callbackUrl);
  });
});

describe('split', () => {
  const UNKNOWN = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';
  const NO_SUCH_USER = 'Nenhum usuário com este identificador e e-mail foi encontrado.';
  const ITSELF = 'O recebedor da divisão deve ser outro usuário.';

  test.each<[string, () => object, string, string]>([
    [
      'a receiver that is unknown',
      () => ({ splitReceiverUserId: UNKNOWN, splitAmount: 1 }),
      'splitReceiverUserId',
      NO_SUCH_USER,
    ],
    [
      'an e-mail that is unknown',
      () => ({ splitReceiverEmail: 'nobody@example.com', splitAmount: 1 }),
      'splitReceiverEmail',
      NO_SUCH_USER,
    ],
    [
      'an id and an e-mail that disagree',
      () => ({ splitReceiverUserId: ids.receiver, splitReceiverEmail: 'other@example.com', splitAmount: 1 }),
      'splitReceiverUserId',
      NO_SUCH_USER,
    ],
    ['itself by id', () => ({ splitReceiverUserId: ids.merchant, splitAmount: 1 }), 'splitReceiverUserId', ITSELF],
    [
      'itself by e-mail',
      () => ({ splitReceiverEmail: 'merchant@example.com', splitAmount: 1 }),
      'splitReceiverEmail',
      ITSELF,
    ],
    [
      'a live account by id',
      () => ({ splitReceiverUserId: ids.live, splitAmount: 1 }),
      'splitReceiverUserId',
      NO_SUCH_USER,
    ],
    [
      'a live account by e-mail',
      () => ({ splitReceiverEmail: 'live@example.com', splitAmount: 1 }),
      'splitReceiverEmail',
      NO_SUCH_USER,
    ],
    // 100.00 less 1 % and 10 centavos.
    [
      'a centavo above the net',
      () => ({ splitReceiverUserId: ids.receiver, splitAmount: 98.91 }),
      'splitAmount',
      'Deve ser no máximo o valor líquido da cobrança.',
    ],
    [
      'a receiver and no amount',
      () => ({ splitReceiverUserId: ids.receiver }),
      'splitAmount',
      'É obrigatório quando um recebedor da divisão é enviado.',
    ],
    [
      'an amount and no receiver',
      () => ({ splitAmount: 1 }),
      'splitReceiverUserId',
      'Envie splitReceiverUserId ou splitReceiverEmail com splitAmount.',
    ],
    [
      'an id that is none',
      () => ({ splitReceiverUserId: 'x', splitAmount: 1 }),
      'splitReceiverUserId',
      'Deve ser um identificador (uuid).',
    ],
    [
      'an amount with three decimals',
      () => ({ splitReceiverUserId: ids.receiver, splitAmount: 1.005 }),
      'splitAmount',
      'Deve ser um número maior que zero, em reais, com no máximo duas casas decimais.',
    ],
    [
      'an amount of zero',
      () => ({ splitReceiverUserId: ids.receiver, splitAmount: 0 }),
      'splitAmount',
      'Deve ser um número maior que zero, em reais, com no máximo duas casas decimais.',
    ],
  ])('%s is rejected', async (_what, split, field, message) => {
    expect(await rejected(() => charge({ amount: 100, ...split() }))).toEqual(oneIssue(field, message));
  });

  test.each<[string, () => object]>([
    ['by id', () => ({ splitReceiverUserId: ids.receiver })],
    ['by id in capitals', () => ({ splitReceiverUserId: ids.receiver.toUpperCase() })],
    ['by e-mail in any case', () => ({ splitReceiverEmail: 'Receiver@Example.com' })],
    [
      'by both when they agree',
      () => ({ splitReceiverUserId: ids.receiver, splitReceiverEmail: 'receiver@example.com' }),
    ],
  ])('a receiver is found %s and may get the whole net', async (_how, receiver) => {
    const row = await stored(await charge({ amount: 100, splitAmount: 98.9, ...receiver() }));
    expect(row).toMatchObject({
      split_account_id: ids.receiver,
      amount_centavos: 10_000n,
      fee_centavos: 110n,
      split_centavos: 9_890n,
      net_centavos: 0n,
    });
  });
});

describe('what is not asked for', () => {
  // ASVS 8.2.3, 15.3.3
  test('unknown fields change nothing', async () => {
    const answer = await charge({
      amount: 10,
      status: 'paid',
      id: '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b',
      transaction_id: '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b',
      accountId: ids.live,
      account_id: ids.live,
      userId: ids.live,
      fees: 0,
      fee_centavos: 0,
      net_centavos: 99_999,
      balance: 1_000_000,
      available_balance: 1_000_000,
      mode: 'live',
      rail: 'psp',
      role: 'operator',
      kyc_status: 'approved',
      paid_at: '2020-01-01T00:00:00.000Z',
      created_at: '2020-01-01T00:00:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
      end_to_end_id: 'E99999999202611201234abcdefghijk',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: 'pending', amount: 10 });
    expect(answer.text).not.toContain('0193bd4e');
    const row = await stored(answer);
    expect(row).toMatchObject({
      account_id: ids.merchant,
      status: 'pending',
      amount_centavos: 1_000n,
      fee_centavos: 20n,
      net_centavos: 980n,
      rail: 'sandbox',
      paid_at: null,
      end_to_end_id: null,
    });
    expect(String(row.created_at)).not.toContain('2020');
    expect(String(row.expires_at)).not.toContain('2099');
    const balance = await trilho.get('/payments/balance', apiKey);
    expect(balance.body.data).toEqual({ available_balance: 0, pending_balance: 0, blocked_balance: 0 });
  });

  test.each([
    '{"amount":10,"__proto__":{"polluted":true,"customerName":"x"}}',
    '{"amount":10,"constructor":{"prototype":{"polluted":true}}}',
    '{"amount":10,"toString":1,"hasOwnProperty":1,"valueOf":null}',
    '{"__proto__":{"amount":20},"amount":10}',
  ])('%s pollutes nothing', async (body) => {
    const answer = await charge(body);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ amount: 10, customer: { name: null } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('an amount on the prototype is no amount', async () => {
    expect(await rejected(() => charge('{"__proto__":{"amount":10}}'))).toMatchObject({ error: 'Valor inválido' });
  });

  test('a query string is no part of a charge', async () => {
    const answer = await trilho.post('/payments/transactions?amount=10', apiKey, {});
    expect(answer.body).toMatchObject({ error: 'Valor inválido' });
  });
});
