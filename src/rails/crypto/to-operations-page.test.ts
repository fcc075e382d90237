import { describe, expect, test } from 'vitest';
import {
  answer,
  BARE_OPERATION,
  error,
  HASH,
  INVOICE_ID,
  list,
  OPERATION,
  ORDER,
  PAYOUT,
  PAYOUT_ID,
} from './testing/examples.ts';
import { setUpPlisioUnderTest } from './testing/plisio-under-test.ts';

const setup = setUpPlisioUnderTest();

const MADE_AT = new Date(1_795_186_800_000);
const HOUR_MS = 3_600_000;
const since = (ms: number) => ({
  from: new Date(MADE_AT.getTime() + ms),
  to: new Date(MADE_AT.getTime() + 9 * HOUR_MS),
});
const QUERY = { ...since(-HOUR_MS), page: 0 };
const at = (seconds: number) => ({ created_at_utc: MADE_AT.getTime() / 1000 + seconds });

const INVOICE = {
  providerId: INVOICE_ID,
  kind: 'invoice',
  orderNumber: ORDER,
  status: 'open',
  units: 0n,
  feeUnits: 0n,
  currency: 'USDT_BSC',
  createdAt: MADE_AT,
};
const SENT = {
  providerId: PAYOUT_ID,
  kind: 'payout',
  orderNumber: null,
  status: 'done',
  units: 189_074_000n,
  feeUnits: 100_000_000n,
  currency: 'USDT_TRX',
  createdAt: MADE_AT,
};

const pageOf = async (...operations: object[]) => {
  setup.script(list(operations));
  const listed = await setup.rail.listOperations(QUERY);
  return listed.outcome === 'done' ? listed.value : listed;
};

describe('the list of operations', () => {
  test('has invoices and payouts, whoever asked for them, without what invoices move into the balance', async () => {
    const moved = { ...OPERATION, id: '3ab2a5a944c0a2412901e063', type: 'cash_in', status: 'completed' };
    expect(await pageOf(OPERATION, PAYOUT, moved)).toEqual({
      operations: [INVOICE, SENT],
      unreadable: 0,
      hasMore: false,
    });
    expect(setup.paths()).toEqual(['/operations']);
    expect(setup.query(0)).toMatchObject({ page: '1', limit: '50' });
  });

  test.each([
    ['new', {}, 'open', 0n],
    ['pending', { amount: '1.00000000', pending_sum: '0.50000000' }, 'open', 150_000_000n],
    ['completed', { amount: '1.89074074' }, 'done', 189_074_074n],
    ['mismatch', { amount: '2.00000000' }, 'done', 200_000_000n],
    ['expired', { amount: '0.50000000' }, 'done', 50_000_000n],
    ['expired', {}, 'nothing', 0n],
    ['cancelled', {}, 'nothing', 0n],
    ['cancelled duplicate', {}, 'nothing', 0n],
  ])('an invoice that is %s with %o is %s', async (status, more, ours, units) => {
    const page = await pageOf({ ...OPERATION, ...more, status, tx_id: [HASH] });
    expect(page).toMatchObject({ operations: [{ status: ours, units }] });
  });

  test.each([
    ['pending', 'open'],
    ['completed', 'done'],
    ['error', 'nothing'],
  ])('a payout that is %s is %s, also one to many', async (status, ours) => {
    const page = await pageOf({ ...PAYOUT, status }, { ...PAYOUT, type: 'mass_cash_out', status });
    expect(page).toMatchObject({ operations: [{ status: ours }, { kind: 'payout', status: ours }] });
  });

  test('one entry that can’t be read spoils no other', async () => {
    const wrong = [
      { ...PAYOUT, status: 'lost' },
      { ...OPERATION, type: 'barter' },
      { ...OPERATION, amount: 'much' },
      7,
    ];
    expect(await pageOf(...(wrong as object[]), PAYOUT)).toEqual({ operations: [SENT], unreadable: 4, hasMore: false });
  });

  test('has what was taken besides: the commission of an invoice, the network’s fee of a payout', async () => {
    const page = await pageOf({ ...OPERATION, commission: '0.00945370' }, { ...PAYOUT, fee: { plan: 'normal' } });
    expect(page).toMatchObject({ operations: [{ feeUnits: 945_370n }, { feeUnits: 0n, units: SENT.units }] });
  });

  test('of one currency has no other, and counts an unreadable entry where it is longer than what is read', async () => {
    setup.script(list([OPERATION, PAYOUT]), list([PAYOUT], 900));
    const currency = 'USDT_TRX';
    expect(await setup.rail.listOperations({ ...QUERY, currency })).toMatchObject({
      value: { operations: [SENT], unreadable: 0 },
    });
    expect(setup.query(0)).toMatchObject({ currency });
    expect(await setup.rail.listOperations({ ...QUERY, page: 199 })).toMatchObject({
      value: { unreadable: 1, hasMore: false },
    });
  });

  test('the balance is the decimal that the processor says', async () => {
    setup.script(
      answer({ psys_cid: 'USDT_TRX', currency: 'USDT', balance: '12.50000001' }),
      answer({ currency: 'USDT' }),
    );
    expect(await setup.rail.balance('USDT_TRX')).toEqual({ outcome: 'done', value: 1_250_000_001n });
    expect(await setup.rail.balance('USDT_TRX')).toMatchObject({ outcome: 'unknown' });
    expect(setup.paths()).toEqual(['/balances/USDT_TRX', '/balances/USDT_TRX']);
  });

  test('without white-label it says what it can: an id, a kind and a status', async () => {
    const bare = { ...BARE_OPERATION, status: 'completed' };
    expect(await pageOf({ ...bare, status: 'cancelled duplicate' })).toMatchObject({
      operations: [{ status: 'nothing' }],
    });
    const { createdAt: _, ...rest } = { ...INVOICE, orderNumber: null, status: 'done', units: null, currency: null };
    expect(await pageOf(bare)).toMatchObject({ operations: [{ ...rest, createdAt: null }] });
  });

  test('ends where its operations are older than the period, if they are seen to come newest first', async () => {
    const old = { ...PAYOUT, ...at(-2 * 3600), id: '4edf873d9ed3a558712be543' };
    setup.script(list([PAYOUT, old], 9), list([old, PAYOUT], 9), list([PAYOUT], 9), list([PAYOUT], 2));
    expect(await setup.rail.listOperations(QUERY)).toMatchObject({ value: { operations: [SENT], hasMore: false } });
    // In another order an older page may have newer ones.
    expect(await setup.rail.listOperations(QUERY)).toMatchObject({ value: { operations: [SENT], hasMore: true } });
    expect(await setup.rail.listOperations(QUERY)).toMatchObject({ value: { hasMore: true } });
    expect(await setup.rail.listOperations({ ...QUERY, page: 1 })).toMatchObject({ value: { hasMore: false } });
    expect(setup.query(3)).toMatchObject({ page: '2' });
  });

  test('an answer that is no list is unknown', async () => {
    setup.script(answer({}), error(401, 'Unauthorized'));
    expect(await setup.rail.listOperations(QUERY)).toMatchObject({ outcome: 'unknown' });
    expect(await setup.rail.listOperations(QUERY)).toMatchObject({ outcome: 'rejected' });
  });
});
