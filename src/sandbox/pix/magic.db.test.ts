import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
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

const set = (name: string, value: string) => psp.control('PUT', '/switches', { name, value });
const cob = (original: string, expiracao = 3600) => ({
  calendario: { expiracao },
  valor: { original },
  chave: SHOP.pixKey,
});
const newTxid = () => `txid${String(++ids).padStart(28, '0')}`;
const stateOf = async (txid: string) => (await psp.ask('GET', `/cob/${txid}`)).body.status;
const receivedTxids = () => receiver.bodies.map((body) => JSON.parse(body).pix[0].txid);
const waitForCallbacks = (count: number) => vi.waitFor(() => expect(receiver.bodies).toHaveLength(count), SOON);
const becomesPaid = (txid: string) => vi.waitFor(async () => expect(await stateOf(txid)).toBe('CONCLUIDA'), SOON);
const paymentsOf = async (txid: string) =>
  (await setup.pool.query('SELECT amount_centavos, paid_at FROM sandbox.payments WHERE txid = $1', [txid])).rows;

async function newCharge(original: string, expiracao?: number): Promise<string> {
  const txid = newTxid();
  expect((await psp.ask('PUT', `/cob/${txid}`, cob(original, expiracao))).status).toBe(201);
  return txid;
}

describe('a charge', () => {
  test('of ,01 is paid three seconds after it was created, once, and not earlier', async () => {
    const first = await newCharge('37.01');
    setup.advance(0.001);
    const second = await newCharge('0.01');
    setup.advance(2.999);
    await becomesPaid(first);
    expect(await stateOf(second)).toBe('ATIVA');
    expect(await paymentsOf(first)).toEqual([{ amount_centavos: '3701', paid_at: setup.now() }]);
    setup.advance(0.001);
    await becomesPaid(second);
    await waitForCallbacks(2);
    expect(receivedTxids()).toEqual([first, second]);
  });

  test('of ,01 is paid once although its PUT came many times, and although the process died meanwhile', async () => {
    const txid = newTxid();
    await Promise.all(Array.from({ length: 20 }, () => psp.ask('PUT', `/cob/${txid}`, cob('37.01'))));
    await psp.stop();
    setup.advance(3);
    const processes = await Promise.all(Array.from({ length: 4 }, () => setup.startSandbox()));
    psp = processes[0] as RunningSandbox;
    await becomesPaid(txid);
    await waitForCallbacks(1);
    expect(await paymentsOf(txid)).toHaveLength(1);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
  });

  test('of ,01 is paid although its response was lost, and not when it was not created', async () => {
    await set('pix.charge', 'error');
    await psp.ask('PUT', `/cob/${newTxid()}`, cob('37.01'));
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
    await set('pix.charge', 'timeout');
    const txid = newTxid();
    const ask = (signal: AbortSignal) => psp.ask('PUT', `/cob/${txid}`, cob('37.01'), { signal });
    const isThere = async () => expect((await psp.ask('GET', `/cob/${txid}`)).status).toBe(200);
    expect(await statusOrSilence(ask, isThere)).toBe('silence');
    setup.advance(3);
    await becomesPaid(txid);
  });

  test('of ,01 is left alone when it was paid, removed or has expired before', async () => {
    const [paid, removed, expired] = [await newCharge('1.01'), await newCharge('2.01'), await newCharge('3.01', 2)];
    await psp.control('POST', '/pay', { txid: paid });
    await psp.ask('PATCH', `/cob/${removed}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    setup.advance(3);
    await vi.waitFor(
      async () => expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0),
      SOON,
    );
    expect([await paymentsOf(paid), await paymentsOf(removed), await paymentsOf(expired)]).toEqual([
      [expect.anything()],
      [],
      [],
    ]);
  });

  test('of ,02 can’t be paid, not even by force, and the error says why', async () => {
    const txid = await newCharge('37.02');
    for (const force of [false, true]) {
      expect(await psp.control('POST', '/pay', { txid, force, amount: '37.00' })).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('its cents say so') },
      });
    }
    const sign = await newCharge('1.01');
    setup.advance(3);
    await becomesPaid(sign);
    expect(await stateOf(txid)).toBe('ATIVA');
  });

  test('of ,04 is called back twice, the second time after a later payment, whatever the switch says', async () => {
    await set('pix.callback', 'never');
    const txid = await newCharge('37.04');
    setup.advance(3);
    await becomesPaid(txid);
    await waitForCallbacks(1);
    await set('pix.callback', 'once');
    const next = await newCharge('37.00');
    await psp.control('POST', '/pay', { txid: next });
    await waitForCallbacks(3);
    expect(receivedTxids()).toEqual([txid, next, txid]);
    expect(await paymentsOf(txid)).toHaveLength(1);
  });

  test('of ,04 is called back for the second time after ten seconds where no payment follows', async () => {
    const txid = await newCharge('37.04');
    setup.advance(3);
    await waitForCallbacks(1);
    setup.advance(10);
    await waitForCallbacks(2);
    expect(receivedTxids()).toEqual([txid, txid]);
  });

  test.each(['37.00', '37.03', '37.11', '37.10', '1.40'])('of %s is not paid', async (original) => {
    await newCharge(original);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.due_steps')).rowCount).toBe(0);
  });
});

describe('a payout', () => {
  const payout = (valor: string, chave = 'maria@example.com') => ({
    valor,
    pagador: { chave: SHOP.pixKey },
    favorecido: { chave },
  });
  const find = (id: string) => psp.ask('GET', `/v2/gn/pix/enviados/id-envio/${id}`);

  test.each([
    ['10.11', 'rejected', 201, 'REALIZADO'],
    ['10.12', 'rejected', 201, 'NAO_REALIZADO'],
    ['10.13', 'done', 422, undefined],
    ['10.14', 'rejected', 'silence', 'REALIZADO'],
    ['10.15', 'done', 'silence', undefined],
    ['10.00', 'done', 201, 'REALIZADO'],
    ['10.01', 'refused', 201, 'NAO_REALIZADO'],
  ])('of %s with the switch at %s: %s, then %s', async (valor, value, expected, status) => {
    await set('pix.payout', value);
    const ask = (signal?: AbortSignal) => psp.ask('PUT', '/v3/gn/pix/1', payout(valor), { signal });
    const isThere = async () => expect((await find('1')).status).toBe(status ? 200 : 404);
    expect(expected === 'silence' ? await statusOrSilence(ask, isThere) : (await ask()).status).toBe(expected);
    setup.advance(1);
    await vi.waitFor(async () => expect((await find('1')).body.status).toBe(status ?? 404), SOON);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.payouts')).rowCount).toBe(status ? 1 : 0);
  });

  test('to the CPF 000.000.001-91 is rejected at once as to an unknown key, whatever its cents say', async () => {
    const answer = await psp.ask('PUT', '/v3/gn/pix/1', payout('10.11', '00000000191'));
    expect(answer).toMatchObject({ status: 404, body: { nome: 'chave_favorecido_nao_encontrada' } });
    expect((await find('1')).status).toBe(404);
  });

  test('of ,16 finds another owner of its key on the next day, and of other amounts the same one', async () => {
    const ownerOf = async (valor: string) =>
      (await psp.ask('POST', '/v1/chaves/titular', { chave: 'maria@example.com', valor })).body.titular;
    const [today, always] = [await ownerOf('10.16'), await ownerOf('10.00')];
    setup.advance(24 * 3600);
    // The token has expired since.
    psp = await setup.startSandbox();
    expect(await ownerOf('10.00')).toEqual(always);
    expect(await ownerOf('10.16')).not.toEqual(today);
    const unknown = await psp.ask('POST', '/v1/chaves/titular', { chave: '00000000191', valor: '10.16' });
    expect(unknown.status).toBe(404);
  });
});
