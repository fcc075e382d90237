import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { recordForeignRefund } from '../refunds/foreign-refunds.ts';
import { finishPaymentReturn } from '../refunds/payment-returns.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import { insertTransaction, NOW, newEndToEndId, openTestAccount, RAIL } from '../testing/ledger-fixture.ts';
import { expectSound } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { recordUnmatched, returnUnmatched } from './unmatched.ts';

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

const record = (pool: pg.Pool, endToEndId: string) =>
  recordUnmatched(pool, {
    ...{ id: uuidv7(NOW), rail: RAIL, mode: 'live', accountId: null, endToEndId, txid: null, centavos: 100n },
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

/** A payment of one real without a charge. */
async function recorded(endToEndId: string): Promise<string> {
  expect(await record(db.pool, endToEndId)).toBe(true);
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM unmatched_payments WHERE end_to_end_id = $1', [
    endToEndId,
  ]);
  return rows[0]?.id ?? '';
}

const giveBack = (pool: pg.Pool, id: string, returnId: string) =>
  returnUnmatched(pool, {
    ...{ id, leftCentavos: 100n, returnId, reason: 'Agreed on the phone.', now: NOW },
    by: { name: 'Ana', memberId: null, ipAddress: null, userAgent: null },
  });
