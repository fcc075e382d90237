import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { findBalances } from '../ledger/ledger.ts';
import { recordForeignRefund } from '../refunds/foreign-refunds.ts';
import {
  connectOwn,
  fund,
  fundOver,
  NOW,
  openTestAccount,
  RAIL,
  type TestAccount,
  type TestTransaction,
} from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { expectSound } from '../testing/ledger-state.ts';
import {
  BY_DAY,
  NO_ACTOR,
  newCryptoOut,
  newPixOut,
  PIX_DESTINATION,
  withdrawalChanges,
} from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { beginScheduledPayout, type PlannedPayout, schedulePayout } from './scheduled-payouts.ts';

/**
 * What came over credentials of an account's own is at their provider: no rail of the installation,
 * which holds other merchants' money, sends any of it.
 */

const DAY_MS = 86_400_000;

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let own: string;
let withdrawals: ReturnType<typeof withdrawalChanges>;
let refunds: ReturnType<typeof refundChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
  withdrawals = withdrawalChanges(db.pool);
  refunds = refundChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  own = await connectOwn(db.pool, account);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const fundOwn = (centavos: bigint, split: TestTransaction['split'] = null) =>
  fundOver(db.pool, account, own, centavos, split);

const request = (amountCentavos: bigint, rail = RAIL) =>
  withdrawals.request({ ...newPixOut(account, { amountCentavos, feeCentavos: 1n }), rail });

/** A payout of 100 centavos that is planned for now. */
function planned(rail: string, { reserve }: { reserve: boolean }) {
  const withdrawal = { ...newPixOut(account, { amountCentavos: 100n }), rail };
  return {
    withdrawal,
    receiver: null,
    number: 1,
    scheduledFor: NOW,
    beginsUntil: new Date(NOW.getTime() + DAY_MS),
    scheduleId: withdrawal.id,
    reserve,
    ifMissed: 'fail' as const,
    firstOn: '2026-11-21',
    repeat: null,
  };
}

async function plan(rail: string, how: { reserve: boolean }): Promise<string> {
  const payout = planned(rail, how);
  expect(await schedulePayout(db.pool, payout, NO_ACTOR, payout.beginsUntil, null)).toBe('scheduled');
  return payout.withdrawal.id;
}

async function begin(id: string, rail: string, next: PlannedPayout | null = null): Promise<string> {
  const today = { feeCentavos: 0n, periods: BY_DAY, destination: PIX_DESTINATION, next, now: NOW };
  return (await beginScheduledPayout(db.pool, { ...today, id, rail })).outcome;
}

const balanceOf = async ({ id }: TestAccount) => {
  const found = await findBalances(db.pool, id);
  return { available: found?.availableCentavos, own: found?.ownCentavos };
};

describe('the installation sends nothing of what came over credentials of an account’s own', () => {
  test('in a withdrawal by PIX or crypto: they send it themselves', async () => {
    await fundOwn(100n);
    await fund(db.pool, account, 40n);
    expect(await request(40n)).toBe('insufficient_funds');
    expect(await withdrawals.request(newCryptoOut(account, { amountCentavos: 41n }))).toBe('insufficient_funds');
    expect(await request(39n)).toBe('requested');
    expect(await request(1n)).toBe('insufficient_funds');
    expect(await balanceOf(account)).toEqual({ available: 100n, own: 100n });
    expect(await request(99n, own)).toBe('requested');
    expect(await balanceOf(account)).toEqual({ available: 0n, own: 0n });
    await expectSound(db.pool);
  });

  test('in the refund of a payment that it received itself', async () => {
    const charge = await fund(db.pool, account, 50n);
    const ownCharge = await fundOwn(50n);
    expect(await request(19n)).toBe('requested');
    expect(await refunds.request(newRefund(charge, 31n))).toBe('insufficient_funds');
    expect(await refunds.request(newRefund(charge, 30n))).toBe('requested');
    expect(await refunds.request(newRefund(ownCharge, 50n))).toBe('requested');
    expect(await balanceOf(account)).toEqual({ available: 0n, own: 0n });
    await expectSound(db.pool);
  });

  test('to whoever receives a part of it', async () => {
    const receiver = await openTestAccount(db.pool, 'live');
    await fundOwn(100n, { account: receiver, centavos: 30n });
    expect(await balanceOf(receiver)).toEqual({ available: 30n, own: 30n });
    const theirs = newPixOut(receiver, { amountCentavos: 1n });
    expect(await withdrawals.request(theirs)).toBe('insufficient_funds');
    await expectSound(db.pool);
  });

  test('in place of what it sent itself, once a payout has failed', async () => {
    await fund(db.pool, account, 40n);
    const payout = newPixOut(account, { amountCentavos: 40n });
    await withdrawals.request(payout);
    await fundOwn(100n);
    expect(await request(1n)).toBe('insufficient_funds');
    await withdrawals.fail(payout.id);
    expect(await request(40n)).toBe('insufficient_funds');
    expect(await request(39n)).toBe('requested');
    await expectSound(db.pool);
  });

  test('in a payout that held its money over them and begins over another rail', async () => {
    await fundOwn(100n);
    const payout = newPixOut(account, { amountCentavos: 60n });
    expect(await withdrawals.request({ ...payout, rail: own })).toBe('requested');
    expect(await balanceOf(account)).toEqual({ available: 40n, own: 40n });
    await db.pool.query('UPDATE transactions SET rail = $2 WHERE id = $1', [payout.id, RAIL]);
    expect(await balanceOf(account)).toEqual({ available: 40n, own: 100n });
    await expectSound(db.pool);
    await db.pool.query('UPDATE transactions SET rail = $2 WHERE id = $1', [payout.id, own]);
    expect(await balanceOf(account)).toEqual({ available: 40n, own: 40n });
    await expectSound(db.pool);
  });

  test.each([true, false])(
    'in a payout that was planned over them, once they are taken away (its money held before: %s)',
    async (reserve) => {
      await fundOwn(100n);
      const id = await plan(own, { reserve });
      expect(await begin(id, RAIL)).toBe('insufficient_funds');
      expect(await balanceOf(account)).toEqual({ available: reserve ? 0n : 100n, own: 100n });
      // What the installation received itself, it sends.
      await fund(db.pool, account, 100n);
      expect(await begin(id, RAIL)).toBe('requested');
      await expectSound(db.pool);
    },
  );

  test('in the next payout of a schedule, which holds its money as it is planned', async () => {
    await fundOwn(100n);
    const repeat = { every: 'week', count: 3, until: null } as const;
    for (const [rail, available] of [
      [RAIL, 100n],
      [own, 0n],
    ] as const) {
      await fund(db.pool, account, 100n);
      const id = await plan(RAIL, { reserve: true });
      const next = { ...planned(rail, { reserve: true }), number: 2, scheduleId: id, repeat };
      expect(await begin(id, RAIL, next)).toBe('requested');
      expect((await balanceOf(account)).available).toBe(available);
    }
    await expectSound(db.pool);
  });
});

test('credentials of an account’s own send no more than the account has, wherever that is', async () => {
  await fundOwn(100n);
  await fund(db.pool, account, 10n);
  expect(await request(110n, own)).toBe('insufficient_funds');
  expect(await request(109n, own)).toBe('requested');
  expect(await request(1n, own)).toBe('insufficient_funds');
  expect((await balanceOf(account)).available).toBe(0n);
  await expectSound(db.pool);
});

test('a payout that was planned over the installation begins over credentials that have its money', async () => {
  await fundOwn(100n);
  const id = await plan(RAIL, { reserve: false });
  expect(await begin(id, own)).toBe('requested');
  expect(await balanceOf(account)).toEqual({ available: 0n, own: 0n });
  await expectSound(db.pool);
});

test('a debt to the installation is not paid by what came over credentials of an account’s own', async () => {
  const charge = await fund(db.pool, account, 30n);
  expect(await request(29n)).toBe('requested');
  const { rows } = await db.pool.query<{ e2e: string }>('SELECT end_to_end_id AS e2e FROM transactions WHERE id = $1', [
    charge.id,
  ]);
  const foreign = {
    ...{ id: uuidv7(NOW), rail: RAIL, endToEndId: rows[0]?.e2e ?? '', refundId: 'R1', returnId: 'D1' },
    ...{ kind: 'made_at_bank' as const, centavos: 30n, at: NOW },
  };
  const event = { eventId: uuidv7(NOW), eventType: 'pix_in.refunded', eventBody: '{}' };
  const seen = { id: charge.id, refundedCentavos: 0n, ...event };
  expect(await recordForeignRefund(db.pool, foreign, seen, NOW)).toBe('booked');
  await fundOwn(50n);
  expect(await balanceOf(account)).toEqual({ available: 20n, own: 50n });
  await fund(db.pool, account, 30n);
  expect(await request(1n)).toBe('insufficient_funds');
  await fund(db.pool, account, 2n);
  expect(await request(1n)).toBe('requested');
  const ofOwn = (await checkLedger(db.pool)).discrepancies.filter(({ rule }) => rule.includes('own'));
  expect(ofOwn).toEqual([]);
});

describe('planted: a request that looks at the whole balance', () => {
  let careless: TestDatabase;
  beforeAll(async () => {
    careless = await createTestDatabase();
    const planted = openDatabase(careless.ownerUrl, { max: 1 });
    const { rows } = await planted.pool.query<{ sql: string }>(
      `SELECT pg_get_functiondef('withdrawal_request'::regproc) AS sql`,
    );
    const sql = rows[0]?.sql ?? '';
    const without = sql.replace('v_balance - v_own', 'v_balance');
    expect(without).toHaveLength(sql.length - ' - v_own'.length);
    await planted.pool.query(without);
    await planted.close();
  });
  afterAll(() => careless.drop());

  test('sends what is at another provider', async () => {
    const sound = db;
    db = openDatabase(careless.ownerUrl, { max: 4 });
    try {
      account = await openTestAccount(db.pool, 'live');
      own = await connectOwn(db.pool, account);
      await fundOwn(100n);
      const outcome = await withdrawalChanges(db.pool).request(newPixOut(account, { amountCentavos: 100n }));
      expect(outcome).toBe('requested');
    } finally {
      await db.close();
      db = sound;
    }
  });
});
