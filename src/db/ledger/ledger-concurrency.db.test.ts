import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import {
  fund,
  insertTransaction,
  markPaid,
  NOW,
  openTestAccount,
  type TestAccount,
  writeRowsOfPostings,
} from '../testing/ledger-fixture.ts';
import { deadlocks, expectSound } from '../testing/ledger-state.ts';
import { isInsufficientFunds, post, postPart, postPartEnd } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findBalances } from './ledger.ts';

/** As many sessions at once: every one is a real connection, so that the locks are real. */
const CONNECTIONS = 50;

/** Rounds of two that race: enough that both of them win some. */
const RACES = 20;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: CONNECTIONS });
  await openAllConnections();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('50 withdrawals at once never overdraw an account: what the balance is good for succeeds, the rest is rejected', async () => {
  const account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 2_059n);
  // 100 and a fee of 2: 20 of them leave 19.
  const withdrawals = await inserted(CONNECTIONS, () =>
    insertTransaction(db.pool, { account, type: 'pix_out', amountCentavos: 100n, feeCentavos: 2n }),
  );
  const outcomes = await Promise.allSettled(
    withdrawals.map(({ id }) => post(db.pool, 'withdrawal_requested', id, NOW)),
  );
  expect(outcomes.filter((o) => o.status === 'fulfilled' && o.value)).toHaveLength(20);
  expect(outcomes.filter((o) => o.status === 'rejected' && isInsufficientFunds(o.reason))).toHaveLength(30);
  expect(await balances(account)).toEqual({ available: 19n, pending: 0n, blocked: 2_040n });
  await writeRowsOfPostings(db.pool);
  await expectSound(db.pool);
});

test('100 splits at once in both directions between two accounts all go through: no deadlock', async () => {
  const [a, b] = [await openTestAccount(db.pool, 'live'), await openTestAccount(db.pool, 'live')];
  const deadlocksBefore = await deadlocks(db.pool);
  const charges = await inserted(2 * CONNECTIONS, (n) => {
    const [account, receiver] = n % 2 === 0 ? [a, b] : [b, a];
    return insertTransaction(db.pool, {
      account,
      amountCentavos: 10n,
      feeCentavos: 1n,
      split: { account: receiver, centavos: 4n },
    });
  });
  const posted = await Promise.all(charges.map(({ id }) => postCharge(id)));
  expect(posted.filter(Boolean)).toHaveLength(100);
  expect(await deadlocks(db.pool)).toBe(deadlocksBefore);
  // 50 of its own at 5, 50 of the other's at 4.
  expect(await balances(a)).toEqual({ available: 450n, pending: 0n, blocked: 0n });
  expect(await balances(b)).toEqual({ available: 450n, pending: 0n, blocked: 0n });
  await writeRowsOfPostings(db.pool);
  await expectSound(db.pool);
});

test('one posting from 50 sessions at once is made once', async () => {
  const account = await openTestAccount(db.pool, 'test');
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  const posted = await Promise.all(atOnce(() => postCharge(id)));
  expect(posted.filter(Boolean)).toHaveLength(1);
  const part = { transactionId: id, reference: uuidv7(NOW), centavos: 30n, now: NOW };
  const held = await Promise.all(atOnce(() => postPart(db.pool, 'refund_requested', part)));
  expect(held.filter(Boolean)).toHaveLength(1);
  expect(await balances(account)).toEqual({ available: 70n, pending: 0n, blocked: 30n });
  const sent = await Promise.all(atOnce(() => postPartEnd(db.pool, 'refund_completed', part)));
  expect(sent.filter(Boolean)).toHaveLength(1);
  expect(await balances(account)).toEqual({ available: 70n, pending: 0n, blocked: 0n });
  await writeRowsOfPostings(db.pool);
  await expectSound(db.pool);
});

test.each(['withdrawal', 'refund'] as const)(
  'a %s that completes and fails at once does one of both, never both, never neither',
  async (what) => {
    const account = await openTestAccount(db.pool, 'live');
    const charge = await fund(db.pool, account, BigInt(RACES) * 10n);
    const held = await inserted(RACES, async () =>
      what === 'refund'
        ? { id: charge.id, reference: uuidv7(NOW) }
        : insertTransaction(db.pool, { account, type: 'pix_out', amountCentavos: 10n }),
    );
    let completed = 0n;
    for (const one of held) {
      const ends = await endings(one);
      const [done, failed] = await Promise.allSettled([ends('completed'), ends('failed')]);
      const loser = done.status === 'rejected' ? done : failed;
      expect([done.status, failed.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect(loser).toMatchObject({ reason: { code: 'TR004' } });
      if (done.status === 'fulfilled') completed += 10n;
    }
    expect(await balances(account)).toEqual({
      available: BigInt(RACES) * 10n - completed,
      pending: 0n,
      blocked: 0n,
    });
    await writeRowsOfPostings(db.pool);
    await expectSound(db.pool);
  },
);

test('refunds and disputes of one charge at once never give back more than was paid', async () => {
  const account = await openTestAccount(db.pool, 'live');
  const charge = await fund(db.pool, account, 100n);
  await fund(db.pool, account, 10_000n);
  const outcomes = await Promise.allSettled(
    Array.from({ length: CONNECTIONS }, (_, n) =>
      postPart(db.pool, n % 2 === 0 ? 'refund_requested' : 'dispute', {
        transactionId: charge.id,
        reference: uuidv7(NOW),
        centavos: 30n,
        now: NOW,
      }),
    ),
  );
  expect(outcomes.filter((o) => o.status === 'fulfilled' && o.value)).toHaveLength(3);
  expect(outcomes.filter((o) => o.status === 'rejected' && o.reason.code === 'TR005')).toHaveLength(CONNECTIONS - 3);
  expect((await balances(account)).available).toBe(10_010n);
  await writeRowsOfPostings(db.pool);
  await expectSound(db.pool);
});

/**
 * Holds the money of a withdrawal, or of a refund (which has a reference); gives the two ways in
 * which that ends.
 */
async function endings({ id, reference }: { id: string; reference?: string }) {
  if (reference === undefined) {
    await post(db.pool, 'withdrawal_requested', id, NOW);
    return (end: 'completed' | 'failed') => post(db.pool, `withdrawal_${end}`, id, NOW);
  }
  const part = { transactionId: id, reference, centavos: 10n, now: NOW };
  await postPart(db.pool, 'refund_requested', part);
  return (end: 'completed' | 'failed') => postPartEnd(db.pool, `refund_${end}`, part);
}

const atOnce = <T>(work: () => Promise<T>): Promise<T>[] => Array.from({ length: CONNECTIONS }, work);

async function openAllConnections(): Promise<void> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => db.pool.connect()));
  for (const client of clients) client.release();
  expect(db.pool.totalCount).toBe(CONNECTIONS);
}

const inserted = <T>(count: number, insert: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => insert(n)));

async function postCharge(id: string): Promise<boolean> {
  const posted = await post(db.pool, 'charge_paid', id, NOW);
  await markPaid(db.pool, id);
  return posted;
}

async function balances({ id }: TestAccount) {
  const found = await findBalances(db.pool, id);
  return {
    available: found?.availableCentavos,
    pending: found?.pendingCentavos,
    blocked: found?.blockedCentavos,
  };
}
