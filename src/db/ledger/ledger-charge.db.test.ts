import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findStatementRange } from '../reports/statement.ts';
import { ALL_TRANSACTIONS } from '../testing/all-transactions.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import {
  connectOwn,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { listTransactions } from '../transactions/transactions.ts';
import { findBalances } from './ledger.ts';

/** Sessions that try the same at once. */
const AT_ONCE = 10;
const CALLBACK_URL = 'https://merchant.example/callback';

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let charges: ReturnType<typeof chargeChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: AT_ONCE });
  charges = chargeChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a payment changes status, ledger, event, delivery and tasks together', async () => {
  const id = await newCharge();
  const endToEndId = newEndToEndId();
  expect(await charges.pay(id, { endToEndId })).toBe('pending');
  expect(await charges.look(id)).toEqual({
    status: 'paid',
    endToEndId,
    available: 100n,
    transfers: ['charge_paid'],
    events: ['pix_in.paid'],
    deliveries: [CALLBACK_URL],
    tasks: ['deliver_webhook'],
    reviews: 0,
  });
  await expectSound(db.pool);
});

test.each(['expired', 'cancelled', 'failed'] as const)('a charge that is %s can still be paid', async (to) => {
  const id = await newCharge();
  expect(await charges.close(id, { to })).toBe('pending');
  expect(await charges.look(id)).toMatchObject({
    status: to,
    transfers: [],
    events: [`pix_in.${to}`],
    // The merchant never got a charge that failed, so its end is not delivered.
    deliveries: to === 'failed' ? [] : [CALLBACK_URL],
    tasks: to === 'failed' ? [] : ['deliver_webhook'],
  });
  expect(await charges.pay(id, { from: to })).toBe(to);
  expect(await charges.look(id)).toMatchObject({ status: 'paid', available: 100n });
  await expectSound(db.pool);
});

test('a payment of another amount goes to suspense, and its charge to review', async () => {
  const id = await newCharge();
  expect(await charges.review(id, { receivedCentavos: 99n })).toBe('pending');
  expect(await charges.look(id)).toEqual({
    status: 'review',
    endToEndId: null,
    available: 0n,
    transfers: ['suspense'],
    events: ['pix_in.review'],
    deliveries: [CALLBACK_URL],
    tasks: ['deliver_webhook'],
    reviews: 1,
  });
  await expectSound(db.pool);
});

test('a charge that ends leaves the tasks that ask about other charges', async () => {
  const other = await newCharge();
  for (const change of ['pay', 'close', 'review'] as const) {
    expect(await charges[change](await newCharge())).toBe('pending');
    expect((await charges.look(other)).tasks, change).toEqual(['sync_charge']);
  }
});

test('without a callback URL the delivery goes to the account’s endpoint of the topic, which holds it unless it listens', async () => {
  const addEndpoint = (topic: string) =>
    db.pool.query('INSERT INTO endpoints (id, account_id, topic, url, created_at) VALUES ($1, $2, $3, $4, $5)', [
      uuidv7(NOW),
      account.id,
      topic,
      `https://merchant.example/${topic}`,
      NOW,
    ]);
  await addEndpoint('usdt');
  const unheard = await newCharge(null);
  await charges.pay(unheard);
  expect(await charges.look(unheard)).toMatchObject({ status: 'paid', deliveries: [''], tasks: [] });
  expect(await statusesOf(unheard)).toEqual(['held']);

  await db.pool.query(
    `UPDATE endpoints SET url = 'https://merchant.example/deposit', disabled_at = NULL WHERE topic = 'deposit'`,
  );
  const heard = await newCharge(null);
  await charges.pay(heard);
  expect(await charges.look(heard)).toMatchObject({ deliveries: ['https://merchant.example/deposit'] });

  await db.pool.query('UPDATE endpoints SET disabled_at = $1', [NOW]);
  const disabled = await newCharge(null);
  await charges.pay(disabled);
  expect(await charges.look(disabled)).toMatchObject({ deliveries: ['https://merchant.example/deposit'], tasks: [] });
  expect(await statusesOf(disabled)).toEqual(['held']);
});

test('an account’s first events, all at once, are each held at one endpoint', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => newCharge(null)));
  await Promise.all(ids.map((id) => charges.close(id, { to: 'expired' })));
  const held = await Promise.all(ids.map(statusesOf));
  expect(held.flat()).toEqual(ids.map(() => 'held'));
  const { rows } = await db.pool.query('SELECT topic, url FROM endpoints WHERE account_id = $1', [account.id]);
  expect(rows).toEqual([{ topic: 'deposit', url: '' }]);
});

test('whatever charges are split between accounts, each account’s list adds up to its statement and its balance', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => openTestAccount(db.pool, 'live')));
  const part = fc.bigInt(0n, 100_000n);
  const charge = fc.record({ owner: fc.nat(2), receiver: fc.nat(2), net: part, fee: part, split: part });
  for (const { owner, receiver, net, fee, split } of fc.sample(charge, 60)) {
    const [from, to] = [accounts[owner], accounts[receiver]];
    if (!from || !to || net + fee + split === 0n) continue;
    const isSplit = from !== to && split > 0n;
    const { id } = await insertTransaction(db.pool, {
      account: from,
      amountCentavos: net + fee + (isSplit ? split : 0n) || 1n,
      feeCentavos: fee,
      split: isSplit ? { account: to, centavos: split } : null,
    });
    await charges.pay(id);
  }
  const days = { start: new Date(NOW.getTime() - 86_400_000), end: new Date(NOW.getTime() + 86_400_000) };
  for (const { id } of accounts) {
    const listed = await listTransactions(db.pool, id, { ...ALL_TRANSACTIONS, limit: 1_000 });
    const listSum = listed.reduce((sum, { settledNetCentavos }) => sum + settledNetCentavos, 0n);
    const range = await findStatementRange(db.pool, id, 'available', days);
    if (!range) throw new Error('There is no such account.');
    const { creditCentavos, debitCentavos, first, next } = range;
    expect([listSum, listed.filter(({ netCentavos }) => netCentavos > 0n).length]).toEqual([
      creditCentavos + debitCentavos,
      Number(next - first),
    ]);
    expect((await findBalances(db.pool, id))?.availableCentavos).toBe(listSum);
    expect(listed.some(({ type }) => type === 'split_in')).toBe(true);
  }
  await expectSound(db.pool);
});

test('an error in the middle of a charge’s change leaves nothing: neither status nor money nor event', async () => {
  const endToEndId = newEndToEndId();
  const first = await newCharge();
  await charges.pay(first, { endToEndId });
  const eventId = await eventOf(first);
  const second = await newCharge();
  await expectUnchanged(db.pool, async () => {
    await expect(charges.pay(second, { endToEndId })).rejects.toMatchObject({ code: '23505' });
    // The event is written after the money: its id is taken.
    await expect(charges.pay(second, { eventId })).rejects.toMatchObject({ code: '23505' });
    await expect(charges.close(second, { eventId })).rejects.toMatchObject({ code: '23505' });
    await expect(charges.review(second, { eventId })).rejects.toMatchObject({ code: '23505' });
    await expect(charges.review(second, { receivedCentavos: 0n })).rejects.toMatchObject({ code: 'TR005' });
  });
  expect(await charges.pay(second)).toBe('pending');
});

test('a charge that does not have the expected status is left as it is, and its status is returned', async () => {
  const id = await newCharge();
  await expectUnchanged(db.pool, async () => {
    expect(await charges.pay(id, { from: 'expired' })).toBe('pending');
    expect(await charges.close(id, { from: 'paid' })).toBe('pending');
    expect(await charges.review(id, { from: 'paid' })).toBe('pending');
    // Null is no status, and equal to none.
    expect(await charges.pay(id, { from: null as never })).toBe('pending');
    expect(await charges.close(id, { from: null as never })).toBe('pending');
    expect(await charges.review(id, { from: null as never })).toBe('pending');
  });
});

test('what is no charge is neither paid, closed nor reviewed as one', async () => {
  for (const type of ['pix_out', 'crypto_in'] as const) {
    const { id } = await insertTransaction(db.pool, { account, type, amountCentavos: 100n });
    await expectUnchanged(db.pool, async () => {
      for (const change of [charges.pay, charges.close, charges.review])
        await expect(change(id)).rejects.toMatchObject({ code: 'TR003' });
    });
    await remove(id);
  }
});

test('a paid charge is neither paid again nor closed, whatever the caller expects', async () => {
  const id = await newCharge();
  await charges.pay(id);
  await expectUnchanged(db.pool, async () => {
    await expect(charges.pay(id, { from: 'paid' })).rejects.toMatchObject({ code: 'TR004' });
    await expect(charges.close(id, { from: 'paid' })).rejects.toMatchObject({ code: 'TR004' });
  });
  await refund(id);
  await expectUnchanged(db.pool, async () => {
    await expect(charges.pay(id, { from: 'refunded' })).rejects.toMatchObject({ code: 'TR004' });
    await expect(charges.close(id, { from: 'refunded' })).rejects.toMatchObject({ code: 'TR004' });
  });
});

test('a charge closes as expired, cancelled or failed, as nothing else', async () => {
  const id = await newCharge();
  await expectUnchanged(db.pool, async () => {
    for (const to of ['paid', 'pending', 'review', 'refunded', 'completed']) {
      await expect(charges.close(id, { to: to as never })).rejects.toMatchObject({ code: 'TR004' });
    }
  });
});

test('one payment reported at once by many sessions is credited once', async () => {
  const id = await newCharge();
  const endToEndId = newEndToEndId();
  const answers = await atOnce(() => charges.pay(id, { endToEndId }));
  expect(answers.filter((status) => status === 'pending')).toHaveLength(1);
  expect(answers.filter((status) => status === 'paid')).toHaveLength(AT_ONCE - 1);
  expect(await charges.look(id)).toMatchObject({
    available: 100n,
    transfers: ['charge_paid'],
    events: ['pix_in.paid'],
  });
  await expectSound(db.pool);
});

test('a charge that is paid and expires at once ends paid, credited once', async () => {
  const id = await newCharge();
  await Promise.all([charges.pay(id), charges.close(id), charges.pay(id), charges.close(id)]);
  const { status } = await charges.look(id);
  // The caller that lost the race reads again, as the use case does.
  if (status === 'expired') expect(await charges.pay(id, { from: 'expired' })).toBe('expired');
  expect(await charges.look(id)).toMatchObject({ status: 'paid', available: 100n, transfers: ['charge_paid'] });
  await expectSound(db.pool);
});

test('two payments at once of one charge: one is credited, the other goes to suspense', async () => {
  const id = await newCharge();
  const payments = [newEndToEndId(), newEndToEndId()];
  const answers = await Promise.all(payments.map((endToEndId) => charges.pay(id, { endToEndId })));
  expect(answers.sort()).toEqual(['paid', 'pending']);
  const { endToEndId } = await charges.look(id);
  const second = payments.find((payment) => payment !== endToEndId) as string;
  await atOnce(() => charges.review(id, { from: 'paid', endToEndId: second, receivedCentavos: 100n }));
  expect(await charges.look(id)).toMatchObject({
    status: 'paid',
    endToEndId,
    available: 100n,
    transfers: ['charge_paid', 'suspense'],
    events: ['pix_in.paid', 'pix_in.review'],
    reviews: 1,
  });
  await expectSound(db.pool);
});

test('a second payment of a refunded charge goes to suspense, and the charge stays refunded', async () => {
  const id = await newCharge();
  await charges.pay(id);
  await refund(id);
  expect(await charges.review(id, { from: 'refunded', receivedCentavos: 100n })).toBe('refunded');
  expect(await charges.look(id)).toMatchObject({
    status: 'refunded',
    transfers: ['charge_paid', 'refund_completed', 'refund_requested', 'suspense'],
    reviews: 1,
  });
  await expectSound(db.pool);
});

test('a payment that is in suspense is not credited as well, and one that is credited does not go to suspense', async () => {
  const id = await newCharge();
  const endToEndId = newEndToEndId();
  await charges.review(id, { endToEndId });
  await expectUnchanged(db.pool, () =>
    expect(charges.pay(id, { from: 'review', endToEndId })).rejects.toMatchObject({ code: 'TR004' }),
  );
  const credited = newEndToEndId();
  expect(await charges.pay(id, { from: 'review', endToEndId: credited })).toBe('review');
  const other = await newCharge();
  await expectUnchanged(db.pool, async () => {
    await expect(charges.review(id, { from: 'paid', endToEndId: credited })).rejects.toMatchObject({ code: 'TR004' });
    await expect(charges.review(other, { endToEndId: credited })).rejects.toMatchObject({ code: 'TR004' });
  });
  await expectSound(db.pool);
});

test.each([
  ['pay', 'review', 'TR004'],
  ['review', 'pay', 'TR004'],
  ['review', 'review', 'TR004'],
  ['pay', 'pay', '23505'],
] as const)(
  'a payment that two charges name is booked with one of them: %s, then or at the same moment %s',
  async (first, second, code) => {
    const own = [await connectOwn(db.pool, account), await connectOwn(db.pool, account)];
    for (const [rail, beside] of [[RAIL, RAIL], own] as const) {
      for (const atOnce of [true, false]) {
        const endToEndId = newEndToEndId();
        const one = await insertTransaction(db.pool, { account, amountCentavos: 100n, rail });
        const other = await insertTransaction(db.pool, { account, amountCentavos: 100n, rail: beside });
        const book = (pool = db.pool) => chargeChanges(pool)[first](one.id, { endToEndId });
        const bookAgain = () =>
          charges[second](other.id, { endToEndId }).catch((error: { code: string }) => error.code);
        if (!atOnce) await book();
        expect(await (atOnce ? askDuring(db.pool, book, bookAgain) : bookAgain())).toBe(rail === RAIL ? code : 'TR004');
        expect(await charges.look(other.id)).toMatchObject({ status: 'pending', transfers: [], reviews: 0 });
      }
    }
    await expectSound(db.pool);
  },
);

test.each(['pay', 'review'] as const)(
  'a payment is booked with its charge (%s) though credentials of another account name it, or a payout was it',
  async (book) => {
    const stranger = await openTestAccount(db.pool, 'live');
    const theirs = await connectOwn(db.pool, stranger);
    for (const rail of [RAIL, await connectOwn(db.pool, account)]) {
      for (const named of ['pay', 'review', 'payout'] as const) {
        const endToEndId = newEndToEndId();
        let payout: string | null = null;
        if (named === 'payout') {
          payout = (await insertTransaction(db.pool, { account, type: 'pix_out', amountCentavos: 100n, rail })).id;
          await db.pool.query('UPDATE transactions SET end_to_end_id = $2 WHERE id = $1', [payout, endToEndId]);
        } else {
          const { id } = await insertTransaction(db.pool, { account: stranger, amountCentavos: 100n, rail: theirs });
          await charges[named](id, { endToEndId });
        }
        const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n, rail });
        expect([rail, named, await charges[book](id, { endToEndId })]).toEqual([rail, named, 'pending']);
        expect((await charges.look(id)).transfers).toHaveLength(1);
        if (payout) await remove(payout);
      }
    }
  },
);

test('further payments of a charge in review each go to suspense once, with one event each', async () => {
  const id = await newCharge();
  const second = newEndToEndId();
  await charges.review(id);
  await atOnce(() => charges.review(id, { from: 'review', endToEndId: second }));
  expect(await charges.look(id)).toMatchObject({
    transfers: ['suspense', 'suspense'],
    events: ['pix_in.review', 'pix_in.review'],
    reviews: 2,
  });
  await expectSound(db.pool);
});

/** One that holds no money, as the books do not allow. */
const remove = (id: string) => db.pool.query('DELETE FROM transactions WHERE id = $1', [id]);

async function newCharge(callbackUrl: string | null = CALLBACK_URL): Promise<string> {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n, callbackUrl });
  return id;
}

/** In full. */
async function refund(id: string): Promise<void> {
  const all = newRefund({ id }, 100n);
  await refundChanges(db.pool).request(all);
  await refundChanges(db.pool).finish(all.id, true);
}

const atOnce = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, work));

async function eventOf(transactionId: string): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM events WHERE transaction_id = $1', [
    transactionId,
  ]);
  return rows[0]?.id ?? '';
}

/** The statuses of the deliveries of its events. */
async function statusesOf(transactionId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ status: string }>(
    'SELECT d.status FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.transaction_id = $1',
    [transactionId],
  );
  return rows.map(({ status }) => status);
}
