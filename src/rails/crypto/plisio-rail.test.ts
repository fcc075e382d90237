import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BREAKER_FAILURES, NOT_SENT } from '../breaker.ts';
import type { Answer } from '../pix/testing/scripted-psp.ts';
import {
  API_KEY,
  answer,
  CREATED,
  error,
  INVOICE_ID,
  INVOICE_REQUEST,
  NOT_FOUND,
  OPERATION,
  ORDER,
  PAYOUT_ID,
  PAYOUT_REQUEST,
  TRON_WALLET,
} from './testing/examples.ts';
import { setUpPlisioUnderTest } from './testing/plisio-under-test.ts';

const setup = setUpPlisioUnderTest();

describe('currencies', () => {
  const USDT = { cid: 'USDT_TRX', currency: 'USDT', min_sum_in: '1.00000001', hidden: 0, maintenance: false };

  test('are those of our table, with their minimum and whether they can be used', async () => {
    setup.script(
      answer([
        USDT,
        { ...USDT, cid: 'BTC', min_sum_in: 0.00001, hidden: '0' },
        { ...USDT, cid: 'ETH', hidden: 1 },
        { ...USDT, cid: 'LTC', maintenance: true },
        { ...USDT, cid: 'DOGE', maintenance: undefined },
        { ...USDT, cid: 'XMR' },
        { ...USDT, cid: 'SOL', min_sum_in: 'free' },
        { ...USDT, cid: 'TON', min_sum_in: null },
        null,
      ]),
    );
    expect(await setup.rail.currencies()).toEqual({
      outcome: 'done',
      value: [
        { code: 'USDT_TRX', minimumUnits: 100_000_001n, active: true },
        { code: 'BTC', minimumUnits: 1_000n, active: true },
        { code: 'ETH', minimumUnits: 100_000_001n, active: false },
        { code: 'LTC', minimumUnits: 100_000_001n, active: false },
        { code: 'DOGE', minimumUnits: 100_000_001n, active: false },
      ],
    });
    expect(setup.paths()).toEqual(['/currencies/BRL']);
  });

  test('are unknown when the answer is no list, and rejected when Plisio rejects', async () => {
    setup.script(answer({}), error(401, 'Unauthorized'), NOT_FOUND);
    expect((await setup.rail.currencies()).outcome).toBe('unknown');
    expect((await setup.rail.currencies()).outcome).toBe('rejected');
    expect((await setup.rail.currencies()).outcome).toBe('unknown');
  });
});

describe('a query is repeated, at most twice, after', () => {
  test.each<[string, Answer]>([
    ['a broken connection', 'cut'],
    ['5xx', { status: 503 }],
    ['5xx in the words of the API', error(500, 'Internal')],
    ['429', error(429, 'Rate limit exceeded.')],
  ])('%s', async (_, failure) => {
    setup.script(failure, failure, answer(OPERATION));
    expect((await setup.rail.findInvoice(INVOICE_ID)).outcome).toBe('done');
    setup.script(failure, failure, failure, answer(OPERATION));
    expect((await setup.rail.findInvoice(INVOICE_ID)).outcome).toBe('unknown');
    expect(setup.paths()).toHaveLength(6);
  });

  test('no answer in time', async () => {
    setup.script('silence', 'silence', answer(CREATED));
    expect((await setup.connect({ callTimeoutMs: 200 }).createInvoice(INVOICE_REQUEST)).outcome).toBe('done');
  });
});

test('Plisio is sent no invoice, nor asked about it, after ten calls in a row without a usable answer', async () => {
  const failure: Answer = { status: 503 };
  setup.plisio.answers = Array.from({ length: BREAKER_FAILURES * 3 }, () => failure);
  await Promise.all(Array.from({ length: BREAKER_FAILURES }, () => setup.rail.findInvoice(INVOICE_ID)));
  const now = performance.now();
  const time = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => time.mockRestore());
  // The one call of a second.
  setup.script(...Array.from({ length: 6 }, () => failure));
  await setup.rail.createInvoice(INVOICE_REQUEST);
  const asked = setup.paths().length;
  expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toEqual({ outcome: 'unknown', reason: NOT_SENT });
  expect(setup.paths()).toHaveLength(asked);
  setup.script(answer(OPERATION), answer(CREATED));
  expect((await setup.rail.findInvoice(INVOICE_ID)).outcome).toBe('done');
  expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('done');
});

test('a redirect is not followed, and an answer of more than a MiB is not read', async () => {
  setup.script({ status: 301, headers: { location: `${setup.plisio.baseUrl}elsewhere` } });
  expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringMatching(/HTTP 301/),
  });
  setup.script({ status: 200, body: `"${'x'.repeat(1024 * 1024)}"` });
  expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringMatching(/MAX_SIZE/),
  });
  expect(setup.paths()).toHaveLength(2);
});

describe('no reason holds the key, a URL or a wallet', () => {
  const url = `https://api.plisio.net/api/v1/invoices/new?callback_url=x&api_key=${API_KEY}`;
  const quotes = [
    `api_key ${API_KEY} is wrong`,
    `GET ${url}`,
    `to: ${TRON_WALLET} / ${TRON_WALLET.toLowerCase()}`,
    `callback ${INVOICE_REQUEST.callbackUrl} ${encodeURIComponent(`${INVOICE_REQUEST.callbackUrl}?json=true`)}`,
  ];
  const expectClean = (result: { outcome: string; reason?: string }) => {
    expect(result.reason).toMatch(/^HTTP \d{3} Unprocessable entity, .{1,300}$/);
    expect(result.reason).not.toContain(API_KEY);
    expect(result.reason).not.toMatch(/http|callbacks/);
    expect(result.reason).not.toMatch(new RegExp(TRON_WALLET, 'i'));
  };

  test.each(quotes)('of a rejection: %s', async (quote) => {
    setup.plisio.answers = Array.from({ length: 9 }, () => error(422, `${quote}\n${'x '.repeat(400)}`));
    const { rail } = setup;
    expectClean(await rail.sendPayout(PAYOUT_REQUEST));
    expectClean(await rail.createInvoice(INVOICE_REQUEST));
    expectClean(await rail.findInvoice(INVOICE_ID));
    expectClean(await rail.findInvoiceByOrder(ORDER));
    expectClean(await rail.findPayout(PAYOUT_ID));
    expectClean(await rail.findPayoutsLike(PAYOUT_REQUEST, new Date(0)));
    expectClean(await rail.currencies());
  });

  test.each(quotes)('of a failure: %s', async (quote) => {
    setup.script(error(500, quote), error(429, quote));
    expectClean(await setup.rail.sendPayout(PAYOUT_REQUEST));
    expectClean(await setup.rail.sendPayout(PAYOUT_REQUEST));
  });

  test('of a connection that fails', async () => {
    await setup.plisio.close();
    const reason = JSON.stringify(await setup.rail.findInvoice(INVOICE_ID));
    expect(reason).toContain('ECONNREFUSED');
    expect(reason).not.toMatch(/127|api/);
  });
});

test('a callback is read with the key of the rail and no other', () => {
  const verify_hash = createHmac('sha1', API_KEY).update('{"order_number":"o","txn_id":"a1"}').digest('hex');
  const body = JSON.stringify({ txn_id: 'a1', order_number: 'o', verify_hash });
  expect(setup.rail.parseCallback(body)).toEqual({ providerId: 'a1', orderNumber: 'o' });
  expect(setup.connect({ apiKey: 'other' }).parseCallback(body)).toBeNull();
});

test('metrics count every call, with the outcome', async () => {
  setup.script(answer(OPERATION), error(422, 'no'), { status: 401 });
  await setup.rail.findInvoice(INVOICE_ID);
  await setup.rail.sendPayout(PAYOUT_REQUEST);
  await setup.rail.sendPayout(PAYOUT_REQUEST);
  const { name: rail, host } = setup.rail;
  expect(setup.calls).toEqual([
    { rail, host, operation: 'findInvoice', outcome: 'done', durationMs: expect.any(Number) },
    { rail, host, operation: 'sendPayout', outcome: 'rejected', durationMs: expect.any(Number) },
    { rail, host, operation: 'sendPayout', outcome: 'unknown', durationMs: expect.any(Number) },
  ]);
});
