import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { payCharge } from '../ledger/ledger.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import {
  connectOwn,
  fundOver,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  type TestAccount,
  unitsOf,
} from '../testing/ledger-fixture.ts';
import { credited, invoiceChanges } from '../testing/ledger-invoices.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { insertForeignOperation } from '../unmatched/foreign-operations.ts';
import { listReconciledDays, listReconciledRails, listReconciliationItems } from './reconciled-days.ts';
import {
  beginRun,
  deleteAbandonedPages,
  finishRun,
  type ListedMovement,
  planCoins,
  planDays,
  planRail,
  savePage,
} from './run-reconciliation.ts';

/**
 * A PSP that lists by its holder lists, over one key of an account, what came and left over another
 * one.
 */

const DAY = '2026-11-21';
const END_OF_DAY = new Date('2026-11-22T03:00:00.000Z');
const NEXT_MORNING = new Date('2026-11-22T06:30:00.000Z');

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let [first, second] = ['', ''];
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  first = await connectOwn(db.pool, account);
  second = await connectOwn(db.pool, account);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const listed = (kind: ListedMovement['kind'], endToEndId: string, amount: bigint, more = {}): ListedMovement => ({
  ...{ kind, endToEndId, refundId: '', ownId: null, returnId: null },
  ...{ amount, feeAmount: 0n, at: NOW, paidAt: NOW, ...more },
});

/** Compares the day of a rail with what the PSP lists of it. */
async function compare(rail: string, accountId: string, movements: ListedMovement[]) {
  await planRail(db.pool, { rail, accountId, since: NOW });
  await planDays(db.pool, { rail, currency: 'BRL', last: DAY, oldest: DAY, afterMs: 0, now: NOW });
  const which = { accountId: null, rail, day: DAY, before: null, limit: 1 };
  const dayId = (await listReconciledDays(db.pool, which))[0]?.id ?? '';
  const run = { id: uuidv7(NOW), at: NEXT_MORNING, step: 'received', page: 0 } as const;
  await beginRun(db.pool, { dayId, before: null, id: run.id, balanceAmount: null, now: run.at });
  await savePage(db.pool, { dayId, run, movements, unreadable: 0, next: { step: 'sent', page: 1 } });
  await finishRun(db.pool, { dayId, id: run.id, itemsMax: 10, now: END_OF_DAY });
  const [day] = await listReconciledDays(db.pool, which);
  const items = await listReconciliationItems(db.pool, { dayId, accountId: null });
  return { unexplained: day?.unexplainedAmount, items: items.map(({ why, kind }) => `${why} ${kind}`) };
}

/** A payment of 100, of which 10 went back and 30 were sent, over a rail; as the PSP lists it. */
async function move(rail: string): Promise<ListedMovement[]> {
  const charge = await fundOver(db.pool, account, rail, 100n);
  const refunds = refundChanges(db.pool);
  const refund = newRefund(charge, 10n);
  expect(await refunds.request(refund)).toBe('requested');
  await refunds.finish(refund.id, true);
  const withdrawals = withdrawalChanges(db.pool);
  const payout = await withdrawals.sent({ ...newPixOut(account, { amountCentavos: 30n }), rail });
  await withdrawals.complete(payout, { endToEndId: `E${uuidToTxid(payout)}` });
  return [
    listed('payment', charge.endToEndId, 100n),
    listed('refund', charge.endToEndId, -10n, { refundId: uuidToTxid(refund.id), ownId: refund.id }),
    listed('payout', `E${uuidToTxid(payout)}`, -30n, { ownId: payout }),
  ];
}

test('what the PSP lists over one key and the books have over another one of the account is not missing', async () => {
  const all = [...(await move(first)), ...(await move(second))];
  expect(await compare(first, account.id, all)).toEqual({ unexplained: 0n, items: [] });
  // Nor is a payout that the PSP lists without our id.
  const withoutIds = all.map((one) => (one.kind === 'payout' ? { ...one, ownId: null } : one));
  expect(await compare(second, account.id, withoutIds)).toEqual({ unexplained: 0n, items: [] });
});

test('a PSP that lists by key has nothing of the other one, and nothing is missing there', async () => {
  const [ofFirst, ofSecond] = [await move(first), await move(second)];
  expect(await compare(first, account.id, ofFirst)).toEqual({ unexplained: 0n, items: [] });
  expect(await compare(second, account.id, ofSecond)).toEqual({ unexplained: 0n, items: [] });
});

test('what the books have over the rail, and what they have over credentials of somebody else, is missing', async () => {
  const [payment, ...others] = await move(first);
  expect(await compare(first, account.id, others)).toEqual({ unexplained: 100n, items: ['missing_there payment'] });
  const stranger = await openTestAccount(db.pool, 'live');
  const theirs = await connectOwn(db.pool, stranger);
  expect(await compare(theirs, stranger.id, [payment as ListedMovement])).toEqual({
    unexplained: 100n,
    items: ['missing_here payment'],
  });
});

test('of two runs of a day one is under way, and one that was replaced ends nothing', async () => {
  await planRail(db.pool, { rail: first, accountId: account.id, since: NOW });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: DAY, oldest: DAY, afterMs: 0, now: NOW });
  const day = async () =>
    (await listReconciledDays(db.pool, { accountId: null, rail: first, day: DAY, before: null, limit: 1 }))[0];
  const dayId = (await day())?.id ?? '';
  const [one, other] = [uuidv7(NOW), uuidv7(NOW)];
  const begin = (id: string, before: string | null) =>
    beginRun(db.pool, { dayId, before, id, balanceAmount: null, now: NEXT_MORNING });
  const finish = (id: string) => finishRun(db.pool, { dayId, id, itemsMax: 10, now: NEXT_MORNING });
  expect([await begin(one, null), await begin(other, null), await begin(other, one)]).toEqual([true, false, true]);
  expect([await finish(one), (await day())?.checkedAt]).toEqual([null, null]);
  expect(await finish(other)).not.toBeNull();
  expect(await day()).toMatchObject({ checkedAt: NEXT_MORNING });
});

test('what a run has read is deleted once the run is abandoned, or another one has replaced it', async () => {
  await planRail(db.pool, { rail: first, accountId: account.id, since: NOW });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: DAY, oldest: DAY, afterMs: 0, now: NOW });
  const [day] = await listReconciledDays(db.pool, { accountId: null, rail: first, day: DAY, before: null, limit: 1 });
  const movements = [listed('payment', newEndToEndId(), 1n)];
  await readDay(day?.id ?? '', NEXT_MORNING.toISOString(), null, movements);
  // As a page that is being saved while the run is replaced.
  await db.pool.query(`INSERT INTO listed_movements (run_id, kind, end_to_end_id, refund_id, amount, fee_amount, at, paid_at)
    SELECT gen_random_uuid(), kind, end_to_end_id, refund_id, amount, fee_amount, at, paid_at FROM listed_movements`);
  const deleteBefore = (before: Date) => deleteAbandonedPages(db.pool, before, 10);
  expect([await deleteBefore(NEXT_MORNING), await deleteBefore(NEXT_MORNING)]).toEqual([1, 0]);
  expect(await deleteBefore(new Date(NEXT_MORNING.getTime() + 1))).toBe(1);
});

test('what could not be read of a day adds up over its pages', async () => {
  await planRail(db.pool, { rail: first, accountId: account.id, since: NOW });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: DAY, oldest: DAY, afterMs: 0, now: NOW });
  const which = { accountId: null, rail: first, day: DAY, before: null, limit: 1 };
  const dayId = (await listReconciledDays(db.pool, which))[0]?.id ?? '';
  const run = { id: uuidv7(NOW), at: NEXT_MORNING, step: 'received', page: 0 } as const;
  await beginRun(db.pool, { dayId, before: null, id: run.id, balanceAmount: null, now: run.at });
  const page = { dayId, movements: [], next: { step: 'received', page: 1 } } as const;
  await savePage(db.pool, { ...page, run, unreadable: 2 });
  await savePage(db.pool, { ...page, run: { ...run, page: 1 }, unreadable: 1, next: { step: 'sent', page: 0 } });
  await finishRun(db.pool, { dayId, id: run.id, itemsMax: 10, now: END_OF_DAY });
  expect(await listReconciledDays(db.pool, which)).toMatchObject([{ unreadable: 3 }]);
});

/** Has a run read its last page of a day. */
async function readDay(dayId: string, at: string, balanceAmount: bigint | null, movements: ListedMovement[]) {
  const run = { id: uuidv7(NOW), at: new Date(at), step: 'received', page: 0 } as const;
  await beginRun(db.pool, { dayId, before: null, id: run.id, balanceAmount, now: run.at });
  await savePage(db.pool, { dayId, run, movements, unreadable: 0, next: { step: 'sent', page: 1 } });
  return () => finishRun(db.pool, { dayId, id: run.id, itemsMax: 10, now: run.at });
}

test('a balance is compared with what the days beside it have become, whichever of them is finished first', async () => {
  await planRail(db.pool, { rail: first, accountId: account.id, since: NOW });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: '2026-11-23', oldest: DAY, afterMs: 0, now: NOW });
  const days = () => listReconciledDays(db.pool, { accountId: null, rail: first, day: null, before: null, limit: 3 });
  const [third, second, whole] = (await days()).map(({ id }) => id) as [string, string, string];
  const came = (time: string, amount: bigint) =>
    listed('payment', newEndToEndId(), amount, { at: new Date(time), paidAt: new Date(time) });

  await (await readDay(whole, '2026-11-22T04:00:00.000Z', 0n, []))();
  const [early, late] = [came('2026-11-22T12:00:00.000Z', 200n), came('2026-11-22T18:00:00.000Z', 300n)];
  await (await readDay(second, '2026-11-22T15:00:00.000Z', 200n, [early]))();
  const finishSecond = await readDay(second, '2026-11-24T06:30:00.000Z', null, [early, late]);
  const finishThird = await readDay(third, '2026-11-24T06:30:00.000Z', 500n, []);

  const held = await db.pool.connect();
  await held.query('BEGIN');
  await held.query('SELECT FROM listed_movements WHERE end_to_end_id = $1 FOR UPDATE', [late.endToEndId]);
  const waiting = async (count: number) => (await countLockWaits(db.pool)) >= count;
  const finishing = finishSecond();
  await expect.poll(() => waiting(1)).toBe(true);
  let isFinished = false;
  const other = finishThird().finally(() => (isFinished = true));
  await expect.poll(async () => isFinished || (await waiting(2))).toBe(true);
  await held.query('COMMIT');
  held.release();
  await Promise.all([finishing, other]);
  expect((await days()).map((day) => day.balanceDifferenceAmount)).toEqual([0n, 0n, 0n]);
});

test('a payment that one side alone has is missing on its day, from its first instant to its last', async () => {
  const start = new Date('2026-11-21T03:00:00.000Z');
  const since = new Date('2026-11-21T05:00:00.000Z');
  const after = (from: Date, ms: number) => new Date(from.getTime() + ms);
  const FOUR_DAYS_MS = 4 * 86_400_000;
  const theirs = ([at, amount]: [Date, bigint]) => listed('payment', newEndToEndId(), amount, { at, paidAt: at });
  const movements = (
    [
      [after(start, -1), 1n],
      [start, 2n],
      [after(since, -1), 3n],
      [since, 4n],
      [after(END_OF_DAY, -1), 5n],
      [END_OF_DAY, 6n],
    ] as [Date, bigint][]
  ).map(theirs);
  const ours: [Date, Date, bigint][] = [
    [after(start, -1), start, 11n],
    [start, start, 12n],
    [after(END_OF_DAY, -1), after(END_OF_DAY, -1), 13n],
    [start, END_OF_DAY, 14n],
    [after(END_OF_DAY, -1), after(END_OF_DAY, FOUR_DAYS_MS - 1), 15n],
    // Later than a weekend and a holiday it is no longer looked for.
    [start, after(END_OF_DAY, FOUR_DAYS_MS), 16n],
    [END_OF_DAY, END_OF_DAY, 17n],
    [END_OF_DAY, after(END_OF_DAY, -1), 18n],
  ];
  for (const [paidAt, now, amountCentavos] of ours) {
    const { id } = await insertTransaction(db.pool, { account, amountCentavos, rail: first });
    const event = { eventId: uuidv7(NOW), eventBody: '{}', split: null };
    await payCharge(db.pool, { id, from: 'pending', endToEndId: newEndToEndId(), paidAt, now, ...event });
  }
  await planRail(db.pool, { rail: first, accountId: account.id, since });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: DAY, oldest: DAY, afterMs: 0, now: NOW });
  const [day] = await listReconciledDays(db.pool, { accountId: null, rail: first, day: DAY, before: null, limit: 1 });
  const dayId = day?.id ?? '';
  await (await readDay(dayId, NEXT_MORNING.toISOString(), null, movements))();
  const items = await listReconciliationItems(db.pool, { dayId, accountId: null });
  const amounts = items.map((one) => [one.theirsAmount ?? one.oursAmount, one.why, one.unexplainedAmount]);
  expect(amounts.sort()).toEqual([
    [11n, 'other_day', 0n],
    [12n, 'missing_there', -12n],
    [13n, 'missing_there', -13n],
    [14n, 'missing_there', -14n],
    [15n, 'missing_there', -15n],
    [18n, 'other_day', 0n],
    [2n, 'before', 0n],
    [3n, 'before', 0n],
    [4n, 'missing_here', 4n],
    [5n, 'missing_here', 5n],
  ]);
});

test('two balances with an unread day between them differ by nothing until that day is read', async () => {
  await planRail(db.pool, { rail: first, accountId: account.id, since: NOW });
  await planDays(db.pool, { rail: first, currency: 'BRL', last: '2026-11-23', oldest: DAY, afterMs: 0, now: NOW });
  const days = () => listReconciledDays(db.pool, { accountId: null, rail: first, day: null, before: null, limit: 3 });
  const [third, second, whole] = (await days()).map(({ id }) => id) as [string, string, string];
  await (await readDay(whole, NEXT_MORNING.toISOString(), 0n, [listed('payment', newEndToEndId(), 30n)]))();
  await (await readDay(third, '2026-11-24T06:30:00.000Z', 500n, []))();
  expect((await days()).map((day) => day.balanceDifferenceAmount)).toEqual([0n, 0n, 0n]);
  const noon = new Date('2026-11-22T15:00:00.000Z');
  const came = listed('payment', newEndToEndId(), 450n, { at: noon, paidAt: noon });
  await (await readDay(second, '2026-11-24T07:00:00.000Z', null, [came]))();
  expect((await days()).map((day) => day.balanceDifferenceAmount)).toEqual([50n, 0n, 0n]);
});

/** A processor's payment of so many reais at the fixture's quote, of this service or (null) not. */
function coinsOf(id: string, centavos: bigint, at: Date, ownId: string | null = null): ListedMovement {
  return listed('payment', id, unitsOf(centavos), { feeAmount: 1n, at, paidAt: at, ownId });
}

test('two currencies of one processor are planned, read, compared and balanced each by itself', async () => {
  const rail = 'plisio';
  const [DAY_OF_FIRST, DAY_BEFORE] = ['2026-11-13', '2026-11-20'];
  const early = new Date('2026-11-13T12:00:00.000Z');
  const coins = [
    { currency: 'BTC', foreign: 30n, own: 60n },
    { currency: 'USDT_TRX', foreign: 500n, own: 100n },
  ];
  const dayOf = async (currency: string, day: string) => {
    const days = await listReconciledDays(db.pool, { accountId: null, rail, day, before: null, limit: 2 });
    return days.find((one) => one.currency === currency);
  };
  const compareDay = async (currency: string, day: string, read: [string, bigint | null, ListedMovement[]]) => {
    await (await readDay((await dayOf(currency, day))?.id ?? '', ...read))();
    return dayOf(currency, day);
  };

  for (const { currency, own } of coins) {
    const { id } = await insertTransaction(db.pool, { account, type: 'crypto_in', amountCentavos: 100n });
    await db.pool.query('UPDATE transactions SET rail = $2, currency = $3, provider_id = $3 WHERE id = $1', [
      ...[id, rail, currency],
    ]);
    await invoiceChanges(db.pool).bring(id, credited({ arrived: own }));
  }
  const elsewhere = { currency: 'LTC', foreign: 1n, over: 'another processor' };
  for (const { currency, foreign, over } of [...coins.map((coin) => ({ ...coin, over: rail })), elsewhere])
    await insertForeignOperation(db.pool, {
      ...{ id: uuidv7(NOW), rail: over, mode: 'live', accountId: null, providerId: `foreign ${currency}` },
      ...{ kind: 'invoice', currency, units: unitsOf(foreign), happenedAt: early, createdAt: NOW },
    });
  await planCoins(db.pool, { rail, accountId: null, since: early, now: NOW });
  const planned: string[] = [];
  for (const { currency } of await listReconciledRails(db.pool)) {
    if (currency === 'BRL') continue;
    await planDays(db.pool, { rail, currency, last: DAY, oldest: DAY, afterMs: 0, now: NOW });
    const days = await listReconciledDays(db.pool, { accountId: null, rail, day: null, before: null, limit: null });
    planned.push(...new Set(days.map((one) => one.currency)));
  }
  expect(planned.sort()).toEqual(['BTC', 'BTC', 'USDT_TRX']);
  await db.pool.query('DELETE FROM tasks');

  for (const { currency, foreign, own } of coins) {
    const first = coinsOf(`foreign ${currency}`, foreign, early);
    // What is listed of more than seven days ago, or not listed any more, changes nothing.
    const all = [...(currency === 'BTC' ? [first] : []), coinsOf(currency, own, NOW)];
    const before = 1_000n * own + unitsOf(foreign) - 1n;
    await compareDay(currency, DAY_OF_FIRST, ['2026-11-14T06:30:00.000Z', null, [first]]);
    await compareDay(currency, DAY_BEFORE, ['2026-11-21T06:30:00.000Z', before, [first]]);
    // Seven units came that are no operation.
    const after = before + unitsOf(own) - 1n + 7n;
    expect(await compareDay(currency, DAY, [NEXT_MORNING.toISOString(), after, all])).toMatchObject({
      ...{ itemCount: 0, unexplainedAmount: 0n, explainedAmount: 0n, balanceDifferenceAmount: 7n },
      ours: { receivedAmount: unitsOf(own) },
      theirs: { openingAmount: unitsOf(foreign), receivedAmount: unitsOf(own) },
      ...{ oursCentavos: { received: own, sent: 0n }, feesAmount: 1n, balanceAmount: after },
    });
  }
  expect((await db.pool.query('SELECT FROM tasks')).rowCount).toBe(0);
});

test('the digest of what differs follows amounts, items and balance: not their order, nor what is explained, nor coins’ balance', async () => {
  const item = (key: string, amount: number) => ({ kind: 'payment', key, unexplained_amount: amount });
  const of = async (changed: object) => {
    const differing = { currency: 'BRL', unexplained_amount: 3, unreadable: 0, items: [item('a', 1), item('b', -2)] };
    const { rows } = await db.pool.query<{ digest: string | null }>(
      'SELECT reconciled_differences(jsonb_populate_record(NULL::reconciled_days, $1)) AS digest',
      [{ ...differing, balance_difference_amount: 0, ...changed }],
    );
    return rows[0]?.digest;
  };
  const known = await of({});
  expect(known).toMatch(/^[0-9a-f]{64}$/);
  expect(await of({ items: [item('b', -2), item('c', 0), item('a', 1)] })).toBe(known);
  for (const changed of [
    { unexplained_amount: 4 },
    { unreadable: 1 },
    { balance_difference_amount: 1 },
    { items: [item('c', 1), item('b', -2)] },
    { items: [item('a', 2), item('b', -1)] },
  ])
    expect(await of(changed)).not.toBe(known);
  const coins = { currency: 'USDT_BSC', balance_difference_amount: 1 };
  expect(await of(coins)).toBe(await of({ ...coins, balance_difference_amount: 2 }));
  expect(await of({ unexplained_amount: 0, items: [] })).toBeNull();
  expect(await of({ unexplained_amount: 0, unreadable: 1 })).not.toBeNull();
});
