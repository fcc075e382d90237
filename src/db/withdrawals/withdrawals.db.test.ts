import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { answersOf } from '../testing/answers-of.ts';
import {
  fund,
  insertTransaction,
  markPaid,
  NOW,
  openTestAccount,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { deadlocks, expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { BY_DAY, newCryptoOut, newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { post } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { LimitPeriods, NewWithdrawal } from './withdrawals.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 16;
const AT_ONCE = 100;
const BY_NIGHT = {
  ...BY_DAY,
  night: { start: new Date('2026-11-21T05:00:00.000Z'), end: new Date('2026-11-21T13:00:00.000Z') },
};
const BEFORE_TODAY = new Date('2026-11-21T02:59:59.999Z');

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: CONNECTIONS });
  withdrawals = withdrawalChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

type Ceiling = {
  fundsCentavos: bigint;
  limits?: Record<string, bigint>;
  /** Of a hundred requests of 30 and a fee of 2. */
  answers: Record<string, number>;
};

/** Each is reached as far as whole requests go: one more would pass it. */
const CEILINGS: [name: string, ceiling: Ceiling][] = [
  ['balance', { fundsCentavos: 20n * 32n + 31n, answers: { requested: 20, insufficient_funds: 80 } }],
  [
    'daily limit',
    {
      fundsCentavos: 10_000n,
      limits: { daily_limit_out_pix: 33n * 30n, night_limit_out_pix: 1_000n },
      answers: { requested: 33, daily_limit: 67 },
    },
  ],
  [
    'night limit',
    {
      fundsCentavos: 10_000n,
      limits: { daily_limit_out_pix: 1_000n, night_limit_out_pix: 20n * 30n + 29n },
      answers: { requested: 20, night_limit: 80 },
    },
  ],
];

test.each(CEILINGS)(
  '100 withdrawals at once never pass the %s: up to it they are held, the rest is rejected',
  async (_, ceiling) => {
    const { answers, blocked } = await reach(db, ceiling);
    expect(answers).toEqual(ceiling.answers);
    expect(blocked).toBe(BigInt(ceiling.answers.requested ?? 0) * 32n);
    await expectSound(db.pool);
  },
);

describe('planted: a request that does not lock the balance', () => {
  let unlocked: TestDatabase;
  let planted: Database;
  beforeAll(async () => {
    unlocked = await createTestDatabase();
    planted = openDatabase(unlocked.ownerUrl, { max: CONNECTIONS });
    const { rows } = await planted.pool.query<{ sql: string }>(
      `SELECT pg_get_functiondef('withdrawal_request'::regproc) AS sql`,
    );
    const sql = rows[0]?.sql ?? '';
    // Between the decision and what it leads to there is time enough for others to decide.
    const write = 'INSERT INTO transactions SELECT';
    const without = sql.replace('FOR UPDATE', '').replace(write, `PERFORM pg_sleep(0.05); ${write}`);
    expect(without).toHaveLength(sql.length - 'FOR UPDATE'.length + 'PERFORM pg_sleep(0.05); '.length);
    await planted.pool.query(without);
  });
  afterAll(async () => {
    await planted.close();
    await unlocked.drop();
  });

  test.each(CEILINGS)('fails the test of the %s', async (_, ceiling) => {
    const { answers } = await reach(planted, ceiling);
    expect(answers).not.toEqual(ceiling.answers);
  });
});

test('each rail has its own daily limit', async () => {
  await fund(db.pool, account, 1_000n);
  await setLimits(db, account, { daily_limit_out_pix: 100n, daily_limit_out_crypto: 200n });
  expect(await withdrawals.request(newPixOut(account, { amountCentavos: 100n }))).toBe('requested');
  expect(await withdrawals.request(newCryptoOut(account, { amountCentavos: 200n, feeCentavos: 3n }))).toBe('requested');
  expect(await withdrawals.request(newPixOut(account, { amountCentavos: 1n }))).toBe('daily_limit');
  expect(await withdrawals.request(newCryptoOut(account, { amountCentavos: 1n }))).toBe('daily_limit');
  await expectSound(db.pool);
});

test('a limit of the account’s own is in place of the installation’s of that name alone, also one that says that there is none', async () => {
  await fund(db.pool, account, 1_000n);
  await db.pool.query(
    `INSERT INTO default_limits (name, centavos) VALUES ('daily_limit_out_pix', 10), ('night_limit_out_pix', 20)`,
  );
  try {
    const ask = (amountCentavos: bigint) => withdrawals.request(newPixOut(account, { amountCentavos }), BY_NIGHT);
    expect(await ask(11n)).toBe('daily_limit');
    await setLimits(db, account, { daily_limit_out_pix: 100n });
    expect([await ask(21n), await ask(20n)]).toEqual(['night_limit', 'requested']);
    await setLimits(db, account, { night_limit_out_pix: null });
    expect([await ask(81n), await ask(80n)]).toEqual(['daily_limit', 'requested']);
  } finally {
    await db.pool.query('DELETE FROM default_limits');
  }
});

test('a day’s limit counts what was asked for since the day began, and nothing that failed', async () => {
  await fund(db.pool, account, 1_000n);
  await setLimits(db, account, { daily_limit_out_pix: 100n });
  const yesterdays = newPixOut(account, { amountCentavos: 100n, now: BEFORE_TODAY });
  const midnights = newPixOut(account, { amountCentavos: 60n, now: BY_DAY.day.start });
  expect(await withdrawals.request(yesterdays)).toBe('requested');
  expect(await withdrawals.request(midnights)).toBe('requested');
  const another = () => withdrawals.request(newPixOut(account, { amountCentavos: 41n }));
  expect(await another()).toBe('daily_limit');
  await withdrawals.fail(midnights.id);
  expect(await another()).toBe('requested');
  expect(await another()).toBe('requested');
  expect(await another()).toBe('daily_limit');
});

test('a withdrawal that fails gives back what it used of the limits of its own day and rail alone', async () => {
  await fund(db.pool, account, 1_000n);
  await setLimits(db, account, { daily_limit_out_pix: 100n, daily_limit_out_crypto: 100n });
  const yesterdays = newPixOut(account, { amountCentavos: 100n, now: BEFORE_TODAY });
  const todays = newPixOut(account, { amountCentavos: 100n });
  expect(await withdrawals.request(yesterdays)).toBe('requested');
  expect(await withdrawals.request(todays)).toBe('requested');
  expect(await withdrawals.request(newCryptoOut(account, { amountCentavos: 100n }))).toBe('requested');
  const pix = (now = NOW) => withdrawals.request(newPixOut(account, { amountCentavos: 1n, now }));
  const crypto = () => withdrawals.request(newCryptoOut(account, { amountCentavos: 1n }));
  await withdrawals.fail(yesterdays.id);
  expect([await pix(), await crypto()]).toEqual(['daily_limit', 'daily_limit']);
  expect(await pix(BEFORE_TODAY)).toBe('requested');
  await withdrawals.fail(todays.id);
  expect([await pix(), await crypto()]).toEqual(['requested', 'daily_limit']);
  await expectSound(db.pool);
});

test('a withdrawal that failed and then proves to have been sent counts for the limit again', async () => {
  await fund(db.pool, account, 1_000n);
  await setLimits(db, account, { daily_limit_out_pix: 100n });
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 60n }));
  await withdrawals.fail(id);
  await withdrawals.review(id, { from: 'failed' });
  expect(await withdrawals.request(newPixOut(account, { amountCentavos: 41n }))).toBe('daily_limit');
});

test('of several reasons the daily limit is reported first, then the night’s, then the balance', async () => {
  await fund(db.pool, account, 10n);
  const ask = (periods: LimitPeriods = BY_NIGHT) =>
    withdrawals.request(newPixOut(account, { amountCentavos: 11n }), periods);
  await setLimits(db, account, { daily_limit_out_pix: 10n, night_limit_out_pix: 10n });
  expect(await ask()).toBe('daily_limit');
  await setLimits(db, account, { daily_limit_out_pix: 11n });
  expect(await ask()).toBe('night_limit');
  expect(await ask(BY_DAY)).toBe('insufficient_funds');
  await setLimits(db, account, { night_limit_out_pix: 11n });
  expect(await ask()).toBe('insufficient_funds');
  await fund(db.pool, account, 1n);
  expect(await ask()).toBe('requested');
});

test('a request that is rejected leaves nothing', async () => {
  await fund(db.pool, account, 10n);
  await expectUnchanged(db.pool, async () => {
    expect(await withdrawals.request(newPixOut(account, { amountCentavos: 10n, feeCentavos: 1n }))).toBe(
      'insufficient_funds',
    );
    await expect(withdrawals.request(newPixOut(account, { amountCentavos: 0n }))).rejects.toMatchObject({
      code: '23514',
    });
    const fee = newPixOut(account, { amountCentavos: 5n, feeCentavos: -1n });
    await expect(withdrawals.request(fee)).rejects.toMatchObject({ code: '23514' });
  });
});

test('one request made many times at once holds its money once, whatever is left', async () => {
  await fund(db.pool, account, 100n);
  const withdrawal = newPixOut(account, { amountCentavos: 99n, feeCentavos: 1n });
  expect(await answersOf(times(AT_ONCE, () => withdrawals.request(withdrawal)))).toEqual({ requested: 1, exists: 99 });
  expect(await balances()).toEqual({ available: 0n, blocked: 100n });
  expect(await withdrawals.look(withdrawal.id)).toEqual({
    status: 'pending',
    payoutStep: null,
    transfers: ['withdrawal_requested'],
    events: [],
    tasks: ['payout'],
  });
  await expectSound(db.pool);
});

test('withdrawals, their ends, refunds and splits of two accounts in all directions at once: all go through, no deadlock', async () => {
  const other = await openTestAccount(db.pool, 'live');
  const pairs = [
    [account, other],
    [other, account],
  ] as const;
  const before = await deadlocks(db.pool);
  const refunds = refundChanges(db.pool);
  const calls: (() => Promise<unknown>)[] = [];
  for (const [own, receiver] of pairs) {
    const paid = await fund(db.pool, own, 10_000n);
    const split = { account: receiver, centavos: 4n };
    for (let n = 0; n < 20; n++) {
      const charge = await insertTransaction(db.pool, { account: own, amountCentavos: 10n, feeCentavos: 1n, split });
      const open = await withdrawals.sent(newPixOut(own, { amountCentavos: 7n, feeCentavos: 1n }));
      calls.push(
        () => post(db.pool, 'charge_paid', charge.id, NOW).then(() => markPaid(db.pool, charge.id)),
        () => withdrawals.request(newPixOut(own, { amountCentavos: 5n })),
        () => (n % 2 === 0 ? withdrawals.complete(open) : withdrawals.fail(open)),
        () => refunds.request(newRefund(paid, 3n)),
      );
    }
  }
  await Promise.all(calls.map((call) => call()));
  expect(await deadlocks(db.pool)).toBe(before);
  // 20 credits of 5 and 20 of 4; 10 times 8 gone; 20 times 5 and 20 times 3 held.
  expect(await balances()).toEqual({ available: 10_000n + 180n - 80n - 160n, blocked: 160n });
  await expectSound(db.pool);
});

/**
 * Asks for a hundred withdrawals at once; returns the outcomes and what is blocked, in centavos.
 */
async function reach(on: Database, { fundsCentavos, limits = {} }: Ceiling) {
  const own = await openTestAccount(on.pool, 'live');
  await fund(on.pool, own, fundsCentavos);
  await setLimits(on, own, limits);
  const { request } = withdrawalChanges(on.pool);
  const wanted = Array.from({ length: AT_ONCE }, () => newPixOut(own, { amountCentavos: 30n, feeCentavos: 2n }));
  const answers = await answersOf(wanted.map((withdrawal: NewWithdrawal) => request(withdrawal, BY_NIGHT)));
  return { answers, blocked: (await findBalances(on.pool, own.id))?.blockedCentavos };
}

async function setLimits(on: Database, { id }: TestAccount, limits: Record<string, bigint | null>): Promise<void> {
  for (const [name, centavos] of Object.entries(limits)) {
    await on.pool.query(
      `INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, name) DO UPDATE SET centavos = excluded.centavos`,
      [id, name, centavos],
    );
  }
}

async function balances() {
  const found = await findBalances(db.pool, account.id);
  return { available: found?.availableCentavos, blocked: found?.blockedCentavos };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);
