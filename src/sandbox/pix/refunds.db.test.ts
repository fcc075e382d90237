import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
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
let payment: { txid: string; endToEndId: string };
let txids = 0;

beforeEach(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
  receiver = await startReceiver();
  await psp.ask('PUT', `/webhook/${SHOP.pixKey}`, { webhookUrl: receiver.url });
  const txid = `txid${String(++txids).padStart(28, '0')}`;
  await psp.ask('PUT', `/cob/${txid}`, { calendario: {}, valor: { original: '50.00' }, chave: SHOP.pixKey });
  payment = (await psp.control('POST', '/pay', { txid })).body;
  await waitForCallbacks(1);
});
afterEach(async () => {
  await setup.close();
  await receiver.close();
});

const pathOf = (id: string) => `/pix/${payment.endToEndId}/devolucao/${id}`;
const refund = (id: string, body: object = { valor: '50.00' }) => psp.ask('PUT', pathOf(id), body);
const find = (id: string) => psp.ask('GET', pathOf(id));
const set = (name: string, value: string) => psp.control('PUT', '/switches', { name, value });
const stored = async () => (await setup.pool.query('SELECT id, status FROM sandbox.refunds ORDER BY id')).rows;
const received = () => receiver.bodies.map((body) => JSON.parse(body).pix[0]);
const waitForCallbacks = (count: number) => vi.waitFor(() => expect(receiver.bodies).toHaveLength(count), SOON);

async function end(id: string, status: string) {
  setup.advance(1);
  await vi.waitFor(async () => expect((await find(id)).body.status).toBe(status), SOON);
}

function expectInvalid(answer: Answer, propriedade: string) {
  expect(answer).toMatchObject({
    status: 400,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida', violacoes: [{ propriedade }] },
  });
}

describe('a devolução', () => {
  test('is accepted, becomes DEVOLVIDO a moment later, and is shown with its payment everywhere', async () => {
    const answer = await refund('r1', { valor: '20.50', natureza: 'ORIGINAL', descricao: 'Troca' });
    const solicitacao = setup.now().toISOString();
    const record = {
      id: 'r1',
      rtrId: expect.stringMatching(/^D\d{8}202611201200[a-zA-Z0-9]{11}$/),
      valor: '20.50',
      natureza: 'ORIGINAL',
      descricao: 'Troca',
      horario: { solicitacao },
      status: 'EM_PROCESSAMENTO',
    };
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(record);
    expect(await find('r1')).toMatchObject({ status: 200, body: answer.body });
    expect(receiver.bodies).toHaveLength(1);

    await end('r1', 'DEVOLVIDO');
    const devolucoes = [
      { ...record, status: 'DEVOLVIDO', horario: { solicitacao, liquidacao: setup.now().toISOString() } },
    ];
    await waitForCallbacks(2);
    expect(received()[1]).toEqual({ ...received()[0], devolucoes });
    expect((await psp.ask('GET', `/pix/${payment.endToEndId}`)).body).toEqual(received()[1]);
    expect((await psp.ask('GET', `/cob/${payment.txid}`)).body.pix).toEqual([received()[1]]);
  });

  test('requested again with its amount is the same one, and with another amount rejected', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund('r1', { valor: '10.00' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.rtrId)).size).toBe(1);
    expectInvalid(await refund('r1', { valor: '10.01' }), 'id');
    await end('r1', 'DEVOLVIDO');
    expect((await refund('r1', { valor: '10.00' })).body.status).toBe('DEVOLVIDO');
    expect(await stored()).toEqual([{ id: 'r1', status: 'DEVOLVIDO' }]);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(2);
  });

  test('is one of several whose sum never passes the payment, also when they are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => refund(`r${n}`, { valor: '12.50' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(16).fill(400)]);
    expectInvalid(await refund('more', { valor: '0.01' }), 'devolucao.valor');
    expect(await stored()).toHaveLength(4);
  });

  test('is possible for 90 days and no longer', async () => {
    setup.advance(90 * 86_400);
    psp = await setup.startSandbox();
    expect((await refund('r1', { valor: '1.00' })).status).toBe(201);
    setup.advance(0.001);
    expectInvalid(await refund('r2', { valor: '1.00' }), 'pix.horario');
  });

  test.each<[string, object]>([
    ['devolucao.valor', { valor: 50 }],
    ['devolucao.valor', { valor: '0.00' }],
    ['devolucao.valor', { valor: '50.01' }],
    ['devolucao.natureza', { valor: '1.00', natureza: 'RETIRADA' }],
    ['devolucao.descricao', { valor: '1.00', descricao: 'é'.repeat(141) }],
  ])('is rejected with a violation of %s for %j', async (propriedade, body) => {
    expectInvalid(await refund('r1', body), propriedade);
    expect((await find('r1')).status).toBe(404);
  });

  test('is rejected for a bad id, an unknown payment, and another receiver', async () => {
    for (const id of ['a'.repeat(36), 'a-b', 'a%00']) expectInvalid(await refund(id), 'id');
    const token = await psp.token(BAKERY);
    const unknown = `/pix/E${'0'.repeat(31)}/devolucao/r1`;
    await refund('mine', { valor: '1.00' });
    const notFound = (type: string) => ({
      status: 404,
      body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}` },
    });
    for (const answer of [
      await psp.ask('PUT', unknown, { valor: '1.00' }),
      await psp.ask('PUT', pathOf('r1'), { valor: '1.00' }, { token }),
    ]) {
      expect(answer).toMatchObject(notFound('PixNaoEncontrado'));
    }
    for (const answer of [
      await psp.ask('GET', unknown),
      await psp.ask('GET', pathOf('mine'), undefined, { token }),
      await find('r1'),
    ]) {
      expect(answer).toMatchObject(notFound('PixDevolucaoNaoEncontrada'));
    }
  });

  test('comes to its end although the process died', async () => {
    await refund('r1');
    await psp.stop();
    psp = await setup.startSandbox();
    await end('r1', 'DEVOLVIDO');
    await waitForCallbacks(2);
  });
});

describe('the switch pix.refund', () => {
  test('at refused accepts, ends the refund as NAO_REALIZADO with a reason, and takes nothing of what can be given back', async () => {
    await set('pix.refund', 'refused');
    expect(await refund('r1')).toMatchObject({ status: 201, body: { status: 'EM_PROCESSAMENTO' } });
    await end('r1', 'NAO_REALIZADO');
    const failed = { id: 'r1', status: 'NAO_REALIZADO', motivo: 'Saldo insuficiente para realizar a devolução.' };
    expect((await find('r1')).body).toMatchObject(failed);
    expect((await find('r1')).body).not.toHaveProperty('horario.liquidacao');
    await waitForCallbacks(2);
    expect(received()[1].devolucoes).toMatchObject([failed]);
    await set('pix.refund', 'done');
    expect((await refund('r2')).status).toBe(201);
  });

  test('at rejected answers at once, and stores nothing', async () => {
    await set('pix.refund', 'rejected');
    expectInvalid(await refund('r1'), 'devolucao.valor');
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['silent_done', [{ id: 'r1', status: 'DEVOLVIDO' }], 200],
    ['silent_lost', [], 404],
  ])('at %s says nothing, not even by callback', async (value, rows, found) => {
    await set('pix.refund', value);
    const ask = (signal: AbortSignal) => psp.ask('PUT', pathOf('r1'), { valor: '50.00' }, { signal });
    expect(await statusOrSilence(ask, async () => expect(await stored()).toEqual(rows))).toBe('silence');
    expect(await stored()).toEqual(rows);
    expect((await find('r1')).status).toBe(found);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(1);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
  });
});

test('pix.callback forged reports a devolução that was never made before it reports the truth', async () => {
  await set('pix.callback', 'forged');
  await refund('r1');
  await end('r1', 'DEVOLVIDO');
  await waitForCallbacks(3);
  const [, lie, truth] = received();
  expect(truth.devolucoes).toMatchObject([{ id: 'r1' }]);
  expect((await find(lie.devolucoes[0].id)).status).toBe(404);
});
