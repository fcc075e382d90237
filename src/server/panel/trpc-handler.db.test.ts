import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countLockWaits } from '#db/testing/count-lock-waits.ts';
import { switchRail } from '#services/rails/switch-rail.ts';
import { openBrowser, openMember, PASSWORD, type PanelBrowser } from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { panelRouter } from '../procedures/panel-router.ts';

let service: TestService;
let browser: PanelBrowser;
beforeAll(async () => {
  service = await startTestService();
  browser = (await openMember(service, 'porta@example.com')).browser;
});
afterAll(() => service.stop());

/** What may be called without a session, and why. */
const PUBLIC: Record<string, string> = {
  'payment.get': 'the link is enough to pay',
  'payment.follow': 'the same, as it changes',
  'session.signUp': 'who signs up has no session yet',
  'session.signUpLink': 'the token of the link is the permission',
  'session.invitationLink': 'the token of the link is the permission',
  'session.resetLink': 'the token of the link is the permission',
};

const procedures = Object.entries(
  panelRouter._def.procedures as unknown as Record<string, { _def: { type: 'query' | 'mutation' | 'subscription' } }>,
).map(([name, { _def }]) => ({ name, type: _def.type }));

describe('without a session', () => {
  test.each(procedures.filter(({ name }) => !(name in PUBLIC)))('$name needs a session', async ({ name, type }) => {
    const visitor = openBrowser(service);
    for (const mode of ['live/', 'test/', '']) {
      const path = `/api/trpc/${mode}${name}`;
      const answer = type === 'mutation' ? await visitor.post(path, {}) : await visitor.get(path);
      if (type === 'subscription') {
        // A stream is opened before it is rejected: its first event is the rejection.
        expect(answer.text).toMatch(/not_signed_in|UNAUTHORIZED/);
        continue;
      }
      expect([mode, answer.status]).toEqual([mode, 401]);
    }
  });

  test('every public procedure of the list is in the router', () => {
    expect(procedures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(PUBLIC)));
  });

  test('an API key is worth nothing in the panel, and a session nothing in REST', async () => {
    const { apiKey } = await service.openAccount();
    const withKey = await openBrowser(service).get('/api/trpc/test/balance.get', { 'x-api-key': apiKey });
    expect(withKey.status).toBe(401);
    expect((await browser.get('/payments/balance')).status).toBe(401);
  });
});

describe('a call with an idempotency key', () => {
  const create = (key: string, amount = 10) =>
    browser.post('/api/trpc/test/charges.create', { amount, description: 'uma vez' }, { 'idempotency-key': key });
  const charges = async () => {
    const { data } = await browser.ask('transactions.list', {});
    return (data as { data: unknown[] }).data.length;
  };

  test('is made once however often it is sent, also at once', async () => {
    const before = await charges();
    const first = await create('form-1');
    expect(first.status).toBe(200);
    const again = await Promise.all([create('form-1'), create('form-1'), create('form-1')]);
    for (const answer of again) expect([answer.status, answer.text]).toEqual([200, first.text]);
    expect(await charges()).toBe(before + 1);

    const atOnce = await Promise.all(Array.from({ length: 8 }, () => create('form-2')));
    const done = atOnce.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    // Those that came while it ran are rejected, and retry.
    for (const { status } of atOnce) expect([200, 409]).toContain(status);
    expect(await charges()).toBe(before + 2);
  });

  test('is rejected for another input, and can be used again after a rejection', async () => {
    await create('form-3');
    expect((await create('form-3', 11)).status).toBe(422);
    expect((await create('form-4', -1)).status).toBe(400);
    expect((await create('form-4', 12)).status).toBe(200);
  });

  test('is not answered again after its member signed out, nor with a secret that was shown once', async () => {
    const { browser: own } = await openMember(service, 'porta-3@example.com');
    await own.call('session.confirm', { kind: 'password', password: PASSWORD });
    const reveal = () => own.post('/api/trpc/test/webhooks.revealSecret', {}, { 'idempotency-key': 'form-6' });
    const first = await reveal();
    expect(first.text).toContain('whsec_');
    const again = await reveal();
    expect([again.status, again.text]).toEqual([200, first.text.replace(/"whsec_[^"]*"/, 'null')]);

    const cookies = new Map(own.cookies);
    await own.post('/api/auth/sign-out', {});
    for (const [name, value] of cookies) own.cookies.set(name, value);
    expect((await reveal()).status).toBe(401);
  });

  test('is the member’s own: another member’s call with the same key is another call', async () => {
    const other = (await openMember(service, 'porta-2@example.com')).browser;
    const one = await create('form-5');
    const two = await other.post('/api/trpc/test/charges.create', { amount: 10 }, { 'idempotency-key': 'form-5' });
    expect(two.status).toBe(200);
    expect(two.text).not.toBe(one.text);
  });
});

describe('an account whose clients hang up', () => {
  /** More than one account may have at work at once, of either kind. */
  const TIMES = 40;
  const cookie = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = (head: string, body = ''): Socket => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = [head, `host: ${new URL(service.url).host}`, `origin: ${service.url}`, `cookie: ${cookie()}`];
    socket.write(`${lines.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n${body}`);
    return socket;
  };
  const hangUp = (head: string, body?: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = send(head, body);
      socket.on('error', reject).on('close', () => resolve());
      // By then the service has begun with it.
      setTimeout(() => socket.destroy(), 50);
    });
  const often = (head: string, body?: string) => Promise.all(Array.from({ length: TIMES }, () => hangUp(head, body)));

  test('in the middle of reading can still read', async () => {
    await often('GET /api/trpc/test/transactions.list?input=%7B%7D HTTP/1.1');
    expect((await browser.ask('transactions.list', {})).status).toBe(200);
  });

  test('in the middle of what they send can still write', async () => {
    await often('POST /api/trpc/test/charges.create HTTP/1.1', '{"amount":');
    expect((await browser.call('charges.create', { amount: 10 })).status).toBe(200);
  });

  test('while their session is looked up keep no stream', async () => {
    const live = '/api/trpc/test/live.transactions?input=%7B%7D';
    const page = new AbortController();
    const opened = await fetch(`${service.url}${live}`, { headers: { cookie: cookie() }, signal: page.signal });
    let received = '';
    const ended = (async () => {
      for await (const piece of opened.body ?? []) received += Buffer.from(piece).toString();
    })().catch(() => {});
    const owner = new pg.Client(service.ownerUrl);
    await owner.connect();
    // A member has eight streams: eight more would end the one that is open.
    for (let left = 0; left < 8; left++) {
      await owner.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
      const socket = send(`GET ${live} HTTP/1.1`);
      await service.until('the session is looked up', async () => {
        // The open stream looks up its session, too, every few seconds.
        return (await countLockWaits(service.deps.db.pool)) > 0 || null;
      });
      socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await owner.query('COMMIT');
    }
    await owner.end();
    const { data } = await browser.call('charges.create', { amount: 10 });
    const { transaction_id: id } = (data as { data: { transaction_id: string } }).data;
    await service.until('the open stream sends the charge', async () => (received.includes(id) ? true : null));
    page.abort();
    await ended;
  });
});

test('a body that is too large, no JSON, nested too deep, or sent by an unknown method is rejected with a reason', async () => {
  const huge = await browser.post('/api/trpc/test/charges.create', { description: 'x'.repeat(70_000), amount: 1 });
  expect(huge.status).toBe(413);
  expect((await browser.post('/api/trpc/test/charges.create', '{"amount":')).status).toBe(400);
  const nested = (levels: number) => `{"amount":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  for (const [levels, status] of [
    [20, 200],
    [21, 400],
  ] as const) {
    const headers = { 'idempotency-key': `nested-${levels}` };
    expect((await browser.post('/api/trpc/test/charges.create', nested(levels), headers)).status).toBe(status);
  }
  const put = await fetch(`${service.url}/api/trpc/test/charges.create`, { method: 'PUT', body: '{}' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('a call reads its body as REST does, with an idempotency key and without one: no name twice, no amount that a double rounds, no depth', async () => {
  const deep = `${'['.repeat(20)}${']'.repeat(20)}`;
  const bodies = ['{"amount":10,"amount":1000}', '{"amount":10.000000000000000001}', `{"amount":10,"x":${deep}}`];
  for (const body of bodies)
    for (const headers of [{}, { 'idempotency-key': 'read-once' }]) {
      const answer = await browser.post('/api/trpc/test/charges.create', body, headers);
      expect([body, headers, answer.status]).toEqual([body, headers, 400]);
    }
  const latin = await fetch(`${service.url}/api/trpc/test/charges.create`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: service.url,
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    body: Buffer.from('{"amount":10,"description":"caf\u00e9"}', 'latin1'),
  });
  expect(latin.status).toBe(400);
});

test('a call that waits too long for the database is 503 with a time to retry, with an idempotency key and without one', async () => {
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE');
  const create = (headers: Record<string, string>) =>
    browser.post('/api/trpc/test/charges.create', { amount: 10 }, headers);
  const answers = await Promise.all([
    browser.get('/api/trpc/test/transactions.list?input={}'),
    create({}),
    create({ 'idempotency-key': 'late' }),
  ]);
  await other.query('ROLLBACK');
  await other.end();
  for (const { status, headers, body } of answers) {
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    // Without a reason a page takes the call for undecided: it asks again, under the same key.
    expect(body.error).toMatchObject({ message: expect.stringContaining('indisponível'), data: { reason: null } });
  }
  expect((await create({ 'idempotency-key': 'late' })).status).toBe(200);
});

test('an operation that the operator has turned off says so in the panel, and is no failure of the service', async () => {
  const operator = { ...service.deps, operator: 'ana' };
  await switchRail(operator, { rail: 'pix_in', reason: 'manutenção no banco' });
  try {
    const rejected = await service.until('it is off', async () => {
      const answer = await browser.call('charges.create', { amount: 10 });
      return answer.status === 200 ? null : answer;
    });
    expect([rejected.status, rejected.reason]).toEqual([409, 'rail_closed']);
    const again = await browser.call('charges.create', { amount: 10 }, 'test', { 'idempotency-key': 'turned-off' });
    expect([again.status, again.reason]).toEqual([409, 'rail_closed']);
    expect(
      service.log.filter((line) => line.includes('A page procedure failed.') && line.includes('rail_closed')),
    ).toEqual([]);
  } finally {
    await switchRail(operator, { rail: 'pix_in', reason: null });
  }
  await service.until('it is on', async () =>
    (await browser.call('charges.create', { amount: 10 })).status === 200 ? true : null,
  );
});

test('an address that takes another method says which one', async () => {
  const path = '/api/trpc/test';
  const key = { 'idempotency-key': 'another-method' };
  const answers = [
    await browser.get(`${path}/charges.create`),
    await browser.post(`${path}/balance.get`, {}),
    await browser.post(`${path}/balance.get`, {}, key),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'POST'],
    [405, 'GET'],
    [405, 'GET'],
  ]);
});

test('a procedure has one spelling: a name in percent signs does not exist, with an idempotency key neither', async () => {
  const key = { 'idempotency-key': 'percent' };
  const before = service.log.length;
  for (const name of ['keys%2Ecreate', 'charges.create%2Csession.me', 'charges.create%', '%ff', '%00'])
    for (const headers of [{}, key]) {
      const answer = await browser.post(`/api/trpc/test/${name}`, { amount: 10 }, headers);
      expect([name, answer.status, answer.body.error]).toEqual([name, 404, 'Rota não encontrada']);
    }
  for (const name of ['session%2Eme', 'session.me%2Csession.me', '%'])
    expect((await browser.get(`/api/trpc/test/${name}`)).status, name).toBe(404);
  expect(service.log.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('a rejected call is answered in JSON with a text of the catalogue, never a parser’s or a library’s words', async () => {
  const create = '/api/trpc/test/charges.create';
  const rejected = [
    [await browser.post(create, '{"amount":.5}'), 'O corpo da requisição não é um objeto JSON válido.'],
    [await browser.post(create, ''), 'O corpo da requisição não é um objeto JSON válido.'],
    [await browser.post(create, { amount: 'x' }), 'Corrija os campos indicados em details e envie de novo.'],
    [await browser.post(`${create},session.me?batch=1`, {}), 'A requisição não pôde ser lida.'],
    [await browser.get('/api/trpc/test/balance.get?input={'), 'O corpo da requisição não é um objeto JSON válido.'],
    [await browser.get('/api/trpc/test/nothing.here'), 'Não existe nada neste endereço.'],
    [await browser.get(create), 'Este endereço não aceita este método; veja o cabeçalho Allow.'],
  ] as const;
  for (const [answer, message] of rejected) {
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect((answer.body.error as { message: string }).message).toBe(message);
  }
  const deep = await browser.post(create, `{"amount":10,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, {
    'idempotency-key': 'deep',
  });
  expect([deep.status, deep.body.error]).toEqual([400, 'JSON inválido']);
});

test('files of the panel need a session, and none is sent for another page', async () => {
  const visitor = openBrowser(service);
  expect((await visitor.get('/export/test/statement.csv')).status).toBe(401);
  expect((await visitor.get('/download/test/kyc?id=x')).status).toBe(401);
  expect((await visitor.post('/upload/test/kyc?kind=identity', {})).status).toBe(401);
  const evil = { origin: 'https://evil.example' };
  expect((await browser.post('/upload/test/kyc?kind=identity', {}, evil)).status).toBe(403);
  expect((await browser.get('/export/test/..%2f..%2fetc%2fpasswd', { accept: 'text/html' })).status).toBe(404);
});

test('a file is in the language that its reader chose, and else in that of their browser', async () => {
  const nameIn = async (language: string) => {
    const path = '/export/test/statement.csv?from=2026-11-20&to=2026-11-21&balance=available';
    const { headers } = await browser.get(path, { 'accept-language': language });
    return headers.get('content-disposition')?.split('"')[1];
  };
  const portuguese = 'extrato-disponivel-2026-11-20-a-2026-11-21-teste.csv';
  const english = 'statement-available-2026-11-20-to-2026-11-21-test.csv';
  expect([await nameIn('pt-BR,pt;q=0.9'), await nameIn('en-US,en;q=0.9')]).toEqual([portuguese, english]);
  expect((await browser.post('/api/trpc/test/preferences.setLook', { language: 'pt-BR' })).status).toBe(200);
  expect(await nameIn('en-US,en;q=0.9')).toBe(portuguese);
  await browser.post('/api/trpc/test/preferences.setLook', { language: null });
});
