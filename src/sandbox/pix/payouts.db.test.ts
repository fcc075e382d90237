import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  BAKERY,
  createSandboxSetup,
  type Receiver,
  type RunningSandbox,
  type SandboxSetup,
  SHOP,
  SOON,
  startReceiver,
  statusOrSilence,
} from '../testing/running-sandbox.ts';

let setup: SandboxSetup;
let psp: RunningSandbox;
let receiver: Receiver;
let ids = 0;

beforeEach(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
  receiver = await startReceiver();
  await psp.ask('PUT', `/webhook/${SHOP.pixKey}`, { webhookUrl: receiver.url });
});
afterEach(async () => {
  await setup.close();
  await receiver.close();
});

const PAYEE = '+5551998259765';
const AC03 = { codigo: 'AC03', origem: 'PSP do usuário recebedor', motivo: expect.stringMatching(/inexistente/) };

const newId = () => `payout${++ids}`;
const payout = (changes: object = {}) => ({
  valor: '12.34',
  pagador: { chave: SHOP.pixKey, infoPagador: 'Conta de luz' },
  favorecido: { chave: PAYEE },
  ...changes,
});
const send = (id: string, changes?: object) => psp.ask('PUT', `/v3/gn/pix/${id}`, payout(changes));
const find = (id: string) => psp.ask('GET', `/v2/gn/pix/enviados/id-envio/${id}`);
const set = (name: string, value: string) => psp.control('PUT', '/switches', { name, value });
const executed = async () =>
  (await setup.pool.query('SELECT id_envio, status, failure_code, attempts FROM sandbox.payouts ORDER BY asked_at'))
    .rows;
const received = () => receiver.bodies.map((body) => JSON.parse(body).pix[0]);
const waitForCallbacks = (count: number) => vi.waitFor(() => expect(receiver.bodies).toHaveLength(count), SOON);

/** Moves the clock past the time of EM_PROCESSAMENTO. */
async function end(id: string, status: string) {
  setup.advance(1);
  await vi.waitFor(async () => expect((await find(id)).body.status).toBe(status), SOON);
}

/** Expects no answer within half a second. */
const expectSilence = (id: string, changes?: object) =>
  expect(psp.ask('PUT', `/v3/gn/pix/${id}`, payout(changes), { signal: AbortSignal.timeout(500) })).rejects.toThrow(
    /abort|timeout/i,
  );

/** Makes `count` calls, of which several reach the switch's reading before any gets past it. */
async function allAtOnce<T>(count: number, call: () => Promise<T>): Promise<T[]> {
  const lock = await setup.pool.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE sandbox.switches');
  const calls = Promise.all(Array.from({ length: count }, call));
  const waiting = `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
                   WHERE NOT granted AND datname = current_database()`;
  try {
    await vi.waitFor(async () => expect((await lock.query(waiting)).rowCount).toBeGreaterThan(4), SOON);
  } finally {
    await lock.query('COMMIT');
    lock.release();
  }
  return calls;
}

describe('a payout', () => {
  test('is accepted, becomes REALIZADO a moment later, is called back, and is found by both ids', async () => {
    const id = newId();
    const answer = await send(id);
    const { e2eId } = answer.body;
    const solicitacao = setup.now().toISOString();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      idEnvio: id,
      e2eId: expect.stringMatching(/^E\d{8}202611201200[a-zA-Z0-9]{11}$/),
      valor: '12.34',
      horario: { solicitacao },
      status: 'EM_PROCESSAMENTO',
    });
    const record = {
      endToEndId: e2eId,
      idEnvio: id,
      valor: '12.34',
      chave: SHOP.pixKey,
      status: 'EM_PROCESSAMENTO',
      infoPagador: 'Conta de luz',
      horario: { solicitacao },
      favorecido: {
        chave: PAYEE,
        identificacao: { nome: expect.any(String), cpf: expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*\*$/) },
      },
    };
    expect(await find(id)).toMatchObject({ status: 200, body: record });
    expect(receiver.bodies).toEqual([]);

    await end(id, 'REALIZADO');
    const liquidacao = setup.now().toISOString();
    const settled = { ...record, status: 'REALIZADO', horario: { solicitacao, liquidacao } };
    expect((await find(id)).body).toEqual(settled);
    expect((await psp.ask('GET', `/v2/gn/pix/enviados/${e2eId}`)).body).toEqual(settled);
    await waitForCallbacks(1);
    expect(receiver.paths).toEqual(['POST /pix']);
    expect(received()).toEqual([
      {
        endToEndId: e2eId,
        chave: SHOP.pixKey,
        tipo: 'SOLICITACAO',
        status: 'REALIZADO',
        valor: '12.34',
        horario: liquidacao,
        infoPagador: 'Conta de luz',
        gnExtras: { idEnvio: id },
      },
    ]);
  });

  test('is executed once for one id, however many ask at once and whatever they ask for later', async () => {
    const id = newId();
    const answers = await allAtOnce(20, () => send(id));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      nome: 'id_envio_duplicado',
      mensagem: expect.any(String),
    });
    await end(id, 'REALIZADO');
    await set('pix.payout', 'silent_lost');
    for (const changes of [{}, { valor: '0.01' }, { valor: 7 }]) expect((await send(id, changes)).status).toBe(409);
    expect(await executed()).toEqual([{ id_envio: id, status: 'REALIZADO', failure_code: null, attempts: 23 }]);
    const other = newId();
    await set('pix.payout', 'done');
    await send(other);
    await end(other, 'REALIZADO');
    await waitForCallbacks(2);
    expect(received().map(({ gnExtras }) => gnExtras.idEnvio)).toEqual([id, other]);
  });

  test('belongs to its payer: another one has its own under the same id', async () => {
    const id = newId();
    const token = await psp.token(BAKERY);
    await psp.ask('PUT', `/webhook/${BAKERY.pixKey}`, { webhookUrl: receiver.url }, { token });
    const { e2eId } = (await send(id)).body;
    for (const path of [`id-envio/${id}`, e2eId]) {
      expect((await psp.ask('GET', `/v2/gn/pix/enviados/${path}`, undefined, { token })).status).toBe(404);
    }
    const own = payout({ pagador: { chave: BAKERY.pixKey } });
    expect((await psp.ask('PUT', `/v3/gn/pix/${id}`, own, { token })).status).toBe(201);
    expect(await executed()).toHaveLength(2);
  });

  test.each<[string, number, object]>([
    ['chave_invalida', 400, { pagador: { chave: BAKERY.pixKey } }],
    ['valor_invalido', 400, { valor: '0.00' }],
    ['json_invalido', 400, { valor: 12.34 }],
    ['json_invalido', 400, { valor: '12.3' }],
    ['json_invalido', 400, { pagador: { chave: SHOP.pixKey, infoPagador: 'é'.repeat(141) } }],
    ['json_invalido', 400, { favorecido: {} }],
    ['json_invalido', 400, { favorecido: { chave: '529.982.247-25' } }],
    ['json_invalido', 400, { favorecido: { chave: 'Maria@example.com' } }],
    ['json_invalido', 400, { favorecido: { chave: '7D9F0335-8DCC-4054-9BF9-0DBD61D36906' } }],
  ])('is rejected as Efí does it: %s (%i) for %j', async (nome, status, changes) => {
    const id = newId();
    const answer = await send(id, changes);
    expect(answer).toMatchObject({ status, body: { nome, mensagem: expect.any(String) } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await executed()).toEqual([]);
    expect((await send(id)).status).toBe(201);
  });

  test('is rejected for a bad id and a body that is no JSON, and names the fields that are wrong', async () => {
    for (const id of ['a'.repeat(36), 'a-b', 'a%00']) {
      expect(await send(id)).toMatchObject({ status: 400, body: { nome: 'json_invalido' } });
      expect((await find(id)).status).toBe(404);
    }
    expect(await psp.ask('PUT', '/v3/gn/pix/1', '{"valor":')).toMatchObject({
      status: 400,
      body: { nome: 'json_invalido' },
    });
    expect((await send('1', { favorecido: {} })).body).toMatchObject({
      erros: [{ chave: 'chave', caminho: '.favorecido.chave', mensagem: expect.any(String) }],
    });
  });

  test.each(['52998224725', '12ABC34501DE35', 'maria@example.com', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'])(
    'goes to the key %s',
    async (chave) => {
      expect((await send(newId(), { favorecido: { chave } })).status).toBe(201);
    },
  );

  test('needs a webhook for its key', async () => {
    await psp.ask('DELETE', `/webhook/${SHOP.pixKey}`);
    expect(await send(newId())).toMatchObject({ status: 400, body: { nome: 'webhook_nao_cadastrado' } });
    expect(await executed()).toEqual([]);
  });

  test('that was never sent is not found, with Efí’s error', async () => {
    for (const path of ['id-envio/unknown', `E${'0'.repeat(31)}`, 'short']) {
      const answer = await psp.ask('GET', `/v2/gn/pix/enviados/${path}`);
      expect(answer).toMatchObject({
        status: 404,
        body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado', status: 404 },
      });
    }
  });
});

describe('the switch pix.payout', () => {
  test('at refused accepts, and ends the payout as NAO_REALIZADO with an SPI code in callback and query', async () => {
    const id = newId();
    await set('pix.payout', 'refused');
    expect(await send(id)).toMatchObject({ status: 201, body: { status: 'EM_PROCESSAMENTO' } });
    await end(id, 'NAO_REALIZADO');
    const gnExtras = { idEnvio: id, erro: AC03 };
    expect((await find(id)).body).toMatchObject({ status: 'NAO_REALIZADO', gnExtras });
    await waitForCallbacks(1);
    expect(received()).toMatchObject([{ status: 'NAO_REALIZADO', horario: null, gnExtras }]);
    expect(await executed()).toMatchObject([{ status: 'NAO_REALIZADO', failure_code: 'AC03' }]);
  });

  test('at rejected answers at once with an SPI code, and executes nothing', async () => {
    const id = newId();
    await set('pix.payout', 'rejected');
    expect(await send(id)).toMatchObject({ status: 422, body: { nome: 'pagamento_negado', gnExtras: { erro: AC03 } } });
    expect((await find(id)).status).toBe(404);
    expect(await executed()).toEqual([]);
  });

  test('at silent_done says nothing, not even by callback, and has paid', async () => {
    const id = newId();
    await set('pix.payout', 'silent_done');
    const ask = (signal: AbortSignal) => psp.ask('PUT', `/v3/gn/pix/${id}`, payout(), { signal });
    const isPaid = async () => expect((await find(id)).body).toMatchObject({ status: 'REALIZADO', valor: '12.34' });
    expect(await statusOrSilence(ask, isPaid)).toBe('silence');
    expect((await send(id)).status).toBe(409);
    expect(await executed()).toMatchObject([{ id_envio: id, status: 'REALIZADO', attempts: 2 }]);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(0);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
  });

  test('at silent_lost says nothing and has not paid: the id is unknown and free', async () => {
    const id = newId();
    await set('pix.payout', 'silent_lost');
    await expectSilence(id);
    expect((await find(id)).status).toBe(404);
    expect(await executed()).toEqual([]);
    await set('pix.payout', 'done');
    expect((await send(id)).status).toBe(201);
  });
});

describe('the other switches', () => {
  test('pix.query hits both queries', async () => {
    const { e2eId } = (await send('q')).body;
    await set('pix.query', 'error');
    for (const path of ['id-envio/q', e2eId]) {
      expect((await psp.ask('GET', `/v2/gn/pix/enviados/${path}`)).status).toBe(500);
    }
    await set('pix.query', 'timeout');
    const signal = AbortSignal.timeout(500);
    const pending = psp.ask('GET', '/v2/gn/pix/enviados/id-envio/q', undefined, { signal });
    await expect(pending).rejects.toThrow(/abort|timeout/i);
  });

  test('pix.callback twice, delayed and never hold for payouts as well', async () => {
    const [twice, delayed, never] = [newId(), newId(), newId()];
    for (const [id, mode] of [
      [never, 'never'],
      [delayed, 'delayed'],
      [twice, 'twice'],
    ] as const) {
      await set('pix.callback', mode);
      await send(id);
      await end(id, 'REALIZADO');
    }
    const notified = () => received().map(({ gnExtras }) => gnExtras.idEnvio);
    await waitForCallbacks(2);
    expect(notified()).toEqual([twice, twice]);
    setup.advance(10);
    await waitForCallbacks(3);
    expect(notified()).toEqual([twice, twice, delayed]);
  });

  test('pix.callback forged reports a payout that was never made, and the opposite of the truth, before the truth', async () => {
    await set('pix.callback', 'forged');
    const id = newId();
    await send(id);
    await end(id, 'REALIZADO');
    await waitForCallbacks(3);
    const [invented, lie, truth] = received();
    expect(invented.gnExtras.idEnvio).not.toBe(id);
    expect((await find(invented.gnExtras.idEnvio)).status).toBe(404);
    expect(lie).toMatchObject({ status: 'NAO_REALIZADO', gnExtras: { idEnvio: id } });
    expect(truth).toMatchObject({ status: 'REALIZADO', gnExtras: { idEnvio: id } });
  });
});

describe('the end of a payout', () => {
  test('is not lost when a process dies, and happens once although several look for it', async () => {
    const sent = await Promise.all(Array.from({ length: 30 }, () => send(newId())));
    await psp.stop();
    setup.advance(1);
    const processes = await Promise.all(Array.from({ length: 4 }, () => setup.startSandbox()));
    psp = processes[0] as RunningSandbox;
    await waitForCallbacks(30);
    expect(new Set(received().map(({ endToEndId }) => endToEndId))).toEqual(
      new Set(sent.map(({ body }) => body.e2eId)),
    );
    expect((await executed()).map(({ status }) => status)).toEqual(Array(30).fill('REALIZADO'));
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(30);
  });

  test('is not lost when the connection that works on it is cut', async () => {
    const id = newId();
    await send(id);
    const cutter = await setup.pool.connect();
    await cutter.query('BEGIN');
    await cutter.query('LOCK TABLE sandbox.callbacks IN SHARE MODE');
    setup.advance(1);
    await vi.waitFor(async () => {
      const { rows } = await cutter.query<{ cut: boolean }>(
        `SELECT pg_terminate_backend(pid) AS cut FROM pg_locks
         WHERE relation = 'sandbox.due_steps'::regclass AND mode = 'RowExclusiveLock' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'sandbox.callbacks'::regclass AND NOT granted)`,
      );
      expect(rows).toEqual([{ cut: true }]);
    }, SOON);
    await cutter.query('COMMIT');
    cutter.release();
    await end(id, 'REALIZADO');
    await waitForCallbacks(1);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(1);
  });

  test('happens as a whole or not at all, is tried again, and holds up nothing else meanwhile', async () => {
    const id = newId();
    await send(id);
    await setup.pool.query('ALTER TABLE sandbox.payouts RENAME TO elsewhere');
    const txid = `txid${'0'.repeat(28)}`;
    const cob = { calendario: {}, valor: { original: '1.01' }, chave: SHOP.pixKey };
    await psp.ask('PUT', `/cob/${txid}`, cob);
    setup.advance(3);
    await waitForCallbacks(1);
    expect(received()).toMatchObject([{ txid }]);
    expect(psp.logs.join('\n')).toContain('a due step failed');
    await setup.pool.query('ALTER TABLE sandbox.elsewhere RENAME TO payouts');

    await setup.pool.query('ALTER TABLE sandbox.callbacks RENAME TO elsewhere');
    const failures = () => psp.logs.filter((line) => line.includes('a due step failed')).length;
    const before = failures();
    setup.advance(1);
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(before), SOON);
    expect((await find(id)).body.status).toBe('EM_PROCESSAMENTO');
    await setup.pool.query('ALTER TABLE sandbox.elsewhere RENAME TO callbacks');
    await end(id, 'REALIZADO');
    await waitForCallbacks(2);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
  });
});
