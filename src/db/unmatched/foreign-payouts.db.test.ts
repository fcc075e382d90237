import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { findReview } from '../reviews/reviews.ts';
import { askDuring } from '../testing/ask-during.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import {
  connectOwn,
  fundOver,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  chargeForeignPayout,
  type ForeignPayoutOutcome,
  findForeignPayout,
  recordForeignPayout,
  writeOffForeignPayout,
} from './foreign-payouts.ts';

/**
 * A withdrawal is completed by a payment that its PSP had listed before, over earlier credentials
 * of the same account: so after a restore.
 */

let database: TestDatabase;
let db: Database;
let account: TestAccount;
/** Its credentials, of which the second are in place of the first. */
let earlier: string;
let rail: string;
let payout: { id: string; endToEndId: string };
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
  withdrawals = withdrawalChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  earlier = await connectOwn(db.pool, account);
  rail = await connectOwn(db.pool, account);
  payout = { id: uuidv7(NOW), endToEndId: newEndToEndId() };
  await fundOver(db.pool, account, rail, 200n);
  expect(await record(earlier, payout)).toBe(true);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const record = (rail: string, listed: { id: string; endToEndId: string }, pool = db.pool) =>
  recordForeignPayout(pool, {
    ...{ ...listed, rail, mode: 'live', accountId: rail === RAIL ? null : account.id, centavos: 60n },
    ...{ sentAt: NOW, createdAt: NOW },
  });
const BY = { name: 'ana', memberId: null, ipAddress: null, userAgent: null };
const decision = () => ({ id: payout.id, reason: 'known', by: BY, now: NOW });
const sent = (amountCentavos = 60n) => withdrawals.sent({ ...newPixOut(account, { amountCentavos }), rail });
const charge = (id = payout.id): Promise<ForeignPayoutOutcome> => {
  const event = { eventId: uuidv7(NOW), eventType: 'pix_out.paid', eventBody: '{}' };
  return chargeForeignPayout(db.pool, {
    ...decision(),
    ...event,
    id,
    transactionId: uuidv7(NOW),
    toAccountId: account.id,
  });
};

test('a payment is listed and settles its withdrawal though credentials of another account name it', async () => {
  const theirs = await connectOwn(db.pool, await openTestAccount(db.pool, 'live'));
  const named = async (endToEndId = newEndToEndId()) => {
    const listed = { id: uuidv7(NOW), endToEndId };
    expect(await record(theirs, listed)).toBe(true);
    return listed;
  };
  await named(payout.endToEndId);
  const [done, failed] = [await named(), await named()];
  await withdrawals.complete(await sent(), { endToEndId: done.endToEndId });
  const reviewId = uuidv7(NOW);
  const id = await sent();
  await withdrawals.fail(id);
  await withdrawals.review(id, { from: 'failed', endToEndId: failed.endToEndId, eventId: reviewId });
  for (const listed of [done, failed])
    expect(await findForeignPayout(db.pool, listed.id)).toMatchObject({ state: 'open' });
  const { rows } = await db.pool.query('SELECT foreign_payout_id AS named FROM reviews WHERE id = $1', [reviewId]);
  expect(rows).toEqual([{ named: null }]);
  const [settled, endToEndId] = [await sent(), newEndToEndId()];
  await withdrawals.complete(settled, { endToEndId });
  await named(endToEndId);
  await expectSound(db.pool);
});

/** What the platform has of each kind, in centavos. */
async function platform(): Promise<Record<string, bigint>> {
  const { rows } = await db.pool.query<{ kind: string; centavos: bigint }>(
    `SELECT a.kind::text, sum(e.amount_centavos)::bigint AS centavos
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE a.account_id IS NULL AND a.mode = 'live' GROUP BY a.kind`,
  );
  return Object.fromEntries(rows.map(({ kind, centavos }) => [kind, centavos]));
}

test.each([
  ['a sweep lists twice', () => [RAIL, RAIL]],
  ['a PSP lists over two credentials of an account', () => [earlier, rail]],
] as const)('money sent at the bank that %s at once is booked once', async (_, rails) => {
  const [first = '', second = ''] = rails();
  const [endToEndId, before] = [newEndToEndId(), await platform()];
  const isBooked = await askDuring(
    db.pool,
    (session) => record(first, { id: uuidv7(NOW), endToEndId }, session),
    () => record(second, { id: uuidv7(NOW), endToEndId }),
  );
  expect(isBooked).toBe(false);
  expect(await platform()).toMatchObject({ suspense: (before.suspense ?? 0n) - 60n });
  await expectSound(db.pool);
});

test('a withdrawal that is completed by a payment which waits takes it out of suspense, and decides about it', async () => {
  const before = await platform();
  const id = await sent();
  expect(await withdrawals.complete(id, { endToEndId: payout.endToEndId })).toBe('pending');
  expect(await findForeignPayout(db.pool, payout.id)).toMatchObject({ state: 'charged', transactionId: id });
  expect(await platform()).toEqual({ ...before, suspense: (before.suspense ?? 0n) + 60n });
  expect(await charge()).toBe('decided');
  await expectSound(db.pool);
});

test('a payment with which an operator charges an account while its withdrawal is completed by it is booked once, without a deadlock', async () => {
  const endToEndId = newEndToEndId();
  const [id, listed] = [await sent(), { id: uuidv7(NOW), endToEndId }];
  expect(await record(rail, listed)).toBe(true);
  const { charging, completing } = await withTransaction(db.pool, async (client) => {
    await client.query('SELECT FROM foreign_payouts WHERE id = $1 FOR UPDATE', [listed.id]);
    const charging = charge(listed.id);
    await expect.poll(() => countLockWaits(db.pool)).toBe(1);
    const completing = withdrawals.complete(id, { endToEndId }).catch((error) => error);
    await expect.poll(() => countLockWaits(db.pool)).toBe(2);
    return { charging, completing };
  });
  expect(await charging).toBe('charged');
  expect(await completing).toMatchObject({ code: '23505' });
  await expectSound(db.pool);
});

test('a withdrawal that is completed by a payment which was written off gives the loss back, and leaves the settlement alone', async () => {
  expect(await writeOffForeignPayout(db.pool, decision())).toBe('written_off');
  const before = await platform();
  expect(await withdrawals.complete(await sent(), { endToEndId: payout.endToEndId })).toBe('pending');
  expect(await platform()).toEqual({ ...before, write_offs: (before.write_offs ?? 0n) + 60n });
  await expectSound(db.pool);
});

test.each([
  ['pending', 'complete'],
  ['failed', 'review'],
] as const)(
  'a payment that is listed while its %s withdrawal learns of it (%s) is in the books once',
  async (from, learn) => {
    const begun = async () => {
      const id = await sent();
      if (from === 'failed') await withdrawals.fail(id);
      return { id, reviewId: uuidv7(NOW), listed: { id: uuidv7(NOW), endToEndId: newEndToEndId() } };
    };
    const end = ({ id, reviewId, listed }: Awaited<ReturnType<typeof begun>>, pool = db.pool) =>
      withdrawalChanges(pool)[learn](id, { from, endToEndId: listed.endToEndId, eventId: reviewId });
    const first = await begun();
    const isBooked = await askDuring(
      db.pool,
      (session) => end(first, session),
      () => record(rail, first.listed),
    );
    expect(isBooked).toBe(false);

    const second = await begun();
    const before = await askDuring(
      db.pool,
      (session) => record(rail, second.listed, session),
      () => end(second),
    );
    expect(before).toBe(from);
    expect(await findForeignPayout(db.pool, second.listed.id)).toMatchObject(
      learn === 'complete' ? { state: 'charged', transactionId: second.id } : { state: 'open' },
    );
    if (learn === 'review') expect(await findReview(db.pool, second.reviewId)).toMatchObject({ foreignState: 'open' });
    await expectSound(db.pool);
  },
);

test('a withdrawal takes no payment of another amount, and none over credentials of others, for its own', async () => {
  const installation = { id: uuidv7(NOW), endToEndId: newEndToEndId() };
  expect(await record(RAIL, installation)).toBe(true);
  const before = await platform();
  expect(await withdrawals.complete(await sent(59n), { endToEndId: payout.endToEndId })).toBe('pending');
  expect(await withdrawals.complete(await sent(60n), { endToEndId: installation.endToEndId })).toBe('pending');
  expect(await platform()).toEqual({ ...before, pix_settlement: (before.pix_settlement ?? 0n) + 119n });

  const reviewed = async (centavos: bigint, endToEndId: string) => {
    const [id, eventId] = [await sent(centavos), uuidv7(NOW)];
    await withdrawals.fail(id);
    expect(await withdrawals.review(id, { from: 'failed', endToEndId, eventId })).toBe('failed');
    return (await findReview(db.pool, eventId))?.foreignState;
  };
  const listedOver = async (rail: string) => {
    const listed = { id: uuidv7(NOW), endToEndId: newEndToEndId() };
    expect(await record(rail, listed)).toBe(true);
    return listed.endToEndId;
  };
  expect(await reviewed(60n, await listedOver(earlier))).toBe('open');
  expect(await reviewed(60n, await listedOver(RAIL))).toBeNull();
  expect(await reviewed(59n, await listedOver(earlier))).toBeNull();
  await expectSound(db.pool);
});

test('a withdrawal is not completed by a payment which its account was charged for over other credentials', async () => {
  expect(await charge()).toBe('charged');
  const id = await sent();
  await expectUnchanged(db.pool, () =>
    expect(withdrawals.complete(id, { endToEndId: payout.endToEndId })).rejects.toMatchObject({ code: '23505' }),
  );
  await expectSound(db.pool);
});
