import { describe, expect, test } from 'vitest';
import type { Answer } from '../pix/testing/scripted-psp.ts';
import type { CryptoPayoutRequest } from '../ports.ts';
import {
  answer,
  error,
  list,
  NO_FUNDS,
  NOT_FOUND,
  PAYOUT,
  PAYOUT_CREATED_AT,
  PAYOUT_ID,
  PAYOUT_REQUEST,
  TRON_WALLET,
  WALLET,
} from './testing/examples.ts';
import { setUpPlisioUnderTest } from './testing/plisio-under-test.ts';

const setup = setUpPlisioUnderTest();

const SENT = {
  providerId: PAYOUT_ID,
  status: 'completed',
  currency: 'USDT_TRX',
  units: 189_074_000n,
  wallet: TRON_WALLET,
  createdAt: PAYOUT_CREATED_AT,
  txHash: '86b5ec4404d98b9bccaaa39630e01d49f6e5e76a97664bf18a4e0da800b9f949',
};

describe('a payout', () => {
  test("is sent in the network's decimals, and its answer is understood", async () => {
    setup.script(answer(PAYOUT, 201));
    expect(await setup.rail.sendPayout(PAYOUT_REQUEST)).toEqual({ outcome: 'done', value: SENT });
    expect(setup.paths()).toEqual(['/operations/withdraw']);
    expect(setup.query(0)).toEqual({
      psys_cid: 'USDT_TRX',
      currency: 'USDT_TRX',
      type: 'cash_out',
      to: TRON_WALLET,
      amount: '1.89074',
      feePlan: 'normal',
    });
  });

  test('is known again where Plisio writes its quantity as a number', async () => {
    const request = { ...PAYOUT_REQUEST, units: 1_500_000_299_199n };
    const payout = { ...PAYOUT, amount: 15_000.002991 };
    setup.script(answer(payout, 201), list([payout]));
    const value = { ...SENT, units: 1_500_000_299_100n };
    expect(await setup.rail.sendPayout(request)).toEqual({ outcome: 'done', value });
    expect(await setup.rail.findPayoutsLike(request, PAYOUT_CREATED_AT)).toEqual({ outcome: 'done', value: [value] });
  });

  test('keeps the eighth decimal where the network has it', async () => {
    setup.script(answer({ ...PAYOUT, psys_cid: 'BNB', wallet_hash: WALLET.toLowerCase(), amount: '0.00000001' }, 201));
    const request: CryptoPayoutRequest = { currency: 'BNB', units: 1n, wallet: WALLET, memo: null };
    expect(await setup.rail.sendPayout(request)).toMatchObject({ outcome: 'done', value: { units: 1n } });
    expect(setup.query(0).amount).toBe('0.00000001');
  });

  test('that Plisio confirms with no more than an id is accepted', async () => {
    setup.script(answer({ id: PAYOUT_ID, status: 'pending', type: 'cash_out' }));
    expect(await setup.rail.sendPayout(PAYOUT_REQUEST)).toEqual({
      outcome: 'done',
      value: { ...SENT, status: 'processing', createdAt: new Date('2026-11-20T12:00:00Z'), txHash: null },
    });
  });

  test('with a memo, or with more decimals than the network has, is rejected before any request', async () => {
    const ton: CryptoPayoutRequest = { currency: 'TON', units: 1n, wallet: 'EQ', memo: '42' };
    expect(await setup.rail.sendPayout(ton)).toMatchObject({ outcome: 'rejected', failureCode: 'provider_refused' });
    expect(await setup.rail.sendPayout({ ...PAYOUT_REQUEST, units: 99n })).toMatchObject({ outcome: 'rejected' });
    expect(setup.paths()).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['without funds', NO_FUNDS],
    ['to an address that is none', error(422, '{"to":"Invalid address"}', 103)],
    ['from an address that is not allowed', error(403, 'Forbidden')],
    ['with a wrong key', error(401, 'Unauthorized')],
    ['at a route that Plisio does not have', NOT_FOUND],
  ])('%s is rejected', async (_, rejection) => {
    setup.script(rejection);
    const rejected = { outcome: 'rejected', failureCode: 'provider_refused', reason: expect.stringMatching(/^HTTP 4/) };
    expect(await setup.rail.sendPayout(PAYOUT_REQUEST)).toEqual(rejected);
    expect(setup.paths()).toHaveLength(1);
  });
});

describe('a payout is asked for once, and unknown, when', () => {
  test.each<[string, Answer]>([
    ['nothing comes back', 'silence'],
    ['the connection breaks', 'cut'],
    ['Plisio is down', { status: 503, body: '<html>' }],
    ['Plisio fails in its own words', error(500, '{"balance":"Insufficient funds on balance"}', 116)],
    ['Plisio is asked too often', error(429, 'Rate limit exceeded.')],
    ['Plisio gave up waiting', error(408, 'Timeout')],
    ['an error comes as a success', { status: 200, body: { status: 'error', data: { ...PAYOUT, message: 'no' } } }],
    ['a rejection is not in the words of the API', { status: 422, body: { balance: 'Insufficient funds' } }],
    ['something in between rejects', { status: 403, body: '<html>Blocked</html>' }],
    ['it is sent elsewhere', { status: 302, headers: { location: '/psp/api/operations/withdraw' } }],
    ['the answer is cut', { status: 201, body: '{"status":"success","data":{' }],
    ['the answer is empty', { status: 201 }],
    ['the answer is too long', { status: 201, body: `"${'x'.repeat(1024 * 1024)}"` }],
    ['the answer has no id', answer({ ...PAYOUT, id: null }, 201)],
    ['the answer has an id that is a path', answer({ ...PAYOUT, id: '../../x1', amount: '1' }, 201)],
  ])('%s', async (_, failure) => {
    // A second attempt would succeed, and the test would see it.
    setup.script(failure, answer(PAYOUT, 201), answer(PAYOUT, 201));
    const result = await setup.connect({ callTimeoutMs: 300 }).sendPayout(PAYOUT_REQUEST);
    expect(result).toEqual({ outcome: 'unknown', reason: expect.any(String) });
    expect(setup.paths()).toEqual(['/operations/withdraw']);
  });

  test.each<[string, object]>([
    ['has a status of its own', { status: 'frozen' }],
    ['has an amount that is none', { amount: 'x' }],
    ['is about another amount', { amount: '1.89074100' }],
    ['is about another coin', { psys_cid: 'USDT_BSC' }],
    ['is about another wallet', { wallet_hash: WALLET }],
    ['is about an invoice', { type: 'invoice' }],
  ])('the answer %s, with the id that Plisio gave it', async (_, shown) => {
    setup.script(answer({ ...PAYOUT, ...shown }, 201));
    const result = await setup.rail.sendPayout(PAYOUT_REQUEST);
    expect(result).toEqual({ outcome: 'unknown', reason: expect.any(String), providerId: PAYOUT_ID });
    expect(setup.paths()).toEqual(['/operations/withdraw']);
  });

  test('a connection that had served before breaks', async () => {
    setup.script(answer(PAYOUT), 'cut', answer(PAYOUT, 201));
    await setup.rail.findPayout(PAYOUT_ID);
    expect((await setup.rail.sendPayout(PAYOUT_REQUEST)).outcome).toBe('unknown');
    expect(setup.paths()).toEqual([`/operations/${PAYOUT_ID}`, '/operations/withdraw']);
  });

  test('no server listens', async () => {
    const rail = setup.connect();
    await setup.plisio.close();
    expect(await rail.sendPayout(PAYOUT_REQUEST)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});

describe('the outcome of a payout', () => {
  test.each([
    ['new', 'processing'],
    ['pending', 'processing'],
    ['pending internal', 'processing'],
    ['completed', 'completed'],
    ['error', 'failed'],
    ['cancelled', 'failed'],
  ])('%s is %s', async (theirs, status) => {
    setup.script(answer({ ...PAYOUT, status: theirs }));
    expect(await setup.rail.findPayout(PAYOUT_ID)).toEqual({ outcome: 'done', value: { ...SENT, status } });
    expect(setup.paths()).toEqual([`/operations/${PAYOUT_ID}`]);
  });

  test('is null for an id that Plisio does not know, and the call is repeated when the response is missing', async () => {
    setup.script('cut', { status: 502 }, NOT_FOUND);
    expect(await setup.rail.findPayout(PAYOUT_ID)).toEqual({ outcome: 'done', value: null });
  });

  test('is unknown when Plisio leaves out what it was, or returns something else', async () => {
    setup.script(
      answer({ id: PAYOUT_ID, type: 'cash_out', status: 'completed' }),
      answer({ ...PAYOUT, type: 'invoice' }),
    );
    expect((await setup.rail.findPayout(PAYOUT_ID)).outcome).toBe('unknown');
    expect((await setup.rail.findPayout(PAYOUT_ID)).outcome).toBe('unknown');
  });
});

test.each<[string, object]>([
  ['amount', { amount: '1.89074100' }],
  ['coin', { psys_cid: 'USDT_BSC' }],
  ['wallet', { wallet_hash: WALLET }],
])(
  'the outcome of a payout that Plisio has with another %s is unknown to those who ask with their own',
  async (_, shown) => {
    const another = answer({ ...PAYOUT, ...shown });
    setup.script(answer(PAYOUT), another, another);
    expect(await setup.rail.findPayout(PAYOUT_ID, PAYOUT_REQUEST)).toEqual({ outcome: 'done', value: SENT });
    expect((await setup.rail.findPayout(PAYOUT_ID, PAYOUT_REQUEST)).outcome).toBe('unknown');
    expect((await setup.rail.findPayout(PAYOUT_ID)).outcome).toBe('done');
  },
);

describe('payouts like a given one', () => {
  const SINCE = new Date(PAYOUT_CREATED_AT.getTime() + 60_000);
  const at = (seconds: number) => ({ created_at_utc: PAYOUT.created_at_utc + seconds });
  const find = (request: Partial<CryptoPayoutRequest> = {}) =>
    setup.rail.findPayoutsLike({ ...PAYOUT_REQUEST, ...request }, SINCE);

  test('are those of the same coin, quantity and wallet, made at most a minute before', async () => {
    setup.script(
      list([
        { ...PAYOUT, id: '9', ...at(5) },
        { ...PAYOUT, id: '8', amount: '1.890741', ...at(4) },
        { ...PAYOUT, id: '7', wallet_hash: WALLET, ...at(3) },
        { ...PAYOUT, id: '6', psys_cid: 'TRX', ...at(2) },
        { ...PAYOUT, id: '5', type: 'mass_cash_out', ...at(1) },
        PAYOUT,
        { ...PAYOUT, id: '4', ...at(-1) },
      ]),
    );
    expect(await find()).toEqual({
      outcome: 'done',
      value: [{ ...SENT, providerId: '9', createdAt: new Date(PAYOUT_CREATED_AT.getTime() + 5_000) }, SENT],
    });
    expect(setup.query(0)).toEqual({ page: '1', limit: '50', type: 'cash_out', currency: 'USDT_TRX' });
  });

  test('are those of any quantity where none is named', async () => {
    setup.script(list([{ ...PAYOUT, id: '9', amount: '1.5' }, { ...PAYOUT, id: '8', wallet_hash: WALLET }, PAYOUT]));
    const found = await setup.rail.findPayoutsLike({ ...PAYOUT_REQUEST, units: null }, SINCE);
    expect(found).toMatchObject({ value: [{ providerId: '9', units: 150_000_000n }, { providerId: PAYOUT_ID }] });
  });

  test('are found on every page, each once, until Plisio has no more', async () => {
    setup.script(list([{ ...PAYOUT, id: '9' }], 3), list([{ ...PAYOUT, id: '9' }, PAYOUT], 3), list([], 3));
    expect(await find()).toMatchObject({ value: [{ providerId: '9' }, { providerId: PAYOUT_ID }] });
    expect([0, 1, 2].map((index) => setup.query(index).page)).toEqual(['1', '2', '3']);
  });

  test('are not looked for behind what is too old, where the list is seen to be sorted', async () => {
    setup.script(
      list(
        [
          { ...PAYOUT, id: '9' },
          { ...PAYOUT, ...at(-2) },
        ],
        5,
      ),
      list([PAYOUT], 5),
    );
    expect(await find()).toMatchObject({ value: [{ providerId: '9' }] });
    expect(setup.paths()).toHaveLength(1);
  });

  test('are looked for to the end where the list is not seen to be sorted', async () => {
    setup.script(
      list(
        [
          { ...PAYOUT, id: '1', ...at(-9) },
          { ...PAYOUT, id: '2', ...at(-2) },
        ],
        2,
      ),
      list([PAYOUT], 2),
    );
    expect(await find()).toMatchObject({ value: [{ providerId: PAYOUT_ID }] });
  });

  test('end at an empty page where Plisio does not count them', async () => {
    setup.script(answer({ operations: [PAYOUT] }), answer({ operations: [] }));
    expect(await find()).toMatchObject({ value: [{ providerId: PAYOUT_ID }] });
  });

  test('are unknown when there is no end to them', async () => {
    setup.script(...Array.from({ length: 30 }, () => list([{ ...PAYOUT, amount: '1' }], 99)));
    expect(await find()).toEqual({ outcome: 'unknown', reason: 'more than 20 pages of payouts' });
    expect(setup.paths()).toHaveLength(20);
  });

  test.each<[string, Answer]>([
    ['one may be meant that does not say what it is', list([{ id: '3', type: 'cash_out', status: 'completed' }])],
    ['one has an amount that is none', list([{ ...PAYOUT, amount: 'x' }])],
    ['one is in a status of its own', list([{ ...PAYOUT, status: 'frozen' }])],
    ['the list is missing', NOT_FOUND],
    ['the list is none', answer({})],
    ['the list is empty before its last page', list([], 3)],
  ])('are unknown when %s', async (_, response) => {
    setup.script(response);
    expect((await find()).outcome).toBe('unknown');
  });

  test('are unknown when a later page is not answered', async () => {
    setup.script(list([PAYOUT], 2), 'cut', 'cut', 'cut');
    expect((await find()).outcome).toBe('unknown');
  });

  test.each<[CryptoPayoutRequest['currency'], string, string]>([
    ['ETH', WALLET, WALLET.toLowerCase()],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['LTC', 'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441', '3J9TzpQYLReDbfaiTY4XN3izFGMyswQgCb'],
    [
      'TON',
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ],
    [
      'USDT_TON',
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPuwA',
    ],
  ])('in %s go to one wallet in either spelling', async (currency, wallet, spelling) => {
    setup.script(list([{ ...PAYOUT, psys_cid: currency, wallet_hash: spelling, amount: '1' }]));
    expect(await find({ currency, wallet, units: 100_000_000n })).toMatchObject({ value: [{ providerId: PAYOUT_ID }] });
  });

  test('on Tron do not go to one wallet in other letters', async () => {
    setup.script(list([{ ...PAYOUT, wallet_hash: TRON_WALLET.toLowerCase() }]));
    expect(await find()).toEqual({ outcome: 'done', value: [] });
  });
});
