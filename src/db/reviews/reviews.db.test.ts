import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { recordForeignRefund } from '../refunds/foreign-refunds.ts';
import { finishPaymentReturn } from '../refunds/payment-returns.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import {
  fund,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { creditReview, findReview, resolvePayoutReview, returnReview, writeOffReview } from './reviews.ts';

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** A charge of one real that was paid by 99 centavos. */
async function reviewed() {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  return { id, ...(await pay(id)) };
}

async function pay(id: string, from: 'pending' | 'review' | 'paid' = 'pending') {
  const payment = { reviewId: uuidv7(NOW), endToEndId: newEndToEndId() };
  await chargeChanges(db.pool).review(id, { ...payment, from, receivedCentavos: 99n });
  return payment;
}

const decision = (id: string) => ({
  ...{ id, leftCentavos: 99n, reason: 'Agreed on the phone.', now: NOW },
  by: { name: 'Ana', memberId: null, ipAddress: null, userAgent: null },
});
const credit = (db: pg.Pool, reviewId: string, change: Partial<Parameters<typeof creditReview>[1]> = {}) =>
  creditReview(db, {
    ...decision(reviewId),
    ...{ from: 'review', feeCentavos: 0n, deposit: null, split: null, eventId: uuidv7(NOW), eventBody: '{}' },
    ...change,
  });
const writeOff = (db: pg.Pool, reviewId: string) => writeOffReview(db, decision(reviewId));

test.each([
  ['credited', credit, 'changed'],
  // What goes back is taken from what was written off.
  ['written off', writeOff, 'booked'],
])(
  'money in review that is %s leaves suspense once, though its payer gets it back at the same moment',
  async (_, decide, outcome) => {
    const { reviewId, endToEndId } = await reviewed();
    const refund = {
      ...{ id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: 'D1' },
      ...{ kind: 'made_at_bank' as const, centavos: 99n, at: NOW },
    };
    const booked = await withTransaction(db.pool, async (client) => {
      await decide(client as unknown as pg.Pool, reviewId);
      const booking = recordForeignRefund(db.pool, refund, null, NOW);
      await expect.poll(() => countLockWaits(db.pool)).toBe(1);
      return { booking };
    });
    expect(await booked.booking).toBe(outcome);
    await expectSound(db.pool);
  },
);

test('a payment in review is decided about once, by who sees how much of it is left', async () => {
  const { reviewId, endToEndId } = await reviewed();
  const decideAll = async (left: { leftCentavos?: bigint }) => [
    await credit(db.pool, reviewId, left),
    await returnReview(db.pool, { ...decision(reviewId), returnId: uuidv7(NOW), ...left }),
    await writeOffReview(db.pool, { ...decision(reviewId), ...left }),
  ];
  const decided = ['decided', 'decided', 'decided'];
  await expectUnchanged(db.pool, async () => expect(await decideAll({ leftCentavos: 98n })).toEqual(decided));
  const refund = { id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: `D${reviewId}`, at: NOW };
  const part = { ...refund, kind: 'made_at_bank' as const, centavos: 60n };
  expect(await recordForeignRefund(db.pool, part, null, NOW)).toBe('booked');
  await expectUnchanged(db.pool, async () => expect(await decideAll({})).toEqual(decided));
  const left = { leftCentavos: 39n };
  expect(await writeOffReview(db.pool, { ...decision(reviewId), ...left })).toBe('written_off');
  await expectUnchanged(db.pool, async () => expect(await decideAll(left)).toEqual(decided));
  await expectSound(db.pool);
});

test('a payment in review is credited with its charge, or by itself where that is paid, by who sees which', async () => {
  const deposit = { id: uuidv7(NOW), accountId: account.id, rail: RAIL, amountCentavos: 99n, feeCentavos: 0n };
  const first = await reviewed();
  await expectUnchanged(db.pool, async () => {
    for (const change of [{ from: 'pending' as const }, { deposit }])
      expect(await credit(db.pool, first.reviewId, change)).toBe('changed');
  });
  expect(await credit(db.pool, first.reviewId)).toBe('credited');
  const { reviewId } = await pay(first.id, 'paid');
  const other = await openTestAccount(db.pool, 'live');
  await expectUnchanged(db.pool, async () => {
    for (const change of [{}, { from: 'paid' as const }])
      expect(await credit(db.pool, reviewId, change)).toBe('changed');
    for (const wrong of [{ amountCentavos: 98n }, { accountId: other.id }, { rail: 'other' }]) {
      const change = { from: 'paid' as const, deposit: { ...deposit, ...wrong } };
      await expect(credit(db.pool, reviewId, change)).rejects.toMatchObject({ code: 'TR005' });
    }
  });
  expect(await credit(db.pool, reviewId, { from: 'paid', deposit })).toBe('credited');
  expect(await chargeChanges(db.pool).look(first.id)).toMatchObject({ status: 'paid', available: 198n });
  await expectSound(db.pool);
});

test('a charge in review is closed as cancelled alone, once nothing of it waits for a decision', async () => {
  const { id, reviewId } = await reviewed();
  const { close } = chargeChanges(db.pool);
  const rejected = (to: 'expired' | 'cancelled' | 'failed') =>
    expectUnchanged(db.pool, () => expect(close(id, { from: 'review', to })).rejects.toMatchObject({ code: 'TR004' }));
  await rejected('cancelled');
  expect(await writeOff(db.pool, reviewId)).toBe('written_off');
  for (const to of ['expired', 'failed'] as const) await rejected(to);
  expect(await close(id, { from: 'review', to: 'cancelled' })).toBe('review');
  await expectSound(db.pool);
});

test('a payment in review that is being written off is not credited', async () => {
  const { id, reviewId } = await reviewed();
  const outcome = await askDuring(
    db.pool,
    (session) => writeOff(session, reviewId),
    () => credit(db.pool, reviewId),
  );
  expect(outcome).toBe('decided');
  expect(await chargeChanges(db.pool).look(id)).toMatchObject({ status: 'review', available: 0n });
  await expectSound(db.pool);
});

test('what goes back of a payment in review beside its return is booked, and is written off where nothing is left of it', async () => {
  const inLedger = async (id: string) => {
    const { rows } = await db.pool.query<{ kind: string; centavos: bigint }>(
      `SELECT a.kind, sum(e.amount_centavos)::bigint AS centavos FROM ledger_transfers t
         JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
       WHERE t.transaction_id = $1 GROUP BY a.kind ORDER BY a.kind::text`,
      [id],
    );
    return rows.map(({ kind, centavos }) => [kind, centavos]);
  };
  const { id, reviewId, endToEndId } = await reviewed();
  const book = (refundId: string, centavos: bigint) =>
    recordForeignRefund(
      db.pool,
      {
        ...{ id: uuidv7(NOW), rail: RAIL, endToEndId, refundId, returnId: `D${refundId}${reviewId}` },
        ...{ kind: 'med_return' as const, centavos, at: NOW },
      },
      null,
      NOW,
    );
  const returnId = uuidv7(NOW);
  expect(await returnReview(db.pool, { ...decision(reviewId), returnId })).toBe('returning');
  expect(await book('R1', 60n)).toBe('booked');
  const end = { id: returnId, done: true, returnId: `D${returnId}`, now: NOW };
  expect(await finishPaymentReturn(db.pool, end)).toBe(true);
  expect(await findReview(db.pool, reviewId)).toMatchObject({ resolution: 'return', returnedCentavos: 159n });
  expect(await inLedger(id)).toEqual([
    ['pix_settlement', 60n],
    ['suspense', 0n],
    ['write_offs', -60n],
  ]);
  // The PSP lists another one, of a payment that is returned already.
  expect(await book('R2', 10n)).toBe('booked');
  expect(await book('R2', 10n)).toBe('known');
  expect(await inLedger(id)).toContainEqual(['write_offs', -70n]);
  await expectSound(db.pool);
});

test('a charge whose first payment was written off is credited with its second', async () => {
  const { id, reviewId } = await reviewed();
  const second = await pay(id, 'review');
  expect(await writeOff(db.pool, reviewId)).toBe('written_off');
  expect(await credit(db.pool, second.reviewId)).toBe('credited');
  expect(await chargeChanges(db.pool).look(id)).toMatchObject({ status: 'paid', available: 99n });
  await expectSound(db.pool);
});

/** A withdrawal of one real that was paid, and then called failed. */
async function contradicted() {
  await fund(db.pool, account, 1_000n);
  const withdrawals = withdrawalChanges(db.pool);
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 100n }));
  await withdrawals.complete(id);
  const reviewId = uuidv7(NOW);
  await withdrawals.review(id, { from: 'paid', eventId: reviewId });
  return { id, reviewId };
}

const resolve = (reviewId: string, resolution: 'credit' | 'recover' | 'dismiss' | 'write_off') =>
  resolvePayoutReview(db.pool, {
    ...decision(reviewId),
    ...{ resolution, failureCode: 'provider_refused' },
    ...{ eventId: uuidv7(NOW), eventType: 'pix_out.failed', eventBody: '{}' },
  });

test('a withdrawal is reviewed once for each way in which its end is contradicted', async () => {
  const { id, reviewId } = await contradicted();
  const { review } = withdrawalChanges(db.pool);
  expect(await resolve(reviewId, 'dismiss')).toBe('resolved');
  await expectUnchanged(db.pool, async () => expect(await review(id, { from: 'paid' })).toBeNull());
  expect(await review(id, { from: 'paid', failureCode: 'provider_says_returned' })).toBe('paid');
});

test('a withdrawal in review is decided about once, and as it ended', async () => {
  const { id, reviewId } = await contradicted();
  await expectUnchanged(db.pool, async () => expect(await resolve(reviewId, 'recover')).toBe('not_possible'));
  expect(await resolve(reviewId, 'credit')).toBe('resolved');
  expect(await withdrawalChanges(db.pool).look(id)).toMatchObject({ status: 'failed' });
  await expectUnchanged(db.pool, async () => {
    for (const again of ['credit', 'dismiss', 'write_off'] as const)
      expect(await resolve(reviewId, again)).toBe('decided');
  });
  await expectSound(db.pool);
});

test('the decision about a withdrawal and another withdrawal at once both go through: no deadlock', async () => {
  const { reviewId } = await contradicted();
  const { deciding, outcome } = await withTransaction(db.pool, async (client) => {
    // As the request below begins.
    await client.query("SELECT FROM ledger_accounts WHERE account_id = $1 AND kind = 'available' FOR UPDATE", [
      account.id,
    ]);
    const deciding = resolve(reviewId, 'credit');
    await expect.poll(() => countLockWaits(db.pool)).toBe(1);
    const request = newPixOut(account, { amountCentavos: 10n });
    return { deciding, outcome: await withdrawalChanges(client as unknown as pg.Pool).request(request) };
  });
  expect([outcome, await deciding]).toEqual(['requested', 'resolved']);
  await expectSound(db.pool);
});
