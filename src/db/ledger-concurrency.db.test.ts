import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { findBalances, isInsufficientFunds, post, postPart } from './ledger.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { fund, insertTransaction, markPaid, NOW, openTestAccount, type TestAccount } from './testing/ledger-fixture.ts';
import { expectSound } from './testing/ledger-state.ts';

/** As many sessions at once: every one is a real connection, so that the locks are real. */
const CONNECTIONS = 50;

/** Rounds of two that race: enough that both of them win some. */
const RACES = 20;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
  await openAllConnections();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('50 withdrawals at once never overdraw an account: what the balance is good for succeeds, the rest is refused', async () => {
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
  await expectSound(db.pool);
});

test('100 splits at once in both directions between two accounts all go through: no deadlock', async () => {
  const [a, b] = [await openTestAccount(db.pool, 'live'), await openTestAccount(db.pool, 'live')];
  const deadlocksBefore = await deadlocks();
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
  expect(await deadlocks()).toBe(deadlocksBefore);
  // 50 of its own at 5, 50 of the other's at 4.
  expect(await balances(a)).toEqual({ available: 450n, pending: 0n, blocked: 0n });
  expect(await balances(b)).toEqual({ available: 450n, pending: 0n, blocked: 0n });
  await expectSound(db.pool);
});

test('one posting from 50 sessions at once is made once', async () => {
  const account = await openTestAccount(db.pool, 'test');
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  const posted = await Promise.all(Array.from({ length: CONNECTIONS }, () => postCharge(id)));
  expect(posted.filter(Boolean)).toHaveLength(1);
  const part = { transactionId: id, reference: 'refund-1', centavos: 30n, now: NOW };
  const refunded = await Promise.all(Array.from({ length: CONNECTIONS }, () => postPart(db.pool, 'refund', part)));
  expect(refunded.filter(Boolean)).toHaveLength(1);
  expect(await balances(account)).toEqual({ available: 70n, pending: 0n, blocked: 0n });
  await expectSound(db.pool);
});

test('a withdrawal that completes and fails at once does one of both, never both, never neither', async () => {
  const account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, BigInt(RACES) * 10n);
  const withdrawals = await inserted(RACES, () =>
    insertTransaction(db.pool, { account, type: 'pix_out', amountCentavos: 10n }),
  );
  let completed = 0n;
  for (const { id } of withdrawals) {
    await post(db.pool, 'withdrawal_requested', id, NOW);
    const [done, failed] = await Promise.allSettled([
      post(db.pool, 'withdrawal_completed', id, NOW),
      post(db.pool, 'withdrawal_failed', id, NOW),
    ]);
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
  await expectSound(db.pool);
});

test('refunds and disputes of one charge at once never give back more than was paid', async () => {
  const account = await openTestAccount(db.pool, 'live');
  const charge = await fund(db.pool, account, 100n);
  await fund(db.pool, account, 10_000n);
  const outcomes = await Promise.allSettled(
    Array.from({ length: CONNECTIONS }, (_, n) =>
      postPart(db.pool, n % 2 === 0 ? 'refund' : 'dispute', {
        transactionId: charge.id,
        reference: String(n),
        centavos: 30n,
        now: NOW,
      }),
    ),
  );
  expect(outcomes.filter((o) => o.status === 'fulfilled' && o.value)).toHaveLength(3);
  expect(outcomes.filter((o) => o.status === 'rejected' && o.reason.code === 'TR005')).toHaveLength(CONNECTIONS - 3);
  expect((await balances(account)).available).toBe(10_010n);
  await expectSound(db.pool);
});

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

async function deadlocks(): Promise<bigint | undefined> {
  const { rows } = await db.pool.query<{ deadlocks: bigint }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks;
}
