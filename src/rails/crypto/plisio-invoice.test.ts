import { describe, expect, test } from 'vitest';
import {
  answer,
  BARE_OPERATION,
  CREATED,
  error,
  HASH,
  INVOICE_ID,
  INVOICE_REQUEST,
  list,
  NOT_FOUND,
  OPERATION,
  ORDER,
  WALLET,
} from './testing/examples.ts';
import { setUpPlisioUnderTest } from './testing/plisio-under-test.ts';

const setup = setUpPlisioUnderTest();

const INVOICE = {
  providerId: INVOICE_ID,
  orderNumber: ORDER,
  status: 'open',
  currency: 'USDT_BSC',
  units: 189_074_074n,
  receivedUnits: 0n,
  wallet: WALLET,
  memo: null,
  pageUrl: null,
  confirmations: 0,
  confirmationsNeeded: null,
  txHashes: [],
  expiresAt: new Date(1_795_190_400_000),
};
const PAGE = `https://plisio.net/invoice/${INVOICE_ID}`;

describe('an invoice', () => {
  test('is asked for to the eighth decimal, in one coin only, with JSON callbacks, and its answer is understood', async () => {
    setup.script(answer(CREATED));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toEqual({
      outcome: 'done',
      value: { ...INVOICE, pageUrl: PAGE, confirmationsNeeded: 15 },
    });
    expect(setup.paths()).toEqual(['/invoices/new']);
    expect(setup.query(0)).toEqual({
      currency: 'USDT_BSC',
      allowed_psys_cids: 'USDT_BSC',
      amount: '1.89074074',
      order_number: ORDER,
      order_name: 'Deposito no 7',
      expire_min: '61',
      callback_url: 'https://pay.example/callbacks/plisio/abc?json=true',
      return_existing: '1',
    });
    expect(setup.calls).toMatchObject([{ rail: 'plisio', operation: 'createInvoice', outcome: 'done' }]);
  });

  test('without white-label has a page and no wallet', async () => {
    setup.script(answer({ txn_id: INVOICE_ID, invoice_url: PAGE, invoice_total_sum: '1.890740740000000000' }));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toEqual({
      outcome: 'done',
      value: { ...INVOICE, wallet: null, pageUrl: PAGE, expiresAt: null },
    });
  });

  test('is named by its order where the title has nothing to write in ASCII, and lasts a minute at least', async () => {
    setup.script(answer(CREATED));
    const callbackUrl = 'https://pay.example/c?a=1';
    await setup.rail.createInvoice({ ...INVOICE_REQUEST, title: '入金', expiresInSeconds: 1, callbackUrl });
    expect(setup.query(0)).toMatchObject({
      order_name: ORDER,
      expire_min: '1',
      callback_url: 'https://pay.example/c?a=1&json=true',
    });
  });

  test.each([
    ['one unit', 1n, '0.00000001', '0.00000001'],
    ['a whole coin', 100_000_000n, '1', '1.000000000000000000'],
    ['more than a double holds', 900_719_925_474_099_3n, '90071992.54740993', '90071992.54740993'],
  ])('of %s is exact', async (_, units, asked, sum) => {
    setup.script(answer({ ...CREATED, amount: sum, invoice_total_sum: sum }));
    expect(await setup.rail.createInvoice({ ...INVOICE_REQUEST, units })).toMatchObject({
      outcome: 'done',
      value: { units },
    });
    expect(setup.query(0).amount).toBe(asked);
  });

  test('that exists already is returned in its current state', async () => {
    setup.script(answer({ ...CREATED, status: 'completed', received_amount: '1.89074074' }));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toMatchObject({
      outcome: 'done',
      value: { status: 'final', receivedUnits: 189_074_074n },
    });
  });

  test.each<[string, object, RegExp]>([
    ['another amount', { invoice_total_sum: '1.90019444' }, /another amount.*commission/],
    ['another currency', { psys_cid: 'USDT_TRX' }, /another currency/],
    ['a currency of its own', { psys_cid: 'XMR' }, /currency we do not know/],
    ['another order', { params: { order_number: 'other' } }, /another order/],
    ['no id', { txn_id: null }, /id/],
    ['an id that is a path', { txn_id: '../../x1' }, /id/],
    ['an amount that is none', { invoice_total_sum: 'NaN' }, /invoice_total_sum/],
    ['a negative amount', { invoice_total_sum: '-1.89074074' }, /invoice_total_sum/],
    ['no amount', { invoice_total_sum: null, amount: null }, /amounts/],
    ['a status of its own', { status: 'frozen', received_amount: '0' }, /status/],
    ['an end without a payment', { status: 'cancelled duplicate', received_amount: '0' }, /has ended/],
    ['an end in time', { status: 'expired', received_amount: '0' }, /has ended/],
  ])('whose response has %s is unknown', async (_, shown, reason) => {
    setup.script(answer({ ...CREATED, ...shown }), list([]));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toEqual({
      outcome: 'unknown',
      reason: expect.stringMatching(reason),
    });
  });
});

describe('the outcome of an invoice', () => {
  const paid = {
    tx_id: [HASH],
    tx: [{ txid: HASH, confirmations: 15, value: '1', processed: true }],
    confirmations: 15,
  };

  test.each<[string, object, object]>([
    ['new', {}, { status: 'open', receivedUnits: 0n }],
    ['new, whatever its amount says', { amount: '1.89074074' }, { status: 'open', receivedUnits: 0n }],
    ['pending', { pending_sum: '1.89074074' }, { status: 'open', receivedUnits: 189_074_074n }],
    ['pending', { amount: '0.89074073', pending_sum: 1 }, { status: 'open', receivedUnits: 189_074_073n }],
    ['pending internal', { amount: '1.89074074' }, { status: 'open', receivedUnits: 189_074_074n }],
    ['completed', { amount: '1.89074074', ...paid }, { status: 'final', receivedUnits: 189_074_074n }],
    ['completed', { amount: '1.89074074', pending_sum: '5' }, { status: 'final', receivedUnits: 189_074_074n }],
    ['completed', { amount: null, actual_sum: '1.89074074' }, { status: 'final', receivedUnits: 189_074_074n }],
    ['mismatch', { amount: '2.00000001' }, { status: 'final', receivedUnits: 200_000_001n }],
    ['expired', {}, { status: 'expired', receivedUnits: 0n }],
    ['expired', { amount: '0.00000001' }, { status: 'expired', receivedUnits: 1n }],
    ['expired', { amount: '1', pending_sum: '0.5' }, { status: 'open', receivedUnits: 150_000_000n }],
    ['cancelled', {}, { status: 'cancelled', receivedUnits: 0n }],
    ['cancelled', { amount: '1' }, { status: 'expired', receivedUnits: 100_000_000n }],
    ['cancelled', { pending_sum: '1' }, { status: 'open', receivedUnits: 100_000_000n }],
    ['cancelled duplicate', {}, { status: 'cancelled', receivedUnits: 0n }],
    ['111', {}, { status: 'cancelled', receivedUnits: 0n }],
    ['cancelled duplicate', { amount: '1' }, { status: 'expired', receivedUnits: 100_000_000n }],
    ['error', {}, { status: 'failed', receivedUnits: 0n }],
    ['error', { amount: '1' }, { status: 'expired', receivedUnits: 100_000_000n }],
    ['error', { pending_sum: '1' }, { status: 'open', receivedUnits: 100_000_000n }],
  ])('%s with %o', async (status, shown, expected) => {
    setup.script(answer({ ...OPERATION, status: status.split(',')[0], ...shown }));
    const result = await setup.rail.findInvoice(INVOICE_ID);
    expect(result).toMatchObject({ outcome: 'done', value: expected });
    expect(setup.paths()).toEqual([`/operations/${INVOICE_ID}`]);
    expect(setup.query(0)).toEqual({});
  });

  test.each<[number, bigint]>([
    [15000.002991, 1_500_000_299_100n],
    [12345678.12345678, 1_234_567_812_345_678n],
    [15000.002990999998, 1_500_000_299_100n],
    [1.0999999999999999, 110_000_000n],
    [0.30000000000000004, 30_000_000n],
    [0.12345678901234568, 12_345_678n],
    [1e-8, 1n],
    [1.5e-9, 0n],
    [0, 0n],
  ])('has the amount that was written as the number %d', async (amount, receivedUnits) => {
    setup.script(answer({ ...OPERATION, status: 'completed', amount }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ value: { receivedUnits } });
  });

  test('comes with its confirmations and hashes, each once', async () => {
    setup.script(answer({ ...OPERATION, status: 'completed', amount: '1.89074074', ...paid }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toEqual({
      outcome: 'done',
      value: { ...INVOICE, status: 'final', receivedUnits: 189_074_074n, confirmations: 15, txHashes: [HASH] },
    });
  });

  test('comes with hashes also where only links were given', async () => {
    setup.script(answer({ ...OPERATION, status: 'pending', tx_url: [`https://bscscan.com/tx/${HASH}`] }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ value: { txHashes: [HASH] } });
  });

  test.each(['wallet_hash', 'wallet_memo', 'invoice_url'])('is not understood with a NUL in %s', async (field) => {
    setup.script(answer({ ...CREATED, [field]: `${WALLET}\0` }));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toMatchObject({ outcome: 'unknown' });
  });

  test('is reported in milliseconds too, and with a memo where there is one', async () => {
    setup.script(answer({ ...OPERATION, expire_at_utc: '1795190400000', wallet_memo: 12345 }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({
      value: { expiresAt: INVOICE.expiresAt, memo: '12345' },
    });
  });

  test('is reported by its own route without white-label, without a wallet', async () => {
    const { wallet_hash, ...created } = CREATED;
    const shown = {
      ...created,
      status: 'pending',
      received_amount: '0.5',
      pending_amount: '1',
      remaining_amount: '0.39',
    };
    setup.script(answer({ ...BARE_OPERATION, status: 'new' }), answer({ invoice: shown, shop: {} }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toEqual({
      outcome: 'done',
      value: { ...INVOICE, wallet: null, receivedUnits: 150_000_000n, pageUrl: PAGE, confirmationsNeeded: 15 },
    });
    expect(setup.paths()).toEqual([`/operations/${INVOICE_ID}`, `/invoices/${INVOICE_ID}`]);
  });

  // Plisio's WooCommerce plugin, templates/invoice.php: an overpaid invoice owes less than nothing.
  test.each<[string, object]>([
    ['', { pending_amount: '0.00000000', remaining_amount: '-0.10925926' }],
    [' in an older answer', { pending_amount: '-0.10925926', remaining_amount: undefined }],
  ])('has all that was received where more was paid than asked%s', async (_, owed) => {
    const shown = { ...CREATED, ...owed, status: 'mismatch', received_amount: '2.00000000' };
    setup.script(answer({ ...BARE_OPERATION, status: 'mismatch' }), answer({ invoice: shown }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({
      outcome: 'done',
      value: { status: 'final', receivedUnits: 200_000_000n },
    });
  });

  test('is unknown where less than nothing is unconfirmed', async () => {
    const shown = { ...CREATED, status: 'pending', received_amount: '2', pending_amount: '-1' };
    setup.script(answer(BARE_OPERATION), answer({ invoice: shown }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ outcome: 'unknown' });
  });

  test('never counts what is owed as received', async () => {
    const { remaining_amount, ...older } = CREATED;
    const shown = { ...older, status: 'pending', received_amount: '0', pending_amount: '1.89074074' };
    setup.script(answer(BARE_OPERATION), answer({ invoice: shown }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ outcome: 'done', value: { receivedUnits: 0n } });
  });

  test('is without what no column could hold', async () => {
    const shown = { expire_at_utc: 1e20, confirmations: 2 ** 31, expected_confirmations: 1e15 };
    setup.script(answer({ ...OPERATION, ...shown }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({
      value: { expiresAt: null, confirmations: 0, confirmationsNeeded: null },
    });
  });

  test('is null for an id that Plisio does not know', async () => {
    setup.script(NOT_FOUND);
    expect(await setup.rail.findInvoice(INVOICE_ID)).toEqual({ outcome: 'done', value: null });
  });

  test.each(['', 'withdraw', '../invoices/1', '1?x', '1/2', 'a'.repeat(65)])(
    'is null for «%s», which is no id, and no call is made',
    async (id) => {
      expect(await setup.rail.findInvoice(id)).toEqual({ outcome: 'done', value: null });
      expect(await setup.rail.findPayout(id)).toEqual({ outcome: 'done', value: null });
      expect(setup.paths()).toEqual([]);
    },
  );

  test.each<[string, object, RegExp]>([
    ['of another operation', { id: '6ab2a5a944c0a2412901e064' }, /another operation/],
    ['of no invoice', { type: 'cash_out' }, /no invoice/],
    ['in a status of its own', { status: 'frozen' }, /status/],
    ['without a status', { status: null }, /status/],
    ['in a currency of its own', { psys_cid: 'XMR' }, /currency/],
    ['with an amount that is none', { amount: '1,89' }, /amount/],
    ['with an amount in scientific notation', { amount: '1e5' }, /amount/],
    ['with a list of amounts', { pending_sum: ['1'] }, /pending_sum/],
    ['with more coins than there are', { amount: '92233720368.54775808' }, /amount/],
  ])('is unknown after an answer %s', async (_, shown, reason) => {
    setup.script(answer({ ...OPERATION, ...shown }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toEqual({
      outcome: 'unknown',
      reason: expect.stringMatching(reason),
    });
  });

  test('is unknown when neither route has an amount', async () => {
    setup.script(answer(BARE_OPERATION), answer({ invoice: { txn_id: INVOICE_ID, status: 'pending' } }));
    expect(await setup.rail.findInvoice(INVOICE_ID)).toEqual({
      outcome: 'unknown',
      reason: 'Plisio leaves the amounts of this invoice out (white-label off?)',
    });
  });

  test('is unknown when the second route returns another invoice, or none', async () => {
    const other = { ...CREATED, txn_id: '1', status: 'completed', received_amount: '1.89074074' };
    setup.script(answer(BARE_OPERATION), answer({ invoice: other }), answer(BARE_OPERATION), NOT_FOUND);
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ outcome: 'unknown' });
    expect(await setup.rail.findInvoice(INVOICE_ID)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('an invoice whose creation was not answered', () => {
  const cut = ['cut', 'cut', 'cut'] as const;

  test('is found by its order number', async () => {
    setup.script(...cut, list([OPERATION]), answer({ ...OPERATION, status: 'pending', pending_sum: '1' }));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toMatchObject({
      outcome: 'done',
      value: { providerId: INVOICE_ID, receivedUnits: 100_000_000n },
    });
    expect(setup.paths().slice(-2)).toEqual(['/operations', `/operations/${INVOICE_ID}`]);
    expect(setup.query(3)).toEqual({ page: '1', limit: '50', type: 'invoice', search: ORDER });
  });

  test('is found when a repeated attempt meets the number in use', async () => {
    setup.script('cut', error(422, '{"order_number":"exists"}'), list([OPERATION]), answer(OPERATION));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toMatchObject({ outcome: 'done' });
  });

  test('is unknown while Plisio does not list it', async () => {
    setup.script(...cut, list([]));
    expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('unknown');
    setup.script('cut', error(422, 'no'), list([]));
    expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('unknown');
  });

  test('is unknown when what is found asks for another amount or in another coin', async () => {
    setup.script(...cut, list([OPERATION]), answer({ ...OPERATION, sum: '1.9' }));
    expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('unknown');
    setup.script(...cut, list([OPERATION]), answer({ ...OPERATION, psys_cid: 'USDT_TRX' }));
    expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('unknown');
  });

  test('is rejected only when Plisio says so and has no such order', async () => {
    setup.script(error(422, '{"amount":"Amount is less than the minimum"}', 104), list([]));
    expect(await setup.rail.createInvoice(INVOICE_REQUEST)).toEqual({
      outcome: 'rejected',
      reason: 'HTTP 422 Unprocessable entity, {"amount":"Amount is less than the minimum"}, 104',
    });
    setup.script(error(422, 'no'), { status: 401 });
    expect((await setup.rail.createInvoice(INVOICE_REQUEST)).outcome).toBe('unknown');
  });
});

describe('an order number', () => {
  test('finds its own invoice among those that the search turns up', async () => {
    const other = { ...OPERATION, id: '1', params: { order_number: `${ORDER}0` } };
    setup.script(list([other, OPERATION]), answer(OPERATION));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toEqual({ outcome: 'done', value: INVOICE });
  });

  test('finds the invoice that can be paid, not one that Plisio has made and cancelled for the same attempt', async () => {
    const live = '6ab2a5a944c0a2412901e099';
    const replaced = { ...OPERATION, status: 'cancelled duplicate' };
    setup.script(list([replaced, { ...OPERATION, id: live }]), answer({ ...OPERATION, id: live }));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toMatchObject({ value: { providerId: live, status: 'open' } });
    setup.script(list([replaced]), answer(replaced));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toMatchObject({
      value: { providerId: INVOICE_ID, status: 'cancelled' },
    });
  });

  test('finds its invoice without white-label, though nothing but the search connects them', async () => {
    const { params, ...shown } = { ...CREATED, status: 'new' };
    setup.script(list([BARE_OPERATION]), answer(BARE_OPERATION), answer({ invoice: shown }));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toMatchObject({
      outcome: 'done',
      value: { providerId: INVOICE_ID, orderNumber: ORDER },
    });
  });

  test('finds nothing among invoices of other orders', async () => {
    setup.script(list([{ ...OPERATION, params: { order_number: 'x' } }]));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toEqual({ outcome: 'done', value: null });
    setup.script(list([BARE_OPERATION]), answer({ ...OPERATION, params: { order_number: 'x' } }));
    expect(await setup.rail.findInvoiceByOrder(ORDER)).toEqual({ outcome: 'done', value: null });
  });

  test('is unknown where Plisio lists no invoice, and rejected where Plisio rejects', async () => {
    setup.script(NOT_FOUND);
    expect((await setup.rail.findInvoiceByOrder(ORDER)).outcome).toBe('unknown');
    setup.script(list([OPERATION]), error(403, 'no'));
    expect((await setup.rail.findInvoiceByOrder(ORDER)).outcome).toBe('rejected');
  });
});
