import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { recordForeignRefund } from '../refunds/foreign-refunds.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import {
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { expectSound } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { creditReview, writeOffReview } from './reviews.ts';

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

async function pay(id: string, from: 'pending' | 'review' = 'pending') {
  const payment = { reviewId: uuidv7(NOW), endToEndId: newEndToEndId() };
  await chargeChanges(db.pool).review(id, { ...payment, from, receivedCentavos: 99n });
  return payment;
}

const decision = (id: string) => ({
  ...{ id, leftCentavos: 99n, reason: 'Agreed on the phone.', now: NOW },
  by: { name: 'Ana', memberId: null, ipAddress: null, userAgent: null },
});
const credit = (db: pg.Pool, reviewId: string) =>
  creditReview(db, {
    ...decision(reviewId),
    ...{ from: 'review', feeCentavos: 0n, deposit: null, split: null, eventId: uuidv7(NOW), eventBody: '{}' },
  });
const writeOff = (db: pg.Pool, reviewId: string) => writeOffReview(db, decision(reviewId));

test.each([
  ['credited', credit],
  ['written off', writeOff],
])(
  'money in review that is %s leaves suspense once, though its payer gets it back at the same moment',
  async (_, decide) => {
    const { reviewId, endToEndId } = await reviewed();
    const refund = {
      ...{ id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: 'D1' },
      ...{ kind: 'made_at_bank' as const, centavos: 99n },
    };
    const booked = await withTransaction(db.pool, async (client) => {
      await decide(client as unknown as pg.Pool, reviewId);
      const booking = recordForeignRefund(db.pool, refund, null, NOW);
      await expect.poll(waitsForLock).toBe(true);
      return { booking };
    });
    expect(await booked.booking).toBe('changed');
    await expectSound(db.pool);
  },
);

test('a charge whose first payment was written off is credited with its second', async () => {
  const { id, reviewId } = await reviewed();
  const second = await pay(id, 'review');
  expect(await writeOff(db.pool, reviewId)).toBe('written_off');
  expect(await credit(db.pool, second.reviewId)).toBe('credited');
  expect(await chargeChanges(db.pool).look(id)).toMatchObject({ status: 'paid', available: 99n });
  await expectSound(db.pool);
});

async function waitsForLock(): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount === 1;
}
