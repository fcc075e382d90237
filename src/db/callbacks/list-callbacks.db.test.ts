import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { withChangeBefore } from '../testing/with-change-before.ts';
import { listCallbacks } from './list-callbacks.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

let received = 0;
async function receive(): Promise<string> {
  const at = new Date(Date.UTC(2026, 10, 21, 12, 0, received++));
  const id = uuidv7(at);
  await db.pool.query(
    `INSERT INTO inbound_callbacks (id, rail, body, received_at, processed_at, outcome)
     VALUES ($1, 'sandbox', '', $2, $2, 'unknown_charge')`,
    [id, at],
  );
  return id;
}

test('no callback is left out of a search that others arrive during', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.unshift(await receive());
  const pool = withChangeBefore(db.pool, 'last_error', receive);
  const found: string[] = [];
  for (let before: string | null = null; ; ) {
    const page = await listCallbacks(pool, { state: 'unmatched', before, limit: 10, scan: 2 });
    found.push(...page.callbacks.map(({ id }) => id));
    before = page.last;
    if (page.scanned < 2) break;
  }
  expect(found.filter((id) => ids.includes(id))).toEqual(ids);
});
