import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readBrCode } from '#domain/charges/read-br-code.ts';
import { createSandbox } from './sandbox.ts';
import {
  type Answer,
  BAKERY,
  createSandboxSetup,
  type RunningSandbox,
  type SandboxSetup,
  SHOP,
  SOON,
} from './testing/running-sandbox.ts';

let setup: SandboxSetup;
let psp: RunningSandbox;
let txids = 0;

beforeAll(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
});
afterAll(() => setup.close());

const newTxid = () => `txid${String(++txids).padStart(28, '0')}`;
const cobBody = (changes: object = {}) => ({
  calendario: { expiracao: 3600 },
  devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
  valor: { original: '37.00' },
  chave: SHOP.pixKey,
  solicitacaoPagador: 'Serviço realizado.',
  ...changes,
});

function expectProblem(answer: Answer, status: number, type: string) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ type: `https://pix.bcb.gov.br/api/v2/error/${type}`, status });
  expect(answer.body.title).toEqual(expect.any(String));
  expect(answer.body.correlationId).toEqual(expect.any(String));
}

describe('the token', () => {
  const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` });

  test('is issued for client credentials, asked for as a form or as JSON', async () => {
    const authorization = basic('shop:shop:secret');
    const form = { ...authorization, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    for (const [body, headers] of [
      ['grant_type=client_credentials', form],
      ['{"grant_type":"client_credentials"}', authorization],
    ] as const) {
      const answer = await psp.ask('POST', '/oauth/token', body, { headers });
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
      expect(answer.body.scope.split(' ')).toContain('cob.write');
      const used = await psp.ask('GET', `/cob/${newTxid()}`, undefined, { token: answer.body.access_token });
      expect(used.status).toBe(404);
    }
  });

  test('does what it was asked for and no more: one that receives can’t send', async () => {
    const grant = (scope: string) =>
      psp.ask('POST', '/oauth/token', JSON.stringify({ grant_type: 'client_credentials', scope }), {
        headers: basic('shop:shop:secret'),
      });
    const receiving = await grant('cob.read pix.write made.up');
    expect(receiving.body.scope.split(' ').sort()).toEqual(['cob.read', 'pix.write']);
    const token = receiving.body.access_token;
    expect((await psp.ask('GET', `/cob/${newTxid()}`, undefined, { token })).status).toBe(404);
    for (const [method, path] of [
      ['PUT', '/v3/gn/pix/1'],
      ['GET', '/v2/gn/pix/enviados/id-envio/1'],
      ['PUT', `/cob/${newTxid()}`],
    ] as const) {
      const answer = await psp.ask(method, path, method === 'GET' ? undefined : '{}', { token });
      expectProblem(answer, 403, 'AcessoNegado');
    }
    const nothing = await grant('made.up');
    expectProblem(nothing, 400, 'RequisicaoInvalida');
    expect(nothing.body.error).toBe('invalid_scope');
  });

  test('is denied to a wrong secret, an unknown client, and another grant', async () => {
    for (const credentials of ['shop:wrong', 'unknown:shop:secret', 'shop', '']) {
      const answer = await psp.ask('POST', '/oauth/token', 'grant_type=client_credentials', {
        headers: basic(credentials),
      });
      expectProblem(answer, 401, 'AcessoNegado');
      expect(answer.body.error).toBe('invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
    }
    const answer = await psp.ask('POST', '/oauth/token', '{"grant_type":"password"}', {
      headers: basic('shop:shop:secret'),
    });
    expectProblem(answer, 400, 'RequisicaoInvalida');
    expect(answer.body.error).toBe('unsupported_grant_type');
  });

  // ASVS 13.2.1
  test('is demanded by every standard route, and expires after an hour', async () => {
    const txid = newTxid();
    const token = await psp.token();
    const routes = [
      ['PUT', `/cob/${txid}`],
      ['PATCH', `/cob/${txid}`],
      ['GET', `/cob/${txid}`],
      ['GET', '/pix/E99999999202611201200abcdefghijk'],
      ['PUT', '/pix/E99999999202611201200abcdefghijk/devolucao/1'],
      ['GET', '/pix/E99999999202611201200abcdefghijk/devolucao/1'],
      ['PUT', '/v3/gn/pix/1'],
      ['GET', '/v2/gn/pix/enviados/id-envio/1'],
      ['GET', '/v2/gn/pix/enviados/E99999999202611201200abcdefghijk'],
      ['PUT', `/webhook/${SHOP.pixKey}`],
      ['GET', `/webhook/${SHOP.pixKey}`],
      ['DELETE', `/webhook/${SHOP.pixKey}`],
    ] as const;
    for (const [method, path] of routes) {
      const body = method === 'GET' ? undefined : '{}';
      expectProblem(await psp.ask(method, path, body, { token: 'made-up' }), 401, 'AcessoNegado');
    }
    expect((await psp.ask('GET', `/cob/${txid}`, undefined, { token })).status).toBe(404);
    setup.advance(3600);
    expectProblem(await psp.ask('GET', `/cob/${txid}`, undefined, { token }), 401, 'AcessoNegado');
    psp = await setup.startSandbox();
  });
});

describe('a charge', () => {
  test('is answered as the standard has it, and read again the same', async () => {
    const txid = newTxid();
    const created = await psp.ask('PUT', `/cob/${txid}`, cobBody());
    const criacao = setup.now().toISOString();
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      calendario: { criacao, expiracao: 3600 },
      txid,
      revisao: 0,
      loc: { id: expect.any(Number), txid, location: created.body.location, tipoCob: 'cob', criacao },
      location: expect.stringMatching(/^psp\.example:3000\/qr\/[0-9a-f]{32}$/),
      status: 'ATIVA',
      devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
      valor: { original: '37.00' },
      chave: SHOP.pixKey,
      solicitacaoPagador: 'Serviço realizado.',
      pixCopiaECola: expect.any(String),
    });
    expect(await psp.ask('GET', `/cob/${txid}?revisao=0`)).toMatchObject({ status: 200, body: created.body });
  });

  test('is valid for a day when its body says nothing else', async () => {
    const created = await psp.ask('PUT', `/cob/${newTxid()}`, {
      calendario: {},
      valor: { original: '0.01' },
      chave: SHOP.pixKey,
    });
    expect(created.body.calendario.expiracao).toBe(86_400);
  });

  test('carries a BR Code with its location, its amount and a right CRC', async () => {
    const { body } = await psp.ask('PUT', `/cob/${newTxid()}`, cobBody({ valor: { original: '1234.56' } }));
    expect(readBrCode(body.pixCopiaECola)).toMatchObject({
      location: body.location,
      amount: '1234.56',
      issues: [],
    });
    expect(body.pixCopiaECola.slice(-4)).toBe(crc16CcittFalse(body.pixCopiaECola.slice(0, -4)));
    expect(body.pixCopiaECola.length).toBeLessThanOrEqual(512);
  });

  test('shows its payload to a client that knows the location', async () => {
    const txid = newTxid();
    const { body } = await psp.ask('PUT', `/cob/${txid}`, cobBody());
    const payload = await fetch(psp.url + body.location.replace('psp.example:3000', ''));
    expect(await payload.json()).toEqual({
      calendario: { ...body.calendario, apresentacao: setup.now().toISOString() },
      valor: { original: '37.00' },
      chave: SHOP.pixKey,
      txid,
      status: 'ATIVA',
      revisao: 0,
    });
    expectProblem(await psp.ask('GET', `/qr/${'0'.repeat(32)}`), 404, 'CobPayloadNaoEncontrado');
  });

  test('keeps its location within 77 characters behind a long host, and rejects a host that leaves no room', async () => {
    const publicHost = `${'h'.repeat(52)}:3000`;
    const longHost = await setup.startSandbox({ publicHost });
    const { body } = await longHost.ask('PUT', `/cob/${newTxid()}`, cobBody());
    expect(body.location).toHaveLength(77);
    expect((await fetch(longHost.url + body.location.slice(publicHost.length))).status).toBe(200);
    await expect(setup.startSandbox({ publicHost: `${publicHost}0` })).rejects.toThrow('publicHost');
  });

  test('is created once, however often and however concurrently the same PUT comes', async () => {
    const txid = newTxid();
    const answers = await Promise.all(Array.from({ length: 20 }, () => psp.ask('PUT', `/cob/${txid}`, cobBody())));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.location)).size).toBe(1);
    setup.advance(1);
    expect((await psp.ask('PUT', `/cob/${txid}`, cobBody())).body).toEqual(answers[0]?.body);
  });

  test('is never altered by a PUT with another body', async () => {
    const txid = newTxid();
    const { body } = await psp.ask('PUT', `/cob/${txid}`, cobBody());
    const changed = await psp.ask('PUT', `/cob/${txid}`, cobBody({ valor: { original: '37.01' } }));
    expectProblem(changed, 400, 'CobOperacaoInvalida');
    expect(changed.body.violacoes[0]?.razao).toContain('A cobrança já existe');
    expect((await psp.ask('GET', `/cob/${txid}`)).body).toEqual(body);
  });

  test('belongs to its receiver: another one has its own under the same txid', async () => {
    const txid = newTxid();
    await psp.ask('PUT', `/cob/${txid}`, cobBody());
    const token = await psp.token(BAKERY);
    expectProblem(await psp.ask('GET', `/cob/${txid}`, undefined, { token }), 404, 'CobNaoEncontrado');
    const foreignKey = await psp.ask('PUT', `/cob/${txid}`, cobBody(), { token });
    expectProblem(foreignKey, 400, 'CobOperacaoInvalida');
    expect(foreignKey.body.violacoes).toEqual([
      {
        razao: 'O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.',
        propriedade: 'cob.chave',
        valor: SHOP.pixKey,
      },
    ]);
    const own = await psp.ask('PUT', `/cob/${txid}`, cobBody({ chave: BAKERY.pixKey }), { token });
    expect(own.status).toBe(201);

    const ambiguous = await psp.control('POST', '/pay', { txid });
    expect(ambiguous.status).toBe(409);
    expect((await psp.control('POST', '/pay', { txid, chave: BAKERY.pixKey })).status).toBe(200);
    expect((await psp.ask('GET', `/cob/${txid}`)).body.status).toBe('ATIVA');
    const paid = await psp.ask('GET', `/cob/${txid}`, undefined, { token });
    expect(paid.body.status).toBe('CONCLUIDA');
    const payment = `/pix/${paid.body.pix[0]?.endToEndId}`;
    expect((await psp.ask('GET', payment, undefined, { token })).status).toBe(200);
    expectProblem(await psp.ask('GET', payment), 404, 'PixNaoEncontrado');
  });

  test('is removed once by PATCH, and only an active one', async () => {
    const txid = newTxid();
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    expectProblem(await psp.ask('PATCH', `/cob/${txid}`, removal), 404, 'CobNaoEncontrado');
    await psp.ask('PUT', `/cob/${txid}`, cobBody());
    for (const body of [{}, { status: 'CONCLUIDA' }, { ...removal, valor: { original: '1.00' } }]) {
      expectProblem(await psp.ask('PATCH', `/cob/${txid}`, body), 400, 'CobOperacaoInvalida');
    }
    expect(await psp.ask('PATCH', `/cob/${txid}`, removal)).toMatchObject({
      status: 200,
      body: { ...removal, revisao: 1 },
    });
    expectProblem(await psp.ask('PATCH', `/cob/${txid}`, removal), 400, 'CobOperacaoInvalida');
    const rejected = await psp.control('POST', '/pay', { txid, force: true });
    expect(rejected).toMatchObject({ status: 409, body: { detail: expect.stringContaining('removed') } });
  });
});

describe('a request that breaks the schema', () => {
  test.each([
    ['cob.valor.original', { valor: { original: '37.0' } }, 'O campo cob.valor.original não respeita o _schema_.'],
    ['cob.valor.original', { valor: { original: 37 } }, 'O campo cob.valor.original não respeita o _schema_.'],
    ['cob.valor.original', { valor: { original: '0.00' } }, 'O campo cob.valor.original é zero.'],
    ['cob.valor', { valor: undefined }, 'O campo cob.valor não respeita o _schema_.'],
    ['cob.calendario', { calendario: undefined }, 'O campo cob.calendario não respeita o _schema_.'],
    ['cob.calendario.expiracao', { calendario: { expiracao: 0 } }, 'é igual ou menor que zero.'],
    ['cob.calendario.expiracao', { calendario: { expiracao: 1.5 } }, 'não respeita'],
    ['cob.devedor.nome', { devedor: { cpf: '12345678909' } }, 'não respeita'],
    ['cob.devedor', { devedor: { nome: 'Sem documento' } }, 'O objeto cob.devedor não respeita o _schema_.'],
    ['cob.devedor', { devedor: { nome: 'A', cpf: '12345678909', cnpj: '12345678000195' } }, 'O objeto cob.devedor'],
    ['cob.chave', { chave: 'x'.repeat(78) }, 'não respeita'],
    ['cob.solicitacaoPagador', { solicitacaoPagador: 'é'.repeat(141) }, 'não respeita'],
    ['cob.solicitacaoPagador', { solicitacaoPagador: 'a\0b' }, 'não respeita'],
    ['cob.solicitacaoPagador', { solicitacaoPagador: '\ud800' }, 'não respeita'],
    ['cob.infoAdicionais.0.valor', { infoAdicionais: [{ nome: 'a' }] }, 'não respeita'],
    ['cob.loc', { loc: { id: 7 } }, 'O location referenciado por loc.id inexiste.'],
  ])('is rejected with a violation of %s', async (propriedade, changes, razao) => {
    const txid = newTxid();
    const answer = await psp.ask('PUT', `/cob/${txid}`, cobBody(changes));
    expectProblem(answer, 400, 'CobOperacaoInvalida');
    expect(answer.body.violacoes[0]).toMatchObject({ propriedade, razao: expect.stringContaining(razao) });
    expect((await psp.ask('GET', `/cob/${txid}`)).status).toBe(404);
  });

  test('is rejected for a txid outside 26 to 35 alphanumerics', async () => {
    for (const txid of ['a'.repeat(25), 'a'.repeat(36), `${'a'.repeat(26)}-`, `${'a'.repeat(26)}%00`]) {
      const answer = await psp.ask('PUT', `/cob/${txid}`, cobBody());
      expectProblem(answer, 400, 'CobOperacaoInvalida');
      expect(answer.body.violacoes[0]?.propriedade).toBe('txid');
      expect((await psp.ask('GET', `/cob/${txid}`)).status).toBe(404);
    }
  });

  test('is answered with a problem also where no charge is concerned', async () => {
    expectProblem(await psp.ask('PUT', `/cob/${newTxid()}`, '{"valor":'), 400, 'RequisicaoInvalida');
    expectProblem(await psp.ask('PUT', `/cob/${newTxid()}`, 'null'), 400, 'CobOperacaoInvalida');
    expectProblem(await psp.ask('PUT', `/cob/${newTxid()}`, `"${'x'.repeat(65_536)}"`), 413, 'RequisicaoInvalida');
    expectProblem(await psp.ask('GET', '/cob/%E0%A4%A'), 400, 'RequisicaoInvalida');
    expectProblem(await psp.ask('GET', '/nothing/here'), 404, 'NaoEncontrado');
    expectProblem(await psp.ask('DELETE', `/cob/${newTxid()}`), 404, 'NaoEncontrado');
    expectProblem(await psp.ask('GET', `/pix/${'E'.repeat(31)}%00`), 404, 'PixNaoEncontrado');
  });
});

test('a sandbox that fails shows nothing of its internals', async () => {
  const pool = new pg.Pool({ connectionString: setup.databaseUrl });
  const broken = await setup.startSandbox({ pool });
  await broken.token();
  await pool.end();
  const answer = await broken.ask('PUT', `/cob/${newTxid()}`, cobBody());
  expectProblem(answer, 500, 'ErroInternoDoServidor');
  expect(JSON.stringify(answer.body)).not.toMatch(/pool/i);
  expect(broken.logs.join('\n')).toContain(answer.body.correlationId);
  expect(broken.logs.join('\n')).not.toMatch(/secret|12345678000195/);
});

test('a charge costs the sandbox one statement to create, two to pay, and one to read', async () => {
  const names: string[] = [];
  class ListeningClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: as `pg` has it.
    override query(statement: any, ...rest: any[]): any {
      if (typeof statement.name === 'string') names.push(statement.name);
      return super.query(statement, ...rest);
    }
  }
  const pool = new pg.Pool({ connectionString: setup.databaseUrl, Client: ListeningClient });
  pool.on('error', () => {});
  const other = await setup.startSandbox({ pool });
  const txid = newTxid();
  await other.ask('PUT', `/cob/${txid}`, cobBody());
  await other.control('POST', '/pay', { txid });
  expect((await other.ask('GET', `/cob/${txid}`)).body.status).toBe('CONCLUIDA');
  await other.stop();
  await pool.end();
  // These come by themselves.
  const own = names.filter((name) => !/callback|tries|due_step/.test(name));
  expect(own).toEqual(['sandbox_insert_cob', 'sandbox_find_payables', 'sandbox_pay_plainly', 'sandbox_get_cob']);
});

test('charges that are paid and read at the same moment each have their own answer', async () => {
  const [full, less, unpaid, unknown] = Array.from({ length: 4 }, newTxid);
  for (const txid of [full, less, unpaid]) await psp.ask('PUT', `/cob/${txid}`, cobBody());
  const orders = [{ txid: full }, { txid: less, amount: '36.99' }, { txid: unknown }];
  const paid = await Promise.all(orders.map((order) => psp.control('POST', '/pay', order)));
  expect(paid.map(({ status }) => status)).toEqual([200, 200, 404]);
  const read = await Promise.all([unpaid, unknown, less, full].map((txid) => psp.ask('GET', `/cob/${txid}`)));
  expect(read.map(({ status, body }) => [status, body.status, body.pix])).toEqual([
    [200, 'ATIVA', undefined],
    [404, 404, undefined],
    [200, 'CONCLUIDA', [expect.objectContaining({ txid: less, valor: '36.99' })]],
    [200, 'CONCLUIDA', [expect.objectContaining({ txid: full, valor: '37.00' })]],
  ]);
});

describe('the webhook', () => {
  test('is set, replaced, shown and deleted for the own key only', async () => {
    const path = `/webhook/${encodeURIComponent(BAKERY.pixKey)}`;
    const token = await psp.token(BAKERY);
    expectProblem(await psp.ask('GET', path, undefined, { token }), 404, 'WebhookNaoEncontrado');
    for (const webhookUrl of ['https://a.example/hook', 'http://127.0.0.1:9/hook/']) {
      expect(await psp.ask('PUT', path, { webhookUrl }, { token })).toMatchObject({ status: 200, body: null });
      expect(await psp.ask('GET', path, undefined, { token })).toMatchObject({
        status: 200,
        body: { webhookUrl, chave: BAKERY.pixKey, criacao: setup.now().toISOString() },
      });
    }
    for (const webhookUrl of ['ftp://a.example', 'nowhere', undefined]) {
      expectProblem(await psp.ask('PUT', path, { webhookUrl }, { token }), 400, 'WebhookOperacaoInvalida');
    }
    expectProblem(await psp.ask('PUT', path, { webhookUrl: 'https://evil.example' }), 400, 'WebhookOperacaoInvalida');
    expectProblem(await psp.ask('GET', path), 404, 'WebhookNaoEncontrado');
    expectProblem(await psp.ask('DELETE', path), 404, 'WebhookNaoEncontrado');
    expect((await psp.ask('DELETE', path, undefined, { token })).status).toBe(204);
    expectProblem(await psp.ask('DELETE', path, undefined, { token }), 404, 'WebhookNaoEncontrado');
  });
});

describe('the switches of the standard side', () => {
  const set = (name: string, value: string) => psp.control('PUT', '/switches', { name, value });

  test('pix.charge error and refused store nothing', async () => {
    for (const [value, status, type] of [
      ['error', 500, 'ErroInternoDoServidor'],
      ['refused', 400, 'RequisicaoInvalida'],
    ] as const) {
      const txid = newTxid();
      await set('pix.charge', value);
      expectProblem(await psp.ask('PUT', `/cob/${txid}`, cobBody()), status, type);
      await set('pix.charge', 'ok');
      expect((await psp.ask('GET', `/cob/${txid}`)).status).toBe(404);
    }
  });

  test('pix.charge timeout stores the charge and answers nothing until the client hangs up', async () => {
    const txid = newTxid();
    await set('pix.charge', 'timeout');
    const hangUp = new AbortController();
    const pending = psp.ask('PUT', `/cob/${txid}`, cobBody(), { signal: hangUp.signal });
    const ended = expect(pending).rejects.toThrow(/abort/i);
    await vi.waitFor(async () => expect((await psp.ask('GET', `/cob/${txid}`)).status).toBe(200), SOON);
    hangUp.abort();
    await ended;
    await set('pix.charge', 'ok');
    expect((await psp.ask('PUT', `/cob/${txid}`, cobBody())).status).toBe(201);
  });

  test('pix.query error and timeout apply to charges and payments, and stopping ends a request without an answer', async () => {
    const other = await setup.startSandbox();
    const txid = newTxid();
    await other.ask('PUT', `/cob/${txid}`, cobBody());
    const { endToEndId } = (await other.control('POST', '/pay', { txid })).body;
    const paths = [`/cob/${txid}`, `/pix/${endToEndId}`];
    await set('pix.query', 'error');
    for (const path of paths) expectProblem(await other.ask('GET', path), 500, 'ErroInternoDoServidor');
    await set('pix.query', 'timeout');
    let answered = 0;
    const before = other.arrived();
    const pending = paths.map((path) =>
      other.ask('GET', path).finally(() => {
        answered++;
      }),
    );
    await expect.poll(() => other.arrived(), SOON).toBe(before + paths.length);
    // They have read the switch once requests that came after them have been answered.
    for (let later = 0; later < 3; later++) await other.ask('PUT', `/cob/${newTxid()}`, cobBody());
    await set('pix.query', 'timeout');
    expect(answered).toBe(0);
    await set('pix.query', 'ok');
    for (const path of paths) expect((await psp.ask('GET', path)).status).toBe(200);
    await other.stop();
    for (const answer of await Promise.all(pending)) expectProblem(answer, 504, 'IndisponibilidadePorTempoEsgotado');
  });
});

test('two processes may prepare an empty database at once', async () => {
  const fresh = await createSandboxSetup();
  const sandboxes = await Promise.all(Array.from({ length: 6 }, () => fresh.startSandbox()));
  expect((await sandboxes[5]?.ask('PUT', `/cob/${newTxid()}`, cobBody()))?.status).toBe(201);
  await fresh.close();
});

test('a process may start beside one that is in the middle of its work', async () => {
  const work = await setup.pool.connect();
  await work.query('BEGIN');
  await work.query('LOCK TABLE sandbox.due_steps, sandbox.payments, sandbox.callbacks IN ROW EXCLUSIVE MODE');
  const pool = new pg.Pool({ connectionString: setup.databaseUrl, options: '-c lock_timeout=2s' });
  try {
    const beside = await setup.startSandbox({ pool });
    expect((await beside.ask('PUT', `/cob/${newTxid()}`, cobBody())).status).toBe(201);
    await beside.stop();
  } finally {
    await work.query('COMMIT');
    work.release();
    await pool.end();
  }
});

test('a sandbox needs a host that fits into a BR Code', () => {
  const options = { publicHost: 'h'.repeat(58), clients: [], controlTokens: [], merchantName: '', merchantCity: '' };
  const log = { info() {}, warn() {}, error() {} };
  expect(() => createSandbox({ ...options, pool: setup.pool, clock: setup.now, log })).toThrow('at most 57');
});

/** Written independently of the product's: the manual's own definition, one bit at a time. */
function crc16CcittFalse(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >> 15) & 1) ^ ((byte >> bit) & 1);
      crc = ((crc << 1) & 0xffff) ^ (carry ? 0x1021 : 0);
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
