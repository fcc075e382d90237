import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { askDuring } from '../testing/ask-during.ts';
import { insertTransaction, NOW, openTestAccount } from '../testing/ledger-fixture.ts';
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
