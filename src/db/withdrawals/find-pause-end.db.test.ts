import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { failBlockedRefund, requestRefund, startRefund } from '../refunds/refunds.ts';
import { addMemberOf } from '../testing/add-member.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import { fund, NO_MERCHANT_COLUMNS, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { BY_DAY, newCryptoOut, newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { MoneyOutAsker } from './find-pause-end.ts';
import { failBlockedPayout, markPayoutUnknown } from './payouts.ts';
import { findWithdrawal, requestWithdrawal } from './withdrawals.ts';

const LATER = new Date('2026-11-21T12:10:00.000Z');

let database: TestDatabase;
let db: Database;
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
  withdrawals = withdrawalChanges(db.pool);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('an account that may not send money', () => {
  const stops = [
    ['was suspended', `UPDATE accounts SET suspended_at = '2026-11-21T12:00:00Z' WHERE id = $1`],
    [
      'was rejected',
      `UPDATE merchants SET kyc_status = 'rejected' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
    ],
  ] as const;

  test.each(stops)('because it %s gets its withdrawal and refund rejected, and nothing is held', async (_what, sql) => {
    const own = await openTestAccount(db.pool, 'live');
    const charge = await fund(db.pool, own, 10_000n);
    await db.pool.query(sql, [own.id]);
    const expected = sql.includes('suspended') ? 'suspended' : 'kyc';
    expect(await withdrawals.request(newPixOut(own, { amountCentavos: 100n }))).toBe(expected);
    expect(await withdrawals.request(newCryptoOut(own, { amountCentavos: 100n }))).toBe(expected);
    expect(await refundChanges(db.pool).request(newRefund(charge, 100n))).toBe(expected);
    expect(await findBalances(db.pool, own.id)).toMatchObject({ availableCentavos: 10_000n, blockedCentavos: 0n });
  });

  test.each(stops)(
    'because it %s starts no payout or refund that was not started, and its money comes back once',
    async (_what, sql) => {
      const own = await openTestAccount(db.pool, 'live');
      const charge = await fund(db.pool, own, 10_000n);
      const waiting = newPixOut(own, { amountCentavos: 100n });
      const started = newPixOut(own, { amountCentavos: 200n });
      const [refundWaiting, refundStarted] = [newRefund(charge, 300n), newRefund(charge, 400n)];
      const refunds = refundChanges(db.pool);
      for (const one of [waiting, started]) expect(await withdrawals.request(one)).toBe('requested');
      for (const one of [refundWaiting, refundStarted]) expect(await refunds.request(one)).toBe('requested');
      await withdrawals.start(started.id);
      await startRefund(db.pool, refundStarted.id, NOW);
      await db.pool.query(sql, [own.id]);

      expect(await withdrawals.start(waiting.id)).toBe('blocked');
      expect(await startRefund(db.pool, refundWaiting.id, NOW)).toBe('blocked');
      // What is on its way stays on its way.
      expect(await startRefund(db.pool, refundStarted.id, LATER)).toBe('started');
      const event = () => ({ now: LATER, eventId: uuidv7(NOW), eventType: 'pix_out.failed', eventBody: '{}' });
      const stop = (id: string) => failBlockedPayout(db.pool, { id, sentBefore: null, ...event() });
      expect(await Promise.all([stop(waiting.id), stop(waiting.id), stop(started.id)])).toEqual(
        expect.arrayContaining([true, false, false]),
      );
      const end = (id: string) => failBlockedRefund(db.pool, { id, refundedCentavos: 0n, ...event() });
      expect(await end(refundWaiting.id)).toBe(true);
      expect(await end(refundStarted.id)).toBe(false);
      expect(await findBalances(db.pool, own.id)).toMatchObject({ availableCentavos: 9_400n, blockedCentavos: 600n });
      expect(await findWithdrawal(db.pool, started.id)).toMatchObject({ status: 'pending', payoutStep: 'sending' });
      expect(await findWithdrawal(db.pool, waiting.id)).toMatchObject({
        status: 'failed',
        failureCode: 'account_stopped',
      });
    },
  );

  test('because its merchant is not verified yet may return money; a test account needs no verification', async () => {
    for (const mode of ['live', 'test'] as const) {
      const own = await openTestAccount(db.pool, mode);
      const charge = await fund(db.pool, own, 200n);
      const waiting = newPixOut(own, { amountCentavos: 50n });
      expect(await withdrawals.request(waiting)).toBe('requested');
      await db.pool.query(
        `UPDATE merchants SET kyc_status = 'pending' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
        [own.id],
      );
      const another = withdrawals.request(newPixOut(own, { amountCentavos: 50n }));
      expect([await another, await withdrawals.start(waiting.id)]).toEqual(
        mode === 'live' ? ['kyc', 'blocked'] : ['requested', 'started'],
      );
      expect(await refundChanges(db.pool).request(newRefund(charge, 50n))).toBe('requested');
    }
  });

  test('because it was suspended gets back what a process was sending when it died, unless that may be on its way', async () => {
    const own = await openTestAccount(db.pool, 'live');
    await fund(db.pool, own, 300n);
    const [died, unknown] = [newPixOut(own, { amountCentavos: 100n }), newPixOut(own, { amountCentavos: 200n })];
    for (const one of [died, unknown]) await withdrawals.sent(one);
    await markPayoutUnknown(db.pool, unknown.id, NOW);
    await db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [own.id, NOW]);
    expect(await withdrawals.start(died.id, NOW, LATER)).toBe('blocked');
    const stop = (id: string, sentBefore: Date) => {
      const event = { eventId: uuidv7(NOW), eventType: 'pix_out.failed', eventBody: '{}' };
      return failBlockedPayout(db.pool, { id, sentBefore, now: LATER, ...event });
    };
    expect([await stop(unknown.id, NOW), await stop(died.id, LATER)]).toEqual([false, false]);
    expect(await stop(died.id, NOW)).toBe(true);
    expect(await findBalances(db.pool, own.id)).toMatchObject({ availableCentavos: 100n, blockedCentavos: 200n });
  });

  test('loses nothing that was stopped once it may send again, and sends nothing twice', async () => {
    const own = await openTestAccount(db.pool, 'live');
    await fund(db.pool, own, 10_000n);
    const waiting = newPixOut(own, { amountCentavos: 100n });
    await withdrawals.request(waiting);
    await db.pool.query(`UPDATE accounts SET suspended_at = $2 WHERE id = $1`, [own.id, NOW]);
    expect(await withdrawals.start(waiting.id)).toBe('blocked');
    await db.pool.query(`UPDATE accounts SET suspended_at = NULL WHERE id = $1`, [own.id]);
    const event = { now: LATER, eventId: uuidv7(NOW), eventType: 'pix_out.failed', eventBody: '{}' };
    expect(await failBlockedPayout(db.pool, { id: waiting.id, sentBefore: null, ...event })).toBe(false);
    expect(await withdrawals.start(waiting.id)).toBe('started');
  });

  test('gets a withdrawal rejected that is asked for while its own rejection is being committed', async () => {
    const own = await openTestAccount(db.pool, 'live');
    await fund(db.pool, own, 10_000n);
    const client = await db.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(stops[1][1], [own.id]);
      const asked = withdrawals.request(newPixOut(own, { amountCentavos: 100n }));
      await waitingForLock();
      await client.query('COMMIT');
      expect(await asked).toBe('kyc');
    } finally {
      client.release();
    }
  });
});

test('a paused member, and a key that they made or rotated, send and give back no money; others of the account do', async () => {
  const own = await openTestAccount(db.pool, 'live');
  const charge = await fund(db.pool, own, 10_000n);
  const [paused, other] = [await addMemberOf(db.pool, own.id), await addMemberOf(db.pool, own.id)];
  await db.pool.query('UPDATE members SET withdrawals_blocked_until = $2 WHERE id = $1', [paused, LATER]);
  const outcomesOf = async (of: Partial<MoneyOutAsker>, now = NOW) => {
    const by = { keyId: null, memberId: null, ...of };
    const refund = { ...newRefund(charge, 100n), accountId: '', description: null, merchant: NO_MERCHANT_COLUMNS, now };
    return [
      await requestWithdrawal(db.pool, newPixOut(own, { amountCentavos: 100n, now }), BY_DAY, by),
      await requestWithdrawal(db.pool, newCryptoOut(own, { amountCentavos: 100n, now }), BY_DAY, by),
      await requestRefund(db.pool, refund, by),
    ];
  };
  const byPaused = [
    { memberId: paused },
    { keyId: await newKey(own, paused, other) },
    { keyId: await newKey(own, other, paused) },
  ];
  for (const by of byPaused) expect(await outcomesOf(by)).toEqual(['paused', 'paused', 'paused']);
  const byOthers = [{ memberId: other }, { keyId: await newKey(own, other, null) }, { keyId: await newKey(own) }];
  for (const by of byOthers) expect(await outcomesOf(by)).toEqual(['requested', 'requested', 'requested']);
  // At the instant at which it ends, the pause has ended.
  for (const by of byPaused) expect(await outcomesOf(by, LATER)).toEqual(['requested', 'requested', 'requested']);
});

async function newKey({ id: accountId }: TestAccount, createdBy?: string, rotatedBy?: string | null): Promise<string> {
  const id = uuidv7(NOW);
  await db.pool.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, created_at, created_by_id, rotated_by_id)
     VALUES ($1, $2, 'caixa', uuid_send($1), 'pgw', $3, $4, $5)`,
    [id, accountId, NOW, createdBy, rotatedBy],
  );
  return id;
}

/** Waits until one session of this database waits for another's lock. */
async function waitingForLock(): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if ((await countLockWaits(db.pool)) === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('No session waits for a lock.');
}
