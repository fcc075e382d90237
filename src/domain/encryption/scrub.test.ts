import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from '#server/observability/log.ts';
import { generateApiKey } from '../api-keys/api-key-format.ts';
import { uuidToTxid, uuidv7 } from '../values/uuid.ts';
import { generateWebhookSecret } from '../webhooks/webhook-signature.ts';
import { generateMasterKeys } from './master-keys.ts';
import { scrub } from './scrub.ts';

const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  'DEK-Info: AES-256-CBC,0D2C',
  '',
  'MIIEpAIBAAKCAQEA7y1e',
  '-----END RSA PRIVATE KEY-----',
].join('\n');

/** Secrets that no log may contain, each with the parts of it that would reveal it. */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ['an API key', 'tr_live_0123456789ABCDEFGHIJabcdefghij012345', '0123456789ABCDEFGHIJ'],
  ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqr'],
  ['a bearer token', 'Bearer mF_9.B5f-4.1JqM~+/=', 'mF_9.B5f'],
  ['basic credentials', 'Basic dHJpbGhvOnNlY3JldA==', 'dHJpbGhv'],
  ['a database address', 'postgres://trilho:hunter2@10.0.0.5:5432/trilho', 'hunter2'],
  ['a database address whose password has an @', 'postgres://trilho:p@ss!word@db/trilho', 'ss!word'],
  ['a connection string', 'host=db user=trilho password=hunter2 dbname=trilho', 'hunter2'],
  ['a query string', 'https://example.com/x?api_key=hunter2&y=1', 'hunter2'],
  ['a private key', PEM, 'MIIEpAIBAAKCAQEA7y1e'],
  ['a private key cut short', PEM.slice(0, 100), 'MIIEpAIB'],
  ['a master key', 'v1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'AAAAAAAAAA'],
  ['the address that the PSP calls back', 'http://127.0.0.1:3000/inbound/pix/psp/Kx_9-abcDEF/pix', 'Kx_9-abcDEF'],
  ['an e-mail', 'maria.silva+loja@example.com.br', 'maria.silva'],
  ['an e-mail with an apostrophe', "d'avila@example.com", "d'avila"],
  ['an e-mail in a query', 'maria%40example.com', 'maria'],
  ['an e-mail in another script', 'joão@exámple.com', 'joão'],
  ['a decomposed e-mail', 'jose\u0301@example.com', 'jose\u0301'],
  ['a CPF', '52998224725', '52998224725'],
  ['a CPF written out', '529.982.247-25', '529.982.247-25'],
  ['a CPF written out by halves', '529982247-25', '529982247-25'],
  ['a CPF with blanks', '529 982 247 25', '529 982 247 25'],
  ['a mistyped CPF', '52998224724', '52998224724'],
  ['a CNPJ', '12345678000195', '12345678000195'],
  ['a CNPJ written out', '12.345.678/0001-95', '12.345.678/0001-95'],
  ['an alphanumeric CNPJ', '12ABC34501DE35', '12ABC34501DE35'],
  ['an alphanumeric CNPJ in small letters', '12abc34501de35', '12abc34501de35'],
  ['an alphanumeric CNPJ written out', '12.ABC.345/01DE-35', '12.ABC.345/01DE-35'],
  ['an alphanumeric CNPJ written out in small letters', '12.abc.345/01de-35', '12.abc.345/01de-35'],
  ['a mobile number', '11987654321', '11987654321'],
  ['an international mobile number', '+5511987654321', '5511987654321'],
  ['a mobile number written out', '(11) 98765-4321', '98765-4321'],
  ['an international mobile number with separators', '+55 11 98765-4321', '98765-4321'],
  ['a landline number', '1133334444', '1133334444'],
  ['a landline number written out', '(11) 3333-4444', '3333-4444'],
];

/** The text that a log line, an error or a quoted body has around it. */
const SURROUNDINGS: readonly (readonly [string, (secret: string) => object])[] = [
  ['alone', (secret) => ({ note: secret })],
  ['in a sentence', (secret) => ({ note: `It was ${secret}, which is wrong.` })],
  ['after a line break', (secret) => ({ note: `It was\n${secret}\nand\r\n\t${secret}` })],
  ['in quotes', (secret) => ({ note: `key "${secret}" and '${secret}' and (${secret})` })],
  ['deep inside', (secret) => ({ a: { b: [{ c: { d: secret } }] } })],
  ['as a name', (secret) => ({ [secret]: 1 })],
  ['in a quoted body', (secret) => ({ note: JSON.stringify({ x: secret, y: [secret] }) })],
  ['in a body quoted twice', (secret) => ({ note: JSON.stringify({ x: JSON.stringify({ y: secret }) }) })],
  ['in an error', (secret) => ({ err: new Error(`failed: ${secret}`, { cause: new Error(`for ${secret}`) }) })],
  ['in the detail of an error', (secret) => ({ err: Object.assign(new Error('x'), { detail: `(k)=(${secret})` }) })],
  ['twice', (secret) => ({ note: `${secret} ${secret}` })],
];

/** One line of the real log. */
function logged(fields: object, sentence = 'It happened.'): string {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  log.error(fields, sentence);
  return lines.join('');
}

test.each(SECRETS)('%s is in no log line, whatever is around it', (_what, secret, recognisable) => {
  for (const [where, around] of SURROUNDINGS) {
    const line = logged(around(secret));
    expect(JSON.parse(line), where).toMatchObject({ level: 'error', msg: 'It happened.' });
    expect(line, where).not.toContain(recognisable);
    expect(line, where).not.toContain(JSON.stringify(recognisable).slice(1, -1));
  }
  expect(logged({}, `The sentence says ${secret}.`)).not.toContain(recognisable);
});

test.each([
  'apiKey',
  'api_key',
  'x-api-key',
  'password',
  'passwd',
  'senha',
  'secret',
  'clientSecret',
  'client_secret',
  'secret_key',
  'token',
  'accessToken',
  'authorization',
  'Cookie',
  'set-cookie',
  'document',
  'customerDocument',
  'cpf',
  'email',
  'customerEmail',
  'phone',
  'customerPhone',
  'MASTER_KEYS',
])('what is named %s is hidden whatever it looks like', (name) => {
  for (const value of [
    'canary',
    'can"ary',
    'canary\\',
    'a canary\n',
    424_242,
    4.24242e-42,
    ['canary', 'can]ary'],
    '',
  ]) {
    const fields = [
      { [name]: value },
      { deep: { deeper: { [name]: value } } },
      { note: JSON.stringify({ [name]: value }) },
    ];
    for (const field of fields.slice(0, typeof value === 'string' && !/["\\\n]/.test(value) ? 3 : 2)) {
      const line = logged(field);
      const { time: _, ...said } = JSON.parse(line);
      // The time may contain those digits by chance.
      expect(JSON.stringify(said)).not.toMatch(/canary|42424|4\.24/);
      expect(said).toMatchObject({ msg: 'It happened.' });
    }
  }
});

test('our ids and instants are kept: a log is of no use without them', () => {
  const now = new Date('2026-11-20T12:34:56.789Z');
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.stringMatching(/^[0-9A-Za-z]{11}$/),
      fc.date({ noInvalidDate: true }),
      (uuid, tail, at) => {
        const year = at.getUTCFullYear();
        fc.pre(year >= 1000 && year <= 9999);
        for (const id of [
          uuid,
          uuidv7(now),
          uuidToTxid(uuid),
          `evt_${uuid.replaceAll('-', '')}`,
          `E99999999202611201234${tail}`,
          `D99999999202611201234${tail}`,
          at.toISOString(),
        ])
          for (const around of [{ id }, { note: `about ${id}: it failed` }, { note: `(${id})` }, { note: `id=${id}` }])
            expect(JSON.parse(logged(around))).toMatchObject(around);
      },
    ),
    { numRuns: 300 },
  );
});

test('an ordinary line is left as it is', () => {
  const line = JSON.stringify({
    level: 'error',
    time: '2026-11-20T12:34:56.789Z',
    requestId: '5b1c5a52-9f6c-4e0c-8d64-0123456789ab',
    method: 'GET',
    route: '/payments/transactions/{transactionId}/status',
    status: 503,
    ms: 12.34,
    at: 1_700_000_000,
    code: 'unavailable',
    err: { type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:5432', stack: 'Error\n    at f (pool.ts:12:34)' },
    msg: 'in the new file 10 and no more',
  });
  expect(scrub(line)).toBe(line);
});

// ASVS 1.3.3, 16.4.1
test('whatever is logged, a line stays one line of JSON', () => {
  const fragment = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...SECRETS.map(([, secret]) => secret)),
    fc.constantFrom(
      '\\',
      '"',
      '\\"',
      '\n',
      '\0',
      '{"password":"',
      '","token":["',
      '@',
      '://',
      '=',
      ']',
      '-----BEGIN X-----',
    ),
    fc.integer().map(String),
  );
  const text = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''));
  const fields = fc.dictionary(
    text,
    fc.oneof(text, fc.array(text), fc.double(), fc.bigInt(), fc.dictionary(text, text)),
  );
  fc.assert(
    fc.property(fields, text, (field, sentence) => {
      const line = logged({ field }, sentence);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(() => JSON.parse(line)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

test('fresh secrets of our own making are hidden', () => {
  for (let time = 0; time < 200; time++)
    for (const secret of [
      generateApiKey('live'),
      generateApiKey('test'),
      generateWebhookSecret(),
      generateMasterKeys(),
    ])
      expect(logged({ note: `x${secret}y` })).not.toContain(secret.slice(9, 30));
});

test('a long line costs no more than its length', () => {
  // Each of these would take minutes if a pattern went back and forth over it.
  const pieces = [
    'a',
    'a@',
    'token',
    '"token',
    '1',
    '12 ',
    '\\',
    '\\"',
    '-----BEGIN A-----',
    '://a',
    'a.',
    'password:',
  ];
  for (const piece of [...pieces, '"secret":[[', '"senha":[""'])
    expect(scrub(piece.repeat(300_000 / piece.length)).length).toBeGreaterThan(0);
});
