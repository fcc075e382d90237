import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';
import { JSON_TYPE, lines, plain, type RawAnswer, rawRequests } from './testing/raw-requests.ts';

/** What is wrong with a request before its operation is known: body, type, route and method. */

let trilho: TestService;
let apiKey: string;
beforeAll(async () => {
  trilho = await startTestService();
  apiKey = (await trilho.openAccount()).apiKey;
});
afterAll(() => trilho.stop());
const { get, post, raw } = rawRequests(() => ({ service: trilho, apiKey }));

const CHARGE = '{"amount":10}';

async function charges(): Promise<number> {
  const { rows } = await trilho.deps.db.pool.query('SELECT count(*)::int AS count FROM transactions');
  return rows[0].count;
}

/** A charge as bytes of any kind, over fetch. */
async function send(body: RequestInit['body'], headers: Record<string, string>): Promise<RawAnswer> {
  const response = await fetch(`${trilho.url}/payments/transactions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, ...headers },
    body: body ?? null,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  const { status } = response;
  return plain({ status, headers: Object.fromEntries(response.headers), text, body: JSON.parse(text) });
}

const json = (body: RequestInit['body']) => send(body, { 'content-type': 'application/json' });

const INVALID_JSON = {
  success: false,
  error: 'JSON inválido',
  message: 'O corpo da requisição não é um objeto JSON válido.',
  code: 'invalid_json',
};
const UNSUPPORTED = {
  success: false,
  error: 'Tipo de conteúdo não suportado',
  message: 'Envie o corpo em JSON, com Content-Type: application/json.',
  code: 'unsupported_media_type',
};
const TOO_LARGE = {
  success: false,
  error: 'Corpo grande demais',
  message: 'O corpo da requisição passa de 64 KiB.',
  code: 'body_too_large',
};
const NOWHERE = {
  success: false,
  error: 'Rota não encontrada',
  message: 'Não existe nada neste endereço.',
  code: 'route_not_found',
};
const METHOD = {
  success: false,
  error: 'Método não permitido',
  message: 'Este endereço não aceita este método; veja o cabeçalho Allow.',
  code: 'method_not_allowed',
};
const UNREADABLE = {
  success: false,
  error: 'Requisição inválida',
  message: 'A requisição não pôde ser lida.',
  code: 'bad_request',
};

describe('a body', () => {
  test.each<[string, string | Buffer<ArrayBuffer>]>([
    ['cut short', '{"amount":10'],
    ['with a trailing comma', '{"amount":10,}'],
    ['with a comment', '{"amount":10/* ten */}'],
    ['with two values', '{"amount":10}{"amount":10}'],
    ['of blanks', '  \n '],
    ['that is an array', '[{"amount":10}]'],
    ['that is an empty array', '[]'],
    ['that is a text', '"amount"'],
    ['that is a number', '10'],
    ['that is null', 'null'],
    ['that is true', 'true'],
    ['that is a form', 'amount=10'],
    ['with single quotes', "{'amount':10}"],
    ['with a byte order mark', '\ufeff{"amount":10}'],
    ['in UTF-16', Buffer.from('{"amount":10}', 'utf16le')],
    ['with bytes that are no UTF-8', Buffer.from([...Buffer.from('{"amount":10,"description":"'), 0xff, 0x22, 0x7d])],
    ['with an overlong slash', Buffer.from([...Buffer.from('{"amount":10,"description":"'), 0xc0, 0xaf, 0x22, 0x7d])],
    ['nested 10,000 deep and never closed', '[{"a":'.repeat(10_000)],
  ])('%s is no JSON object: 400', async (_what, body) => {
    const answer = await json(body);
    expect([answer.status, answer.body]).toEqual([400, INVALID_JSON]);
  });

  test.each([
    ['{"amount":10,"amount":20}', 'amount'],
    ['{"amount":10,"\\u0061mount":20}', 'amount'],
    ['{"amount":10,"other":{"x":1,"x":1}}', 'other.x'],
    ['{"amount":10,"__proto__":1,"__proto__":2}', '__proto__'],
  ])('%s names a key twice: 400', async (body, field) => {
    const answer = await json(body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { ...INVALID_JSON, details: [{ field, message: 'Foi enviado mais de uma vez.', code: 'sent_twice' }] },
    ]);
  });

  test.each([
    ['nested 10,000 deep', `{"amount":10,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['of thousands of keys', JSON.stringify({ amount: 10, ...Object.fromEntries(Array(6_000).entries()) })],
    ['with blanks around everything', ' \r\n{ "amount" :\t10 } \n'],
  ])('%s is taken', async (_what, body) => {
    expect((await json(body)).status).toBe(200);
  });

  const padded = (bytes: number) => `{"amount":10,"padding":"${'x'.repeat(bytes - 26)}"}`;
  const inChunks = (text: string) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < text.length; at += 1_000) controller.enqueue(Buffer.from(text.slice(at, at + 1_000)));
        controller.close();
      },
    });

  test('of 64 KiB is taken, with a length and in chunks', async () => {
    const body = padded(65_536);
    expect(Buffer.byteLength(body)).toBe(65_536);
    expect((await json(body)).status).toBe(200);
    expect((await json(inChunks(body))).status).toBe(200);
  });

  test('of a byte more is rejected, with a length and in chunks: 413', async () => {
    for (const body of [padded(65_537), inChunks(padded(65_537))]) {
      const answer = await json(body);
      expect([answer.status, answer.body, answer.headers.connection]).toEqual([413, TOO_LARGE, 'close']);
    }
  });

  test('is rejected for the length it announces, before it is sent', async () => {
    const [answer, ...more] = await raw(post('', JSON_TYPE, 'content-length: 1000000000'));
    expect([answer?.status, answer?.body, more]).toEqual([413, TOO_LARGE, []]);
  });

  test('that never ends is rejected at 64 KiB', async () => {
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const [answer, ...more] = await raw(post('', JSON_TYPE, 'transfer-encoding: chunked'), chunk.repeat(20));
    expect([answer?.status, answer?.body, more]).toEqual([413, TOO_LARGE, []]);
  });

  test('that is absent is an empty object', async () => {
    const answer = await send(undefined, {});
    expect([answer.status, answer.body.error]).toEqual([400, 'Valor inválido']);
  });
});

describe('a content type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; charset="utf-8"',
    'application/json;',
    'application/json; profile="https://example.com/charge"; charset=utf-8',
  ])('%s is taken', async (type) => {
    expect((await send(CHARGE, { 'content-type': type })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; profile=x; charset=utf-16',
    'application/json; charset=utf-80',
    'application/jsonp',
    'application/json, text/plain',
    'application/ld+json',
    '*/*',
  ])('%s is rejected: 415', async (type) => {
    const answer = await send(CHARGE, { 'content-type': type });
    expect([answer.status, answer.body]).toEqual([415, UNSUPPORTED]);
  });

  test('that is missing is rejected when there is a body: 415', async () => {
    const answer = await send(Buffer.from(CHARGE), {});
    expect([answer.status, answer.body]).toEqual([415, UNSUPPORTED]);
  });

  test.each(['gzip', 'br', 'deflate', 'identity', 'x'])('does not help a body in %s: 415', async (encoding) => {
    const answer = await send(CHARGE, { 'content-type': 'application/json', 'content-encoding': encoding });
    expect([answer.status, answer.body]).toEqual([415, UNSUPPORTED]);
  });

  test('is not asked of a GET', async () => {
    const answers = await raw(get('/payments/balance', 'content-type: text/plain'));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
});

describe('a path', () => {
  test.each([
    '/',
    '/nothing',
    '/api',
    '/api/',
    '/payments',
    '/payments/',
    '/api/payments',
    '/payments/balance/x',
    '/payments//balance/.',
    '/payments//../payments/balance',
    '/payments/\\balance',
    '/Payments/balance',
    '/payments/balance;x=1',
    '/payments/balance%2f',
    '/payments/%62alance',
    '/payments/balance%00',
    '/payments/./balance',
    '/payments/../payments/balance',
    '/payments/..%2fhealthz',
    '/api/api/payments/balance',
    '/api/v1/payments/balance',
    '/payments/transactions/x/y',
    '/payments/transactions/%c0%ae/status?type=pix_in',
    '/payments/transactions/%/status?type=pix_in',
    '/payments/transactions/../../etc/passwd',
    '/payments/deposits',
    '/.env',
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/package.json',
    '/api/trpc',
    '/healthz/',
  ])('%s leads nowhere: 404', async (path) => {
    const [answer, ...more] = await raw(get(path, 'accept: text/html'));
    expect([answer?.status, answer?.body, more]).toEqual([404, NOWHERE, []]);
  });

  test.each([
    '/payments/balance/',
    '/payments/balance//',
    '/payments//balance',
    '//payments/balance',
    '/api//payments///balance/',
    '///api/payments/balance?',
  ])('%s is the balance: slashes too many change nothing', async (path) => {
    const [answer, ...more] = await raw(get(path));
    expect([answer?.status, answer?.body, more]).toEqual([200, { success: true, data: expect.any(Object) }, []]);
    const [unknown] = await raw(lines(`GET ${path} HTTP/1.1`, 'host: x', 'connection: close'));
    expect(unknown?.status).toBe(401);
  });

  test('of a POST with slashes too many makes one charge, and an empty id between two slashes finds nothing', async () => {
    const before = await charges();
    const response = await trilho.post('//api/payments//transactions/', apiKey, { amount: 10 });
    expect([response.status, await charges()]).toEqual([200, before + 1]);
    const [answer] = await raw(get('/payments/transactions//status?type=pix_in'));
    expect([answer?.status, answer?.body.error]).toEqual([404, 'Transação não encontrada']);
  });

  // ASVS 1.1.1
  test.each(['..%2f..', '..%5c..', '%2e%2e', '%00', 'x%00y', "'--", '%ef%bc%8e', '%24{7*7}', ';x'])(
    'an id %s is an id that nothing has: 404',
    async (id) => {
      const [answer, ...more] = await raw(get(`/payments/transactions/${id}/status?type=pix_in`));
      expect([answer?.status, answer?.body.error, more]).toEqual([404, 'Transação não encontrada', []]);
    },
  );

  test('of an unknown page procedure, or with invalid input, is reported in JSON', async () => {
    for (const path of ['nothing', 'payment.get', 'payment.get?input=x', 'payment.get?input={"transactionId":"x"}']) {
      const answer = await trilho.get(`/api/trpc/${path}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.text).not.toMatch(/stack|node_modules|\.ts:\d/);
    }
  });
});

describe('a method', () => {
  const method = (name: string, path: string, ...headers: string[]) =>
    raw(lines(`${name} ${path} HTTP/1.1`, 'host: x', 'connection: close', `x-api-key: ${apiKey}`, ...headers));

  test.each([
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].flatMap((name) => [
      [name, '/payments/balance', 'GET, HEAD'],
      [name, '/api/payments/transactions/x/status', 'GET, HEAD'],
    ]),
    ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((name) => [name, '/payments/transfers/pix', 'POST']),
    ['PUT', '/payments/transactions', 'POST, GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/readyz', 'GET, HEAD'],
    ['PUT', '/metrics', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
  ] as [string, string, string][])('%s %s is rejected, and Allow says %s: 405', async (name, path, allow) => {
    const [answer, ...more] = await method(name, path);
    expect([answer?.status, answer?.body, answer?.headers.allow, more]).toEqual([405, METHOD, allow.toLowerCase(), []]);
  });

  test('GET of the crypto endpoints is rejected with the body of their errors: 405', async () => {
    for (const path of ['/payments/deposits/crypto', '/payments/transfers/crypto']) {
      const { status, body, headers } = await trilho.get(path, apiKey);
      const { error: message, code } = METHOD;
      expect([status, body, headers.get('allow')]).toEqual([405, { success: false, message, code }, 'POST']);
    }
  });

  test.each([
    '/payments/balance',
    '/payments/transactions?limit=1',
    '/payments/transactions/x',
    '/account',
    '/payments/nothing',
  ])('HEAD %s is answered as GET is, without its body', async (path) => {
    const ask = async (name: string, key: string) =>
      fetch(trilho.url + path, { method: name, headers: key === '' ? {} : { 'x-api-key': key } });
    for (const key of [apiKey, '', 'x']) {
      const [head, got] = [await ask('HEAD', key), await ask('GET', key)];
      expect([head.status, await head.text()]).toEqual([got.status, '']);
      for (const name of ['content-type', 'content-length', 'cache-control'])
        expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  test('HEAD of an operation without GET is rejected, and does nothing', async () => {
    const before = await charges();
    const headers = { 'x-api-key': apiKey };
    const response = await fetch(`${trilho.url}/payments/transfers/pix`, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([405, 'POST', '']);
    expect(await charges()).toBe(before);
  });

  test('CONNECT opens no tunnel: 405', async () => {
    const [answer, ...more] = await raw(lines('CONNECT 127.0.0.1:5432 HTTP/1.1', 'host: 127.0.0.1:5432'));
    expect([answer?.status, answer?.body, answer?.headers.allow, more]).toEqual([405, METHOD, 'get, head, post', []]);
  });

  test('that HTTP does not know is reported in JSON: 400', async () => {
    const [answer, ...more] = await method('GETT', '/payments/balance');
    expect([answer?.status, answer?.body, more]).toEqual([400, UNREADABLE, []]);
  });

  // ASVS 3.4.2
  test('a preflight gets no permission', async () => {
    const [answer] = await method(
      'OPTIONS',
      '/payments/balance',
      'origin: https://evil.example',
      'access-control-request-method: GET',
    );
    expect(answer?.status).toBe(405);
  });

  test('is not changed by a header or a parameter', async () => {
    const before = await charges();
    const [answer, ...more] = await raw(
      get('/payments/transfers/pix?_method=POST', 'x-http-method-override: POST', 'x-method-override: POST'),
    );
    expect([answer?.status, more, await charges()]).toEqual([405, [], before]);
  });
});

test('a client that waits for 100, or expects something unknown, gets its charge', async () => {
  for (const expectation of ['100-continue', 'the-unexpected']) {
    const headers = [JSON_TYPE, 'content-length: 13', 'connection: close', `expect: ${expectation}`];
    const answers = await raw(post(CHARGE, ...headers));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
});

// ASVS 13.4.2, 16.3.4
test('an internal error is reported by its request id, never by SQL, a stack or a name of a table', async () => {
  const created = await trilho.post('/payments/transactions', apiKey, { amount: 10 });
  const id = transactionIdOf(created);
  await trilho.asOwner('ALTER TABLE merchants RENAME TO merchants_away');
  try {
    const { status, headers, text, body } = await trilho.get('/payments/balance', apiKey);
    plain({ status, headers: Object.fromEntries(headers), text, body });
    expect([status, body]).toEqual([
      500,
      {
        success: false,
        error: 'Erro interno',
        message: 'Algo falhou do nosso lado. Informe o x-request-id desta resposta ao suporte.',
        code: 'internal',
      },
    ]);
    const requestId = headers.get('x-request-id') ?? '';
    const logged = await trilho.until('the log says what happened', async () =>
      trilho.log.find((line) => line.includes(requestId) && line.includes('"level":"error"')),
    );
    expect(JSON.parse(logged)).toMatchObject({ requestId, route: '/payments/balance', err: { code: '42P01' } });

    const page = await trilho.get(`/api/trpc/payment.get?input=${encodeURIComponent(`{"transactionId":"${id}"}`)}`);
    expect(page.status).toBe(500);
    expect(page.text).not.toMatch(/relation|merchants|SELECT|stack|\.ts:\d/i);
  } finally {
    await trilho.asOwner('ALTER TABLE merchants_away RENAME TO merchants');
  }
});
