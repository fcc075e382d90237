import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import { insertTransaction, NOW, newEndToEndId, openTestAccount, RAIL } from '../testing/ledger-fixture.ts';
import { expectSound } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { recordUnmatched } from './unmatched.ts';

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
