import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import {
  BAKERY,
  createSandboxSetup,
  type Receiver,
  type RunningSandbox,
  type SandboxSetup,
  SHOP,
  SOON,
  startReceiver,
} from '../testing/running-sandbox.ts';

let setup: SandboxSetup;
let psp: RunningSandbox;
let receiver: Receiver;
let txids = 0;

beforeEach(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
  receiver = await startReceiver();
  await psp.ask('PUT', `/webhook/${SHOP.pixKey}`, { webhookUrl: `${receiver.url}/hook/` });
});
afterEach(async () => {
  await setup.close();
  await receiver.close();
});

/** The default of each switch, which is its first value. */
const DEFAULTS = Object.fromEntries(Object.entries(SANDBOX_SWITCHES).map(([name, [first]]) => [name, first]));

const setCallbacks = (value: string) => psp.control('PUT', '/switches', { name: 'pix.callback', value });

async function newCharge(expiracao = 3600): Promise<string> {
  const txid = `txid${String(++txids).padStart(28, '0')}`;
  const cob = { calendario: { expiracao }, valor: { original: '37.00' }, chave: SHOP.pixKey };
  expect((await psp.ask('PUT', `/cob/${txid}`, cob)).status).toBe(201);
  return txid;
}

/** Creates a charge and pays it. */
async function payNew(): Promise<{ txid: string; endToEndId: string }> {
  const { status, body } = await psp.control('POST', '/pay', { txid: await newCharge() });
  expect(status).toBe(200);
  return body;
}

const received = () => receiver.bodies.map((body) => JSON.parse(body).pix[0]);
const receivedIds = () => received().map((pix) => pix.endToEndId);
const waitForCallbacks = (count: number) => vi.waitFor(() => expect(receiver.bodies).toHaveLength(count), SOON);

/** Waits until the only callback has finished an attempt and is in this state. */
async function waitForRow(expected: { attempts: number; state: string }) {
  await vi.waitFor(async () => {
    const { rows } = await setup.pool.query(
      'SELECT attempts, state FROM sandbox.callbacks WHERE last_error IS NOT NULL OR state <> $1',
      ['due'],
    );
    expect(rows).toEqual([expected]);
  }, SOON);
}

describe('a payment', () => {
  test('completes the charge, is found by both queries, and is called back once to {webhookUrl}/pix', async () => {
    const txid = await newCharge();
    const paid = await psp.control('POST', '/pay', { txid, infoPagador: 'Obrigado!' });
    const { endToEndId } = paid.body;
    expect(paid).toMatchObject({ status: 200, body: { endToEndId, txid, valor: '37.00' } });
    expect(endToEndId).toMatch(/^E\d{8}202611201200[a-zA-Z0-9]{11}$/);

    await waitForCallbacks(1);
    const pix = {
      endToEndId,
      txid,
      valor: '37.00',
      chave: SHOP.pixKey,
      horario: '2026-11-20T12:00:00.000Z',
      infoPagador: 'Obrigado!',
    };
    expect(received()).toEqual([pix]);
    expect(receiver.paths).toEqual(['POST /hook/pix']);
    expect((await psp.ask('GET', `/pix/${endToEndId}`)).body).toEqual(pix);
    expect((await psp.ask('GET', `/cob/${txid}`)).body).toMatchObject({ status: 'CONCLUIDA', pix: [pix] });
    await waitForRow({ attempts: 1, state: 'sent' });
  });

  test('may differ from what the charge asks for', async () => {
    const txid = await newCharge();
    expect((await psp.control('POST', '/pay', { txid, amount: '36.99' })).body.valor).toBe('36.99');
    expect((await psp.ask('GET', `/cob/${txid}`)).body).toMatchObject({
      valor: { original: '37.00' },
      pix: [{ valor: '36.99' }],
    });
  });

  test('is rejected for an unknown charge and a bad body, and the answer says what to do', async () => {
    expect(await psp.control('POST', '/pay', { txid: 'a'.repeat(32) })).toMatchObject({
      status: 404,
      body: { status: 404, detail: expect.stringContaining('PUT /cob/{txid}') },
    });
    const txid = await newCharge();
    for (const amount of ['0', '0.00', '-1', '1.234', '1e3', '10000000000.00', 'abc', '']) {
      const answer = await psp.control('POST', '/pay', { txid, amount });
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('12.34') } });
    }
    for (const body of ['', 'null', { txid, amount: 12.34 }, { txid: 7 }, { txid: '\0' }]) {
      const answer = await psp.control('POST', '/pay', body);
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('txid') } });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    }
    expect((await psp.ask('GET', `/cob/${txid}`)).body.status).toBe('ATIVA');
  });

  test('happens once, however many try at once; a second one has to be forced', async () => {
    const txid = await newCharge();
    const answers = await Promise.all(Array.from({ length: 8 }, () => psp.control('POST', '/pay', { txid })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(409)]);
    // For the command line, which has --force, and for the control side, whose member is force.
    expect(answers.find((answer) => answer.status === 409)?.body.detail).toContain('give `force` to');
    expect((await psp.control('POST', '/pay', { txid, force: true })).status).toBe(200);
    expect((await psp.ask('GET', `/cob/${txid}`)).body.pix).toHaveLength(2);
    await waitForCallbacks(2);
    expect(new Set(receivedIds()).size).toBe(2);
  });

  test('comes too late once the charge has expired, although its record stays ATIVA, unless it is forced', async () => {
    const txid = await newCharge(60);
    setup.advance(59.999);
    const inTime = await newCharge(60);
    setup.advance(0.001);
    const late = await psp.control('POST', '/pay', { txid });
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/expired at 2026.*force/) } });
    expect((await psp.ask('GET', `/cob/${txid}`)).body.status).toBe('ATIVA');
    expect((await psp.control('POST', '/pay', { txid: inTime })).status).toBe(200);
    expect((await psp.control('POST', '/pay', { txid, force: true })).status).toBe(200);
    expect((await psp.ask('GET', `/cob/${txid}`)).body.status).toBe('CONCLUIDA');
  });
});

describe('the switch pix.callback', () => {
  test('at twice sends two identical callbacks', async () => {
    await setCallbacks('twice');
    const { endToEndId } = await payNew();
    await waitForCallbacks(2);
    expect(receiver.bodies[0]).toBe(receiver.bodies[1]);
    expect(receivedIds()).toEqual([endToEndId, endToEndId]);
  });

  test('at never sends no callback of the payment', async () => {
    await setCallbacks('never');
    const silent = await payNew();
    await setCallbacks('once');
    const loud = await payNew();
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([loud.endToEndId]);
    expect((await setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(1);
    expect((await psp.ask('GET', `/pix/${silent.endToEndId}`)).status).toBe(200);
  });

  test('at delayed sends ten seconds later', async () => {
    await setCallbacks('delayed');
    const late = await payNew();
    setup.advance(9.999);
    await setCallbacks('once');
    const prompt = await payNew();
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([prompt.endToEndId]);
    setup.advance(0.001);
    await waitForCallbacks(2);
    expect(receivedIds()).toEqual([prompt.endToEndId, late.endToEndId]);
  });

  test('at reordered sends the next payment first, pair by pair', async () => {
    await setCallbacks('reordered');
    const first = await payNew();
    const second = await payNew();
    await waitForCallbacks(2);
    expect(receivedIds()).toEqual([second.endToEndId, first.endToEndId]);
    const third = await payNew();
    await setCallbacks('once');
    const fourth = await payNew();
    await waitForCallbacks(4);
    expect(receivedIds().slice(2)).toEqual([fourth.endToEndId, third.endToEndId]);
  });

  test('at reordered gives up after ten seconds without a next payment', async () => {
    await setCallbacks('reordered');
    const lonely = await payNew();
    setup.advance(10);
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([lonely.endToEndId]);
  });

  test('at forged sends two lies before the truth, never repeats them, and both are unknown when asked for', async () => {
    receiver.answerWith(401);
    await setCallbacks('forged');
    const { txid, endToEndId } = await payNew();
    await waitForCallbacks(3);
    const [unknown, invented, truth] = received();
    expect(truth).toMatchObject({ txid, endToEndId });
    expect(invented.txid).toBe(txid);
    expect(unknown.txid).not.toBe(txid);
    expect((await psp.ask('GET', `/cob/${unknown.txid}`)).status).toBe(404);
    for (const lie of [unknown, invented]) {
      expect(lie.endToEndId).not.toBe(endToEndId);
      expect((await psp.ask('GET', `/pix/${lie.endToEndId}`)).status).toBe(404);
    }
    expect((await psp.ask('GET', `/cob/${txid}`)).body.pix).toHaveLength(1);

    receiver.answerWith(200);
    const rows = async () => (await setup.pool.query('SELECT state FROM sandbox.callbacks ORDER BY id')).rows;
    await vi.waitFor(async () => {
      setup.advance(1);
      expect(await rows()).toEqual([{ state: 'given_up' }, { state: 'given_up' }, { state: 'sent' }]);
    }, SOON);
    expect(received().slice(3)).toEqual([truth]);
  });

  test('at failing drops the first two tries of each callback, then sends it', async () => {
    await setCallbacks('failing');
    const { endToEndId } = await payNew();
    await waitForRow({ attempts: 1, state: 'due' });
    setup.advance(1);
    await waitForRow({ attempts: 2, state: 'due' });
    expect(receiver.bodies).toEqual([]);
    setup.advance(5);
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([endToEndId]);
    await waitForRow({ attempts: 3, state: 'sent' });
  });
});

describe('a callback', () => {
  test('is repeated with growing delays while the receiver fails, and given up after six tries', async () => {
    receiver.answerWith(503);
    await payNew();
    for (const [index, delay] of [1, 5, 30, 120, 600].entries()) {
      await waitForRow({ attempts: index + 1, state: 'due' });
      setup.advance(delay - 0.001);
      await psp.control('PUT', '/switches', { name: 'pix.callback', value: 'once' });
      expect(receiver.bodies).toHaveLength(index + 1);
      setup.advance(0.001);
    }
    await waitForRow({ attempts: 6, state: 'given_up' });
    expect(new Set(receiver.bodies).size).toBe(1);
    expect(receiver.bodies).toHaveLength(6);
  });

  test('waits for a webhook that is registered after the payment', async () => {
    await psp.ask('DELETE', `/webhook/${SHOP.pixKey}`);
    const { endToEndId } = await payNew();
    await waitForRow({ attempts: 1, state: 'due' });
    await psp.ask('PUT', `/webhook/${SHOP.pixKey}`, { webhookUrl: receiver.url });
    setup.advance(1);
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([endToEndId]);
    expect(receiver.paths).toEqual(['POST /pix']);
  });

  test('is sent once although several processes look for it at the same moment', async () => {
    const processes = [psp, ...(await Promise.all(Array.from({ length: 5 }, () => setup.startSandbox())))];
    await setCallbacks('delayed');
    const payments = await Promise.all(Array.from({ length: 40 }, payNew));
    setup.advance(10);
    // Starting a started sandbox makes it poll at once.
    for (const { sandbox } of processes) sandbox.start();
    await vi.waitFor(async () => {
      const sent = await setup.pool.query("SELECT 1 FROM sandbox.callbacks WHERE state = 'sent'");
      expect(sent.rowCount).toBe(40);
    }, SOON);
    expect(receivedIds().sort()).toEqual(payments.map((payment) => payment.endToEndId).sort());
  });
});

describe('what the sandbox PSP keeps', () => {
  test('outlives the process: charges, payments, webhooks, switches, due callbacks; only tokens die', async () => {
    const token = await psp.token();
    await setCallbacks('delayed');
    const { txid, endToEndId } = await payNew();
    const before = await psp.ask('GET', `/cob/${txid}`);
    await psp.stop();

    psp = await setup.startSandbox();
    expect((await psp.ask('GET', `/cob/${txid}`, undefined, { token })).status).toBe(401);
    expect((await psp.ask('GET', `/cob/${txid}`)).body).toEqual(before.body);
    expect((await psp.control('GET', '/switches')).body).toEqual({ ...DEFAULTS, 'pix.callback': 'delayed' });
    setup.advance(10);
    await waitForCallbacks(1);
    expect(receivedIds()).toEqual([endToEndId]);
  });
});

describe('the control side', () => {
  test('is closed without the control token, also to a client of the PSP', async () => {
    const txid = await newCharge();
    const clientToken = await psp.token(BAKERY);
    for (const token of ['', 'wrong', clientToken]) {
      for (const [method, path, body] of [
        ['POST', '/control/pay', { txid }],
        ['GET', '/control/switches', undefined],
        ['PUT', '/control/switches', { name: 'pix.charge', value: 'error' }],
      ] as const) {
        const answer = await psp.ask(method, path, body, { token });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
      }
    }
    expect((await psp.ask('GET', `/cob/${txid}`)).body.status).toBe('ATIVA');
  });

  test('returns the values of all switches, and the allowed names and values', async () => {
    const set = (name: unknown, value: unknown) => psp.control('PUT', '/switches', { name, value });
    const changed = { ...DEFAULTS, 'pix.query': 'error' };
    expect(await set('pix.query', 'error')).toMatchObject({ status: 200, body: changed });
    expect((await psp.control('GET', '/switches')).body).toEqual(changed);
    for (const name of ['pix.nothing', 'constructor', '']) {
      const answer = await set(name, 'ok');
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toContain(Object.keys(SANDBOX_SWITCHES).join(', '));
    }
    const answer = await set('pix.charge', 'twice');
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('ok, error, timeout, refused');
    expect((await set('pix.charge', 7)).status).toBe(400);
  });
});
