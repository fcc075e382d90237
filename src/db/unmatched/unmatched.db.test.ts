import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChargeStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { recordForeignRefund } from '../refunds/foreign-refunds.ts';
import { finishPaymentReturn } from '../refunds/payment-returns.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import {
  connectOwn,
  fund,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
} from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { assignUnmatched, depositUnmatched, findUnmatched, recordUnmatched, returnUnmatched } from './unmatched.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const record = (pool: pg.Pool, endToEndId: string, rail = RAIL, accountId: string | null = null) =>
  recordUnmatched(pool, {
    ...{ id: uuidv7(NOW), rail, mode: 'live', accountId, endToEndId, txid: null, centavos: 100n },
    ...{ paidAt: NOW, payerNote: null, createdAt: NOW },
  });
const newCharge = async () => {
  const account = await openTestAccount(db.pool, 'live');
  return (await insertTransaction(db.pool, { account, amountCentavos: 100n })).id;
};

test('a payment that comes to its charge and without its charge at once is in the books once: the charge is first', async () => {
  const [id, endToEndId] = [await newCharge(), newEndToEndId()];
  const { recording } = await withTransaction(db.pool, async (client) => {
    await chargeChanges(client as unknown as pg.Pool).pay(id, { endToEndId });
    const recording = record(db.pool, endToEndId);
    await expect.poll(() => countLockWaits(db.pool)).toBe(1);
    return { recording };
  });
  expect(await recording).toBe(false);
  await expectSound(db.pool);
});

test('a payment that comes to its charge and without its charge at once is in the books once: the charge is second', async () => {
  const [id, endToEndId] = [await newCharge(), newEndToEndId()];
  const { paying } = await withTransaction(db.pool, async (client) => {
    expect(await record(client as unknown as pg.Pool, endToEndId)).toBe(true);
    const paying = chargeChanges(db.pool).pay(id, { endToEndId });
    await expect.poll(() => countLockWaits(db.pool)).toBe(1);
    return { paying };
  });
  expect(await paying).toBe('pending');
  const { rows } = await db.pool.query(
    'SELECT state, transaction_id FROM unmatched_payments WHERE end_to_end_id = $1',
    [endToEndId],
  );
  expect(rows).toEqual([{ state: 'assigned', transaction_id: id }]);
  await expectSound(db.pool);
});

test.each(['assigned', 'deposited'])(
  'a payment that an operator credits (%s) while another charge comes to be paid by it is credited by them, without a deadlock',
  async (outcome) => {
    const endToEndId = newEndToEndId();
    const [id, charge, other] = [await recorded(endToEndId), await newCharge(), await newCharge()];
    const account = await openTestAccount(db.pool, 'live');
    const { paying } = await withTransaction(db.pool, async (client) => {
      await client.query('SELECT unmatched_lock($1, 100)', [id]);
      const paying = chargeChanges(db.pool)
        .pay(other, { endToEndId })
        .catch((error) => error);
      await expect.poll(() => countLockWaits(db.pool)).toBe(1);
      const row = { id: uuidv7(NOW), accountId: account.id, rail: RAIL, amountCentavos: 100n, feeCentavos: 0n };
      const assigned = { transactionId: charge, from: 'pending' as const, feeCentavos: 0n, split: null };
      const session = client as unknown as pg.Pool;
      expect(
        outcome === 'assigned'
          ? await assignUnmatched(session, { ...decision(id), ...assigned, ...event() })
          : await depositUnmatched(session, { ...decision(id), deposit: row, ...event() }),
      ).toBe(outcome);
      return { paying };
    });
    expect(await paying).toMatchObject({ code: '23505' });
    await expectSound(db.pool);
  },
);

test('a payment that waits without its charge is not put into review with its charge as well', async () => {
  const endToEndId = newEndToEndId();
  await recorded(endToEndId);
  const charge = await newCharge();
  await expectUnchanged(db.pool, () =>
    expect(chargeChanges(db.pool).review(charge, { endToEndId })).rejects.toMatchObject({ code: 'TR004' }),
  );
  expect(await chargeChanges(db.pool).review(charge)).toBe('pending');
  await expectSound(db.pool);
});

test('an unmatched payment that is being returned is not returned a second time', async () => {
  const id = await recorded(newEndToEndId());
  const outcome = await askDuring(
    db.pool,
    (session) => giveBack(session, id, uuidv7(NOW)),
    () => giveBack(db.pool, id, uuidv7(NOW)),
  );
  expect(outcome).toBe('decided');
  await expectSound(db.pool);
});

test.each([true, false])('the return of an unmatched payment ends once (done: %s)', async (done) => {
  const id = await recorded(newEndToEndId());
  const returnId = uuidv7(NOW);
  expect(await giveBack(db.pool, id, returnId)).toBe('returning');
  const end = (isDone: boolean) =>
    finishPaymentReturn(db.pool, { id: returnId, done: isDone, returnId: `D${returnId}`, now: NOW });
  expect(await end(done)).toBe(true);
  await expectUnchanged(db.pool, async () => expect([await end(true), await end(false)]).toEqual([false, false]));
  expect(await findUnmatched(db.pool, id)).toMatchObject(
    done ? { state: 'returned', returnedCentavos: 100n } : { state: 'open', returnedCentavos: 0n },
  );
  await expectSound(db.pool);
});

test('what goes back of an unmatched payment at the bank, and by its return at the same moment, leaves suspense once', async () => {
  const [endToEndId, returnId] = [newEndToEndId(), uuidv7(NOW)];
  await giveBack(db.pool, await recorded(endToEndId), returnId);
  const refund = { id: uuidv7(NOW), rail: RAIL, endToEndId, refundId: 'R1', returnId: 'D1', centavos: 60n, at: NOW };
  const finished = await askDuring(
    db.pool,
    (session) => recordForeignRefund(session, { ...refund, kind: 'med_return' }, null, NOW),
    () => finishPaymentReturn(db.pool, { id: returnId, done: true, returnId: 'D2', now: NOW }),
  );
  expect(finished).toBe(true);
  const { rows } = await db.pool.query(
    `SELECT sum(e.amount_centavos)::bigint AS left FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
     JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE a.kind = 'suspense' AND t.reference = ANY (ARRAY[$1, $2])`,
    [refund.id, returnId],
  );
  expect(rows).toEqual([{ left: -100n }]);
  await expectSound(db.pool);
});

test('an unmatched payment is credited only with a charge of its credentials and mode that is not paid', async () => {
  const id = await recorded(newEndToEndId());
  const live = await openTestAccount(db.pool, 'live');
  const paid = await fund(db.pool, live, 100n);
  const overOwn = { account: live, amountCentavos: 100n, rail: await connectOwn(db.pool, live) };
  const play = { account: await openTestAccount(db.pool, 'test'), amountCentavos: 100n };
  const others = [await insertTransaction(db.pool, overOwn), await insertTransaction(db.pool, play)];
  const right = await insertTransaction(db.pool, { account: live, amountCentavos: 70n });
  const assign = (transactionId: string, feeCentavos = 0n, from: ChargeStatus = 'pending') =>
    assignUnmatched(db.pool, { ...decision(id), transactionId, from, feeCentavos, split: null, ...event() });
  await expectUnchanged(db.pool, async () => {
    for (const other of others) expect(await assign(other.id)).toBe('other_rail');
    for (const from of ['pending', 'paid'] as const) expect(await assign(paid.id, 0n, from)).toBe('not_open');
    expect(await assign(right.id, 0n, 'expired')).toBe('not_open');
    for (const fee of [101n, -1n]) await expect(assign(right.id, fee)).rejects.toMatchObject({ code: 'TR005' });
  });
  expect(await assign(right.id, 100n)).toBe('assigned');
  await expectUnchanged(db.pool, async () => expect(await assign(right.id)).toBe('decided'));
  await expectSound(db.pool);
});

test('an unmatched payment is credited whole, only to an account of its credentials and mode, and once', async () => {
  const id = await recorded(newEndToEndId());
  const live = await openTestAccount(db.pool, 'live');
  const play = await openTestAccount(db.pool, 'test');
  const deposit = (to: { accountId: string; rail?: string; amountCentavos?: bigint }) => {
    const row = { id: uuidv7(NOW), rail: RAIL, amountCentavos: 100n, feeCentavos: 0n, ...to };
    return depositUnmatched(db.pool, { ...decision(id), deposit: row, ...event() });
  };
  const rail = await connectOwn(db.pool, live);
  await expectUnchanged(db.pool, async () => {
    expect(await deposit({ accountId: play.id })).toBe('other_rail');
    expect(await deposit({ accountId: live.id, rail })).toBe('other_rail');
    await expect(deposit({ accountId: live.id, amountCentavos: 99n })).rejects.toMatchObject({ code: 'TR005' });
  });
  expect(await deposit({ accountId: live.id })).toBe('deposited');
  await expectUnchanged(db.pool, async () => expect(await deposit({ accountId: live.id })).toBe('decided'));
  await expectSound(db.pool);
});

test('a payment is recorded, credited and given back though credentials of another account name it', async () => {
  const [account, stranger] = [await openTestAccount(db.pool, 'live'), await openTestAccount(db.pool, 'live')];
  const theirs = await connectOwn(db.pool, stranger);
  const charges = chargeChanges(db.pool);
  const charge = async (of: typeof account, rail: string) =>
    (await insertTransaction(db.pool, { account: of, amountCentavos: 100n, rail })).id;
  const giveBackAtBank = (rail: string, endToEndId: string) => {
    const refund = { id: uuidv7(NOW), rail, endToEndId, refundId: 'R1', returnId: `D${endToEndId}`, at: NOW };
    return recordForeignRefund(db.pool, { ...refund, kind: 'made_at_bank', centavos: 30n }, null, NOW);
  };
  const look = async (endToEndId: string) => {
    const { rows } = await db.pool.query<{ rail: string; state: string; returned: bigint }>(
      'SELECT rail, state, returned_centavos AS returned FROM unmatched_payments WHERE end_to_end_id = $1',
      [endToEndId],
    );
    return Object.fromEntries(rows.map(({ rail, state, returned }) => [rail, [state, returned]]));
  };
  for (const rail of [RAIL, await connectOwn(db.pool, account)]) {
    for (const name of ['pay', 'review', 'record'] as const) {
      const endToEndId = newEndToEndId();
      if (name === 'record') {
        expect(await record(db.pool, endToEndId, theirs, stranger.id)).toBe(true);
        expect(await giveBackAtBank(theirs, endToEndId)).toBe('booked');
      } else await charges[name](await charge(stranger, theirs), { endToEndId });
      expect([name, await record(db.pool, endToEndId, rail)]).toEqual([name, true]);
      expect([name, await giveBackAtBank(rail, endToEndId)]).toEqual([name, 'booked']);
      expect(await look(endToEndId)).toEqual({
        ...(name === 'record' && { [theirs]: ['open', 30n] }),
        [rail]: ['open', 30n],
      });
    }
    const endToEndId = newEndToEndId();
    await record(db.pool, endToEndId, theirs, stranger.id);
    expect(await charges.pay(await charge(account, rail), { endToEndId })).toBe('pending');
    expect(await look(endToEndId)).toEqual({ [theirs]: ['open', 0n] });
  }
  await expectSound(db.pool);
});

const event = () => ({ eventId: uuidv7(NOW), eventBody: '{}' });

/** What is decided about a payment of one real. */
const decision = (id: string) => ({
  ...{ id, leftCentavos: 100n, reason: 'Agreed on the phone.', now: NOW },
  by: { name: 'Ana', memberId: null, ipAddress: null, userAgent: null },
});

/** A payment of one real without a charge. */
async function recorded(endToEndId: string): Promise<string> {
  expect(await record(db.pool, endToEndId)).toBe(true);
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM unmatched_payments WHERE end_to_end_id = $1', [
    endToEndId,
  ]);
  return rows[0]?.id ?? '';
}

const giveBack = (pool: pg.Pool, id: string, returnId: string) => returnUnmatched(pool, { ...decision(id), returnId });
