import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { type Answer, startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/**
 * Secrets and people's data are sent to every handler, and the whole log, at its most verbose
 * level, is searched for them.
 */

const CPF = '52998224725';
const CANARIES = {
  unknownKey: generateApiKey('live'),
  mistypedKey: `${generateApiKey('test').slice(0, -1)}_`,
  webhookSecret: 'whsec_Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5',
  cpf: CPF,
  cpfWritten: '529.982.247-25',
  cnpj: '12ABC34501DE35',
  cnpjWritten: '12.ABC.345/01DE-35',
  email: 'canary.maria@example.com',
  name: 'Canary Sobrenome',
  phone: '11987654321',
  phoneWritten: '(11) 98765-4321',
  password: 'canary-pass-word',
  bearer: 'canaryBearer.abc-123',
  databaseUrl: 'postgres://trilho:canary-db-pass@db.example.com/trilho',
  pem: '-----BEGIN PRIVATE KEY-----\nCanaryPemMIIEvQIBADAN\n-----END PRIVATE KEY-----',
};
/** What must not be found of them, in small letters. */
const TELLTALES = [
  CANARIES.unknownKey,
  CANARIES.mistypedKey.slice(8),
  CANARIES.webhookSecret,
  CPF,
  CANARIES.cpfWritten,
  CANARIES.cnpj,
  CANARIES.cnpjWritten,
  CANARIES.phone,
  '98765-4321',
  '987654321',
  'canary',
].map((text) => text.toLowerCase());

/** All of them in one text. */
const EVERYTHING = [
  ...Object.values(CANARIES).filter(
    (text) => text !== CANARIES.name && text !== CANARIES.bearer && text !== CANARIES.password,
  ),
  `authorization: Bearer ${CANARIES.bearer}`,
  `password=${CANARIES.password}`,
].join('\n');

let trilho: TestService;
let apiKey: string;
let secretKey: string;
const answers: Answer[] = [];

beforeAll(async () => {
  trilho = await startTestService();
  ({ apiKey, secretKey } = await trilho.openAccount({ email: CANARIES.email, name: CANARIES.name }));
});
afterAll(() => trilho.stop());

const keep = async (answer: Promise<Answer>) => {
  const settled = await answer;
  answers.push(settled);
  return settled;
};
const charge = (body: unknown, headers: Record<string, string> = {}, key: string | undefined = apiKey) =>
  keep(trilho.post('/payments/transactions', key, body, headers));

const CUSTOMER = {
  customerName: CANARIES.name,
  customerEmail: CANARIES.email,
  customerPhone: CANARIES.phoneWritten,
  customerDocument: CANARIES.cpfWritten,
  customerDocumentType: 'cpf',
};

test('requests with all of it in headers, paths, queries and bodies are answered, whether they succeed or fail', async () => {
  const oneLine = encodeURIComponent(EVERYTHING);
  for (const key of [apiKey, CANARIES.unknownKey, CANARIES.mistypedKey, CANARIES.password])
    for (const path of ['/payments/balance', `/payments/balance?${oneLine}`, `/payments/${oneLine}`, `/${oneLine}`])
      await keep(
        trilho.get(path, key, {
          authorization: `Bearer ${CANARIES.bearer}`,
          cookie: `session=${CANARIES.password}`,
          'user-agent': `x ${CANARIES.cpf} ${CANARIES.email}`,
          referer: CANARIES.databaseUrl,
          'x-request-id': CANARIES.cpf,
        }),
      );
  await keep(trilho.get(`/payments/transactions/${CPF}/status?type=${CANARIES.email}&api_key=${apiKey}`, apiKey));
  await keep(trilho.get(`/payments/transactions/${oneLine}/status?type=pix_in`, apiKey));
  await keep(
    trilho.get(`/api/trpc/payment.get?input=${encodeURIComponent(JSON.stringify({ transactionId: EVERYTHING }))}`),
  );
  await keep(trilho.get(`/sandbox/cob/${CPF}`, apiKey, { authorization: `Bearer ${CANARIES.bearer}` }));

  expect((await charge({ amount: 10, ...CUSTOMER, description: EVERYTHING.slice(0, 500) })).status).toBe(200);
  await charge({ amount: 10, ...Object.fromEntries(Object.keys(CUSTOMER).map((name) => [name, EVERYTHING])) });
  await charge({ amount: EVERYTHING, callbackUrl: CANARIES.databaseUrl });
  await charge({ amount: 10, splitAmount: 1, splitReceiverEmail: `x${CANARIES.email}` });
  await charge(`{"amount":10,"customerEmail":"${CANARIES.email}`);
  await charge(`{"${CANARIES.email}":1,"${CANARIES.email}":2}`);
  await charge(EVERYTHING, { 'content-type': 'text/plain' });
  await charge(`${EVERYTHING}${' '.repeat(70_000)}`);
});

test('an error of the database that quotes what it was given is an internal error', async () => {
  await trilho.asOwner(
    `CREATE FUNCTION quote_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'rejected: % % % % {"password":"%"}', NEW.customer_email, NEW.customer_phone, NEW.description, NEW.callback_url, NEW.customer_name
         USING DETAIL = row_to_json(NEW)::text, HINT = NEW.customer_name; END $$;
     CREATE TRIGGER quote_all BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION quote_all()`,
  );
  const rejected = await charge({
    amount: 10,
    ...CUSTOMER,
    description: EVERYTHING.slice(0, 500),
    callbackUrl: `http://127.0.0.1:9999/?token=${CANARIES.password}`,
  });
  await trilho.asOwner('DROP TRIGGER quote_all ON transactions');
  expect(rejected.status).toBe(500);

  // PostgreSQL's own words: the row that failed, and the key that was there already.
  await trilho.asOwner('ALTER TABLE transactions ADD CONSTRAINT never CHECK (amount_centavos <> 77701)');
  expect((await charge({ amount: 777.01, ...CUSTOMER })).status).toBe(500);
  await trilho.asOwner('ALTER TABLE transactions DROP CONSTRAINT never');
});

test('a PSP that rejects, or that is broken, fails the charge', async () => {
  for (const value of ['refused', 'error']) {
    await trilho.setSwitch('pix.charge', value);
    expect((await charge({ amount: 10, ...CUSTOMER })).status).toBe(400);
  }
  await trilho.setSwitch('pix.charge', 'ok');
});

test('callbacks that are genuine, broken and forged are processed', async () => {
  const url = new URL(pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox'));
  const token = url.pathname.split('/').at(-1) ?? '';
  TELLTALES.push(token.toLowerCase());
  const bodies = [
    EVERYTHING,
    JSON.stringify({ pix: [{ endToEndId: EVERYTHING, txid: CPF, pagador: { cpf: CPF, nome: CANARIES.name } }] }),
    JSON.stringify({
      pix: [{ endToEndId: `E${'9'.repeat(20)}abcdefghijk`, txid: 'f'.repeat(32), infoPagador: CANARIES.email }],
    }),
  ];
  for (const body of bodies) {
    expect((await keep(trilho.post(`${url.pathname}/pix`, undefined, body))).status).toBe(200);
    await keep(trilho.post(`/inbound/pix/sandbox/${CANARIES.password}/pix`, undefined, body));
  }
  await trilho.until('the callbacks are processed', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      'SELECT count(*)::int AS n FROM inbound_callbacks WHERE outcome IS NULL',
    );
    return rows[0].n === 0 || null;
  });
});

test('every level of the log takes errors and objects that quote all of it', () => {
  const { log } = trilho.deps;
  const error = Object.assign(new Error(EVERYTHING, { cause: new Error(EVERYTHING) }), {
    detail: EVERYTHING,
    config: { headers: { authorization: CANARIES.password } },
  });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    log[level]({ err: error }, 'An error.');
    log[level]({ note: EVERYTHING, deep: { deeper: [{ note: EVERYTHING }] } }, EVERYTHING);
    log[level](
      { body: JSON.stringify(CUSTOMER), nested: { customer: CUSTOMER, x: { password: CANARIES.password } } },
      'Facts.',
    );
  }
});

// ASVS 14.2.4, 16.2.3, 16.2.4
test('no line of the log holds any of what was sent, each is JSON, and every request is found by its id', async () => {
  // The last request is logged when its connection is done with it.
  await trilho.until('every request is logged', async () => {
    const log = trilho.log.join('');
    return answers.every(({ headers }) => log.includes(headers.get('x-request-id') ?? 'none')) || null;
  });
  TELLTALES.push(apiKey.toLowerCase(), secretKey.toLowerCase(), trilho.masterKeys.slice(3).toLowerCase());
  expect(trilho.log.length).toBeGreaterThan(40);
  for (const line of trilho.log) {
    expect(() => JSON.parse(line)).not.toThrow();
    // A name has no shape by which it could be recognised: the lines that the test above logs
    // contain one, and no other line may.
    const searched = line.includes('"Facts."') ? line.replaceAll(CANARIES.name, '') : line;
    for (const telltale of TELLTALES)
      if (searched.toLowerCase().includes(telltale)) expect(searched).toBe(`without ${telltale}`);
  }
  for (const { headers } of answers) expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

test('no error’s answer holds a key, a secret or a document that was sent', () => {
  for (const { text, status } of answers) {
    if (status < 400) continue;
    for (const telltale of [apiKey, secretKey, CANARIES.password, CPF, 'BEGIN PRIVATE'])
      expect(text).not.toContain(telltale);
  }
});

// ASVS 16.2.1, 16.2.2
test('what an operator needs is left in the log: transaction ids, end-to-end ids, request ids, instants', async () => {
  const id = transactionIdOf(await charge({ amount: 10 }));
  const { endToEndId } = await trilho.pay(id, { amount: '9.99' });
  const line = await trilho.until('the payment is put to review', async () =>
    trilho.log.find((text) => text.includes('waits for review') && text.includes(id)),
  );
  expect(JSON.parse(line)).toMatchObject({
    transactionId: id,
    endToEndId,
    reason: 'amount_differs',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});
