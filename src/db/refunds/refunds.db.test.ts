import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { findCharge } from '../charges/charges.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { answersOf } from '../testing/answers-of.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import {
  fund,
  fundOver,
  insertTransaction,
  markPaid,
  NOW,
  openTestAccount,
  RAIL,
  type TestAccount,
  type TestTransaction,
  writeDisputesOfPostings,
} from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { post, postPart } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { recordForeignRefund } from './foreign-refunds.ts';
import { failBlockedRefund, findRefund, findRefunds, finishRefund, startRefund } from './refunds.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 16;
const AT_ONCE = 20;
/** The largest bigint. */
const CENTAVOS_MAX = 2n ** 63n - 1n;

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let charge: TestTransaction;
let refunds: ReturnType<typeof refundChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: CONNECTIONS });
  refunds = refundChanges(db.pool);
});
/** Every test has a paid charge of 100. */
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  charge = await fund(db.pool, account, 100n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('20 partial refunds at once never pass the original: what fits is held, the rest is rejected', async () => {
  await fund(db.pool, account, 10_000n);
  const parts = Array.from({ length: AT_ONCE }, () => newRefund(charge, 30n));
  expect(await answersOf(parts.map((part) => refunds.request(part)))).toEqual({ requested: 3, exceeds: 17 });
  expect(await balances()).toEqual({ available: 10_010n, blocked: 90n });
  expect(await findRefunds(db.pool, charge.id)).toHaveLength(3);
  await expectSound(db.pool);
});

test('a refund is held from the balance there is: withdrawals and refunds at once never overdraw it', async () => {
  const withdrawals = withdrawalChanges(db.pool);
  const requests = Array.from({ length: AT_ONCE }, (_, n) =>
    n % 2 === 0
      ? refunds.request(newRefund(charge, 9n))
      : withdrawals.request(newPixOut(account, { amountCentavos: 9n })),
  );
  expect(await answersOf(requests)).toEqual({ requested: 11, insufficient_funds: 9 });
  expect(await balances()).toEqual({ available: 1n, blocked: 99n });
  await expectSound(db.pool);
});

test('one request made many times at once holds its money once, whatever is left', async () => {
  const refund = newRefund(charge, 100n);
  expect(await answersOf(atOnce(() => refunds.request(refund)))).toEqual({ requested: 1, exists: AT_ONCE - 1 });
  expect(await balances()).toEqual({ available: 0n, blocked: 100n });
  await refunds.finish(refund.id, true);
  expect(await refunds.request(refund)).toBe('exists');
  expect(await refunds.request({ ...refund, centavos: 1n })).toBe('exists');
  await expectSound(db.pool);
});

test('a refund that is done takes the money out, and the last part makes the charge refunded', async () => {
  const [first, last] = [newRefund(charge, 60n), newRefund(charge, 40n)];
  await refunds.request(first);
  await refunds.request(last);
  expect(await look(first.id)).toEqual({ transfers: ['refund_requested'], events: [], tasks: ['refund'] });
  expect(await refunds.finish(first.id, true)).toBe(true);
  expect(await findCharge(db.pool, charge.id)).toMatchObject({ status: 'paid', refundedCentavos: 60n });
  expect((await look(last.id)).tasks).toEqual(['refund']);
  expect(await refunds.finish(last.id, true)).toBe(true);
  expect(await findCharge(db.pool, charge.id)).toMatchObject({ status: 'refunded', refundedCentavos: 100n });
  expect(await look(first.id)).toEqual({
    transfers: ['refund_completed', 'refund_requested'],
    events: ['pix_in.refunded', 'pix_in.refunded'],
    tasks: [],
  });
  expect(await findRefund(db.pool, first.id)).toMatchObject({ status: 'completed', returnId: `D${first.id}` });
  expect(await balances()).toEqual({ available: 0n, blocked: 0n });
  expect(await refunds.request(newRefund(charge, 1n))).toBe('exceeds');
  await expectSound(db.pool);
});

test('a refund that failed gives the money back and does not count: the same amount can be refunded again', async () => {
  const refund = newRefund(charge, 100n);
  await refunds.request(refund);
  expect(await refunds.finish(refund.id, false)).toBe(true);
  expect(await look(refund.id)).toEqual({
    transfers: ['refund_failed', 'refund_requested'],
    events: ['pix_in.refund_failed'],
    tasks: [],
  });
  expect(await balances()).toEqual({ available: 100n, blocked: 0n });
  expect(await findCharge(db.pool, charge.id)).toMatchObject({ status: 'paid', refundedCentavos: 0n });
  expect(await refunds.request(newRefund(charge, 100n))).toBe('requested');
  await expectSound(db.pool);
});

test('a refund that is reported done and failed at once ends one way, and emits one event', async () => {
  let sent = 0n;
  for (let race = 0; race < 10; race++) {
    const refund = newRefund(charge, 10n);
    await refunds.request(refund);
    const finished = await Promise.all(atOnce((n) => refunds.finish(refund.id, n % 2 === 0)));
    expect(finished.filter(Boolean)).toHaveLength(1);
    const done = (await findRefund(db.pool, refund.id))?.status === 'completed';
    expect((await look(refund.id)).transfers).toEqual([`refund_${done ? 'completed' : 'failed'}`, 'refund_requested']);
    if (done) sent += 10n;
  }
  expect((await findCharge(db.pool, charge.id))?.refundedCentavos).toBe(sent);
  expect(await balances()).toEqual({ available: 100n - sent, blocked: 0n });
  await expectSound(db.pool);
});

test('a refund that is to be sent while it ends is not sent', async () => {
  const refund = newRefund(charge, 60n);
  await refunds.request(refund);
  const outcome = await askDuring(
    db.pool,
    (session) => refundChanges(session).finish(refund.id, false),
    () => startRefund(db.pool, refund.id, NOW),
  );
  expect(outcome).toBe('finished');
  expect(await findRefund(db.pool, refund.id)).toMatchObject({ status: 'failed', sentAt: null });
  await expectSound(db.pool);
});

test('partial refunds that are done at once are all counted', async () => {
  const parts = Array.from({ length: AT_ONCE }, () => newRefund(charge, 5n));
  for (const part of parts) await refunds.request(part);
  await Promise.all(parts.map((part) => refunds.finish(part.id, true)));
  expect(await findCharge(db.pool, charge.id)).toMatchObject({ status: 'refunded', refundedCentavos: 100n });
  await expectSound(db.pool);
});

test('refunds and disputes together never pass the original', async () => {
  await fund(db.pool, account, 1_000n);
  await postPart(db.pool, 'dispute', { transactionId: charge.id, reference: 'MED', centavos: 60n, now: NOW });
  expect(await refunds.request(newRefund(charge, 41n))).toBe('exceeds');
  expect(await refunds.request(newRefund(charge, 40n))).toBe('requested');
  await writeDisputesOfPostings(db.pool);
  await expectSound(db.pool);
  expect(await refunds.request(newRefund(charge, 1n))).toBe('disputed');
});

test('what the fee and the split took is given back from the account’s own balance', async () => {
  const split = { account: await openTestAccount(db.pool, 'live'), centavos: 30n };
  const divided = await insertTransaction(db.pool, { account, amountCentavos: 100n, feeCentavos: 5n, split });
  await post(db.pool, 'charge_paid', divided.id, NOW);
  await markPaid(db.pool, divided.id);
  expect(await refunds.request(newRefund(divided, 100n))).toBe('requested');
  expect(await balances()).toEqual({ available: 65n, blocked: 100n });
  expect((await findBalances(db.pool, split.account.id))?.availableCentavos).toBe(30n);
  await expectSound(db.pool);
});

test.each(['pending', 'expired', 'cancelled', 'failed', 'review'] as const)(
  'a charge that is %s has nothing to give back',
  async (status) => {
    const unpaid = await insertTransaction(db.pool, { account, amountCentavos: 100n });
    const changes = chargeChanges(db.pool);
    if (status === 'review') await changes.review(unpaid.id);
    else if (status !== 'pending') await changes.close(unpaid.id, { to: status });
    await expectUnchanged(db.pool, async () => {
      expect(await refunds.request(newRefund(unpaid, 1n))).toBe('not_paid');
    });
  },
);

test('a refund of nothing, of a negative amount, of more than there is or of no charge is rejected and leaves nothing', async () => {
  const withdrawal = newPixOut(account, { amountCentavos: 90n });
  await withdrawalChanges(db.pool).request(withdrawal);
  await expectUnchanged(db.pool, async () => {
    for (const centavos of [0n, -1n]) {
      await expect(refunds.request(newRefund(charge, centavos))).rejects.toMatchObject({
        constraint: 'refunds_centavos',
      });
    }
    await expect(refunds.request(newRefund(charge, null as never))).rejects.toMatchObject({ code: '23502' });
    for (const centavos of [101n, CENTAVOS_MAX]) {
      expect(await refunds.request(newRefund(charge, centavos))).toBe('exceeds');
    }
    expect(await refunds.request(newRefund(charge, 11n))).toBe('insufficient_funds');
    for (const id of [withdrawal.id, uuidv7(NOW)]) {
      await expect(refunds.request(newRefund({ id }, 1n))).rejects.toMatchObject({ code: 'TR003' });
    }
  });
});

test('a devolução that was made at the bank is booked by who has seen its charge as it is, once', async () => {
  const { id, endToEndId } = await fundOver(db.pool, account, RAIL, 100n);
  const refund = { id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: 'D1', centavos: 30n, at: NOW };
  const record = (seen: { id: string; refundedCentavos: bigint } | null) => {
    const event = { eventId: uuidv7(NOW), eventType: 'pix_in.refunded', eventBody: '{}' };
    return recordForeignRefund(db.pool, { ...refund, kind: 'made_at_bank' }, seen && { ...seen, ...event }, NOW);
  };
  await expectUnchanged(db.pool, async () => {
    for (const seen of [null, { id: charge.id, refundedCentavos: 0n }, { id, refundedCentavos: 1n }])
      expect(await record(seen)).toBe('changed');
  });
  expect(await record({ id, refundedCentavos: 0n })).toBe('booked');
  await expectUnchanged(db.pool, async () => expect(await record({ id, refundedCentavos: 30n })).toBe('known'));
  await expectSound(db.pool);
});

test('what goes back while a withdrawal takes the balance is owed, and what comes in pays that first', async () => {
  const account = await openTestAccount(db.pool, 'live');
  const { id, endToEndId } = await fundOver(db.pool, account, RAIL, 100n);
  const refund = {
    id: uuidv7(NOW),
    rail: RAIL,
    endToEndId,
    refundId: 'R1',
    returnId: `D${id}`,
    centavos: 70n,
    at: NOW,
  };
  const charged = { id, refundedCentavos: 0n, eventId: uuidv7(NOW), eventType: 'pix_in.refunded', eventBody: '{}' };
  const booked = await askDuring(
    db.pool,
    (session) => withdrawalChanges(session).request(newPixOut(account, { amountCentavos: 80n })),
    () => recordForeignRefund(db.pool, { ...refund, kind: 'med_return' }, charged, NOW),
  );
  expect(booked).toBe('booked');
  expect(await findBalances(db.pool, account.id)).toMatchObject({
    ...{ availableCentavos: 0n, blockedCentavos: 80n, owedCentavos: 50n },
  });
  await expectSound(db.pool);
  // Of what it receives then nothing is available until it owes nothing.
  for (const [centavos, owedCentavos, availableCentavos] of [
    [20n, 30n, 0n],
    [30n, 0n, 0n],
    [7n, 0n, 7n],
  ] as const) {
    await fund(db.pool, account, centavos);
    expect(await findBalances(db.pool, account.id)).toMatchObject({ owedCentavos, availableCentavos });
  }
  await expectSound(db.pool);
});

test('what the return mechanism takes beside a refund on its way is booked, whichever ends first, and what lacks is owed', async () => {
  for (const isRefundedFirst of [false, true]) {
    const account = await openTestAccount(db.pool, 'live');
    const { id, endToEndId } = await fundOver(db.pool, account, RAIL, 100n);
    const refund = newRefund({ id }, 60n);
    expect(await refunds.request(refund)).toBe('requested');
    const returned = {
      ...{ id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: `D${id}` },
      ...{ kind: 'med_return' as const, centavos: 70n, at: NOW },
    };
    const book = (refundedCentavos: bigint) =>
      recordForeignRefund(
        db.pool,
        returned,
        { id, refundedCentavos, eventId: uuidv7(NOW), eventType: 'pix_in.refunded', eventBody: '{}' },
        NOW,
      );
    if (isRefundedFirst) expect(await refunds.finish(refund.id, true)).toBe(true);
    expect(await book(isRefundedFirst ? 60n : 0n)).toBe('booked');
    if (!isRefundedFirst) expect(await refunds.finish(refund.id, true)).toBe(true);
    expect(await findCharge(db.pool, id)).toMatchObject({ status: 'refunded', refundedCentavos: 130n });
    expect(await findBalances(db.pool, account.id)).toMatchObject({
      ...{ availableCentavos: 0n, blockedCentavos: 0n, owedCentavos: 30n },
    });
    expect(await refunds.request(newRefund({ id }, 1n))).toBe('exceeds');
  }
  await expectSound(db.pool);
});

test('a refund is started once, and is asked for again until it has ended, whatever happens to its account', async () => {
  const later = new Date(NOW.getTime() + 60_000);
  const [first, second] = [newRefund(charge, 10n), newRefund(charge, 20n)];
  for (const refund of [first, second]) await refunds.request(refund);
  const stop = (id: string) => {
    const event = { eventId: uuidv7(NOW), eventType: 'pix_in.refund_failed', eventBody: '{}', now: NOW };
    return failBlockedRefund(db.pool, { ...event, id, refundedCentavos: 0n });
  };
  expect(await startRefund(db.pool, first.id, NOW)).toBe('started');
  expect(await stop(second.id), 'nothing is blocked').toBe(false);
  await db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account.id, NOW]);
  expect([await startRefund(db.pool, first.id, later), await stop(first.id)]).toEqual(['started', false]);
  expect(await findRefund(db.pool, first.id)).toMatchObject({ status: 'pending', sentAt: NOW });
  expect([await startRefund(db.pool, second.id, later), await stop(second.id)]).toEqual(['blocked', true]);
  expect(await findRefund(db.pool, second.id)).toMatchObject({ status: 'failed', sentAt: null });
  expect(await refunds.finish(first.id, true)).toBe(true);
  for (const { id } of [first, second]) expect(await startRefund(db.pool, id, later)).toBe('finished');
  await expectSound(db.pool);
});

test('a refund does not end with an event of before another one of its charge had ended', async () => {
  const [first, second] = [newRefund(charge, 10n), newRefund(charge, 20n)];
  for (const refund of [first, second]) await refunds.request(refund);
  expect(await refunds.finish(first.id, true)).toBe(true);
  const event = { eventId: uuidv7(NOW), eventType: 'pix_in.refunded', eventBody: '{}', now: NOW };
  await expectUnchanged(db.pool, async () => {
    const old = { ...event, id: second.id, refundedCentavos: 0n };
    for (const done of [true, false]) expect(await finishRefund(db.pool, { ...old, done, returnId: null })).toBeNull();
    expect(await failBlockedRefund(db.pool, old)).toBeNull();
  });
  expect(await refunds.finish(second.id, true)).toBe(true);
});

test('an error while a refund ends leaves nothing: neither status nor money nor event', async () => {
  const refund = newRefund(charge, 10n);
  await refunds.request(refund);
  const { rows } = await db.pool.query('SELECT id FROM events WHERE transaction_id = $1', [charge.id]);
  const event = { eventId: rows[0].id, eventType: 'pix_in.refunded', eventBody: '{}', refundedCentavos: 0n };
  await expectUnchanged(db.pool, async () => {
    for (const done of [true, false]) {
      const finish = finishRefund(db.pool, { id: refund.id, done, returnId: null, now: NOW, ...event });
      await expect(finish).rejects.toMatchObject({ code: '23505' });
    }
    await expect(refunds.finish(uuidv7(NOW), true)).rejects.toMatchObject({ code: 'P0002' });
  });
  expect(await refunds.finish(refund.id, true)).toBe(true);
});

/**
 * What a change of a refund touches, beside the refund and its charge; `events` are those of all
 * refunds of the charge.
 */
async function look(id: string) {
  const { rows } = await db.pool.query(
    `SELECT ARRAY(SELECT kind FROM ledger_transfers WHERE reference = $1::uuid::text ORDER BY kind) AS transfers,
      ARRAY(SELECT e.type FROM events e JOIN refunds f ON f.transaction_id = e.transaction_id
        WHERE f.id = $1 AND e.type LIKE '%refund%') AS events,
      ARRAY(SELECT kind FROM tasks WHERE subject_id = $1) AS tasks`,
    [id],
  );
  return rows[0];
}

async function balances() {
  const found = await findBalances(db.pool, account.id);
  return { available: found?.availableCentavos, blocked: found?.blockedCentavos };
}

const atOnce = <T>(work: (n: number) => Promise<T>): Promise<T>[] => Array.from({ length: AT_ONCE }, (_, n) => work(n));
