import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { askDuring } from '../testing/ask-during.ts';
import { fund, insertTransaction, NO_MERCHANT_COLUMNS, NOW, openTestAccount } from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { NO_ACTOR, newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findReferenceHolder } from './references.ts';

const INDEX = Buffer.alloc(32, 5);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('who asks for a reference while another transaction is getting it waits, and finds that transaction', async () => {
  const account = await openTestAccount(db.pool, 'live');
  const other = await openTestAccount(db.pool, 'live');
  const ask = (accountId: string) => findReferenceHolder(db.pool, accountId, uuidv7(NOW), [INDEX]);
  expect(await ask(account.id)).toBeNull();
  let first = '';
  const holder = await askDuring(
    db.pool,
    async (session) => {
      expect(await findReferenceHolder(session, account.id, uuidv7(NOW), [INDEX])).toBeNull();
      first = (await insertTransaction(session, { account, amountCentavos: 100n })).id;
      await session.query("UPDATE transactions SET reference = 'sealed', reference_index = $2 WHERE id = $1", [
        first,
        INDEX,
      ]);
    },
    () => ask(account.id),
  );
  expect(holder).toBe(first);
  expect(await ask(other.id)).toBeNull();
});

test('a reference of a refund or a withdrawal is its own until that fails, and repeating what has it is no conflict', async () => {
  const account = await openTestAccount(db.pool, 'live');
  const charge = await fund(db.pool, account, 100n);
  const merchant = { ...NO_MERCHANT_COLUMNS, reference: 'sealed', referenceIndex: INDEX, uniqueIndexes: [INDEX] };
  const refund = newRefund(charge, 10n);
  const refunding = { accountId: account.id, description: null, merchant, now: NOW };
  const requestRefunding = (id: string) => requestRefund(db.pool, { ...refund, ...refunding, id }, NO_ACTOR);
  const withdrawals = withdrawalChanges(db.pool);
  const withdrawal = { ...newPixOut(account, { amountCentavos: 10n }), merchant };
  expect([await requestRefunding(refund.id), await requestRefunding(refund.id)]).toEqual(['requested', 'exists']);
  expect([await requestRefunding(uuidv7(NOW)), await withdrawals.request(withdrawal)]).toEqual([
    ...['reference_taken', 'reference_taken'],
  ]);
  expect(await refundChanges(db.pool).finish(refund.id, false)).toBe(true);
  expect([await withdrawals.request(withdrawal), await withdrawals.request(withdrawal)]).toEqual([
    ...['requested', 'exists'],
  ]);
  expect(await requestRefunding(uuidv7(NOW))).toBe('reference_taken');
  await withdrawals.fail(withdrawal.id);
  expect(await requestRefunding(uuidv7(NOW))).toBe('requested');
});
