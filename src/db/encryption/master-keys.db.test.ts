import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { withClient } from '../connection/with-client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { keyLocks, listKeyHolders } from './master-keys.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a process that is taking its key locks is listed once it has all of them, never with fewer keys than it has', async () => {
  const seen = await withClient(database.url, async (starting) => {
    const holders: string[][][] = [];
    for (const lock of keyLocks(['v2', 'v1'])) {
      await starting.query('SELECT pg_advisory_lock_shared($1, $2)', [...lock]);
      holders.push((await listKeyHolders(db.pool)).map(({ opens }) => opens.toSorted()));
    }
    return holders;
  });
  expect(seen).toEqual([[], [], [['v1', 'v2']]]);
});
