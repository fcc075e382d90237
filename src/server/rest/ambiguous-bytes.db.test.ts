import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { JSON_TYPE, lines, rawRequests } from './testing/raw-requests.ts';

/** Bytes that several parsers would read differently: smuggled requests, Host headers. */

let trilho: TestService;
let apiKey: string;
beforeAll(async () => {
  trilho = await startTestService();
  apiKey = (await trilho.openAccount()).apiKey;
});
afterAll(() => trilho.stop());
const { get, post, raw } = rawRequests(() => ({ service: trilho, apiKey }));

const CHARGE = '{"amount":10}';
const NOWHERE = {
  success: false,
  error: 'Rota não encontrada',
  message: 'Não existe nada neste endereço.',
  code: 'route_not_found',
};
const UNREADABLE = {
  success: false,
  error: 'Requisição inválida',
  message: 'A requisição não pôde ser lida.',
  code: 'bad_request',
};

async function charges(): Promise<number> {
  const { rows } = await trilho.deps.db.pool.query('SELECT count(*)::int AS count FROM transactions');
  return rows[0].count;
}

let before: number;
beforeAll(async () => {
  before = await charges();
});
afterEach(async () => expect(await charges()).toBe(before));

const SMUGGLED = lines('GET /payments/balance HTTP/1.1', 'host: x');
const CHUNKED = 'transfer-encoding: chunked';

test.each<[string, () => string]>([
  ['a length and chunks', () => post(`0\r\n\r\n${SMUGGLED}`, JSON_TYPE, 'content-length: 13', CHUNKED)],
  ['chunks and a length', () => post(`0\r\n\r\n${SMUGGLED}`, JSON_TYPE, CHUNKED, 'content-length: 5')],
  ['two lengths', () => post(CHARGE, JSON_TYPE, 'content-length: 13', 'content-length: 0')],
  ['two lengths in one', () => post(CHARGE, JSON_TYPE, 'content-length: 13, 0')],
  ['a length with a sign', () => post(CHARGE, JSON_TYPE, 'content-length: +13')],
  ['a length in hexadecimal', () => post(CHARGE, JSON_TYPE, 'content-length: 0xd')],
  ['a negative length', () => post(CHARGE, JSON_TYPE, 'content-length: -13')],
  ['a blank behind a name', () => post(`0\r\n\r\n${SMUGGLED}`, JSON_TYPE, 'transfer-encoding : chunked')],
  ['a blank before a name', () => post(CHARGE, JSON_TYPE, ' content-length: 13')],
  ['an unknown encoding', () => post(`0\r\n\r\n${SMUGGLED}`, JSON_TYPE, 'transfer-encoding: xchunked')],
  ['chunked, but not last', () => post(`0\r\n\r\n${SMUGGLED}`, JSON_TYPE, 'transfer-encoding: chunked, identity')],
  ['a NUL in a header', () => get('/payments/balance', 'x: a\0b')],
  ['a name of no letters', () => get('/payments/balance', ': x')],
  ['line feeds alone', () => get('/payments/balance').replaceAll('\r\n', '\n')],
  ['a carriage return alone', () => get('/payments/balance', 'x: a\ry: b')],
  ['a path with a blank', () => get('/payments/bal ance')],
  ['HTTP/2', () => lines('PRI * HTTP/2.0') + lines('SM')],
  ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['headers of 64 KiB', () => get('/payments/balance', `x: ${'a'.repeat(65_536)}`)],
  ['no host', () => lines('GET /payments/balance HTTP/1.1', 'connection: close', `x-api-key: ${apiKey}`)],
  ['a chunk that is none', () => post(`zz\r\n${CHARGE}\r\n0\r\n\r\n`, JSON_TYPE, CHUNKED)],
  ['a chunk longer than it says', () => post(`5\r\n${CHARGE}\r\n0\r\n\r\n`, JSON_TYPE, CHUNKED)],
  ['a chunk of endless length', () => post(`${'f'.repeat(20)}\r\n${CHARGE}\r\n`, JSON_TYPE, CHUNKED)],
])('a request with %s gets exactly one answer, 400', async (_what, bytes) => {
  const [answer, ...more] = await raw(bytes());
  expect([answer?.status, answer?.body, more]).toEqual([400, UNREADABLE, []]);
});

test.each([
  ['two hosts', ['host: x', 'host: y']],
  ['the same host twice', ['host: x', 'Host: x']],
  ['no name', ['host:']],
  ['a path', ['host: x/api/auth/sign-up/email?']],
  ['a fragment', ['host: x#']],
  ['a query', ['host: x?']],
  ['a name and a password', ['host: user:password@x']],
  ['two names', ['host: x, y']],
  ['a blank', ['host: x y']],
  ['a percent sign', ['host: x%2fy']],
  ['a backslash', ['host: x\\y']],
  ['a port that is none', ['host: x:abc']],
  ['an open bracket', ['host: [::1']],
])('a Host header of %s gets exactly one answer, 400', async (_what, hosts) => {
  for (const path of ['/payments/balance', '/healthz', '/sandbox/cob/x', '/api/trpc/session.me']) {
    const headers = [...hosts, 'connection: close', `x-api-key: ${apiKey}`];
    const [answer, ...more] = await raw(lines(`GET ${path} HTTP/1.1`, ...headers));
    expect([answer?.status, answer?.body, more]).toEqual([400, UNREADABLE, []]);
  }
});

test.each(['x', 'x:80', 'pay.example.com:3000', '127.0.0.1', '[::1]:3000', 'trilho_web'])(
  'the Host header %s is accepted',
  async (host) => {
    const [answer] = await raw(lines('GET /healthz HTTP/1.1', `host: ${host}`, 'connection: close'));
    expect(answer?.status).toBe(200);
  },
);

test.each(['http://x/payments/balance', 'http://x', '*', 'payments/balance', `/payments?${'a'.repeat(8_200)}`])(
  'a request line that holds something other than a path gets 400 (%#)',
  async (target) => {
    const method = target === '*' ? 'OPTIONS' : 'GET';
    const answers = await raw(lines(`${method} ${target} HTTP/1.1`, 'host: x', 'connection: close'));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[400, UNREADABLE]]);
  },
);

test('no spelling of Host, path or query reaches an endpoint of better-auth that is closed', async () => {
  const ask = async (path: string, host = 'x', method = 'GET') => {
    const [answer, ...more] = await raw(lines(`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: close'));
    expect(more).toEqual([]);
    expect(answer?.text).not.toContain('"ok":true');
    return answer?.status;
  };
  for (const host of ['x/api/auth/ok?', 'x/api/auth/ok#', 'x/api/auth/ok;', 'x\\api\\auth\\ok?', 'x:80/api/auth/ok?']) {
    expect([host, await ask('/api/auth/passkey/generate-authenticate-options', host)]).toEqual([host, 400]);
  }
  for (const path of [
    '/api/auth/ok',
    '/api/auth/verify-email/../ok',
    '/api/auth/verify-email/%2e%2e/ok',
    '/api/auth/..;/auth/ok',
    '/api/auth//ok',
    '/api/auth/%6fk',
    '/api/auth/verify-email%2f..%2fok',
    '/api/auth/verify-email;/../ok',
    '/api/auth/ok?/api/auth/verify-email',
    '/api/auth/ok%3f',
    '/api/auth/__proto__',
    '//x/api/auth/ok',
  ]) {
    expect([path, await ask(path)]).toEqual([path, 404]);
  }
});

test('a folded header is not read as two', async () => {
  const [answer, ...more] = await raw(
    lines('GET /payments/balance HTTP/1.1', 'host: x', 'connection: close', 'x: y', ` x-api-key: ${apiKey}`),
  );
  expect(more).toEqual([]);
  expect([400, 401]).toContain(answer?.status);
});

test('two x-api-key headers are no valid key', async () => {
  const [answer, ...more] = await raw(get('/payments/balance', `x-api-key: ${apiKey}`));
  expect([answer?.status, answer?.body.error, more]).toEqual([401, 'API key inválida', []]);
});

test('a body of a GET is not read as the next request', async () => {
  const body = get('/metrics');
  const answers = await raw(
    lines('GET /payments/balance HTTP/1.1', 'host: x', `x-api-key: ${apiKey}`, `content-length: ${body.length}`) + body,
    get('/healthz'),
  );
  expect(answers.map(({ status, text }) => [status, text.includes('available_balance')])).toEqual([
    [200, true],
    [200, false],
  ]);
});

test('headers of proxies and frameworks are not believed', async () => {
  for (const header of [
    'x-middleware-subrequest: middleware',
    'x-middleware-subrequest: src/middleware:src/middleware:src/middleware:src/middleware:src/middleware',
    'x-forwarded-for: 127.0.0.1',
    'x-original-url: /payments/balance',
    'x-rewrite-url: /payments/balance',
    'x-forwarded-host: evil.example',
    'forwarded: for=127.0.0.1',
  ]) {
    const [answer, ...more] = await raw(lines('GET /nothing HTTP/1.1', 'host: x', 'connection: close', header));
    expect([answer?.status, answer?.body, more]).toEqual([404, NOWHERE, []]);
    const [unsigned] = await raw(lines('GET /payments/balance HTTP/1.1', 'host: x', 'connection: close', header));
    expect(unsigned?.status).toBe(401);
  }
});

test('a request to upgrade is an ordinary one', async () => {
  for (const protocol of ['websocket', 'h2c']) {
    const headers = ['connection: upgrade, close', `upgrade: ${protocol}`, `x-api-key: ${apiKey}`];
    const answers = await raw(lines('GET /payments/balance HTTP/1.1', 'host: x', ...headers));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
});

test('requests in one packet are answered one by one, in their order', async () => {
  const first = get('/payments/balance').replace('connection: close\r\n', '');
  const answers = await raw(first + get('/nothing').replace('connection: close\r\n', '') + get('/healthz'));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
});

test('an unreadable request never takes the answer of the one before it', async () => {
  const first = get('/payments/balance').replace('connection: close\r\n', '');
  const [answer, ...more] = await raw(`${first}NONSENSE\r\n\r\n`);
  expect(answer?.body).toMatchObject({ success: true });
  expect(more.map(({ status }) => status).filter((status) => status !== 400)).toEqual([]);
});

test('HTTP/1.0 and older, without a host, is served', async () => {
  for (const line of ['GET /healthz HTTP/1.0', 'GET /healthz']) {
    const answers = await raw(lines(line));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
});
