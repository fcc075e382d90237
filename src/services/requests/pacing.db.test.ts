import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createPacing } from './pacing.ts';

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

test('requests wait while many tasks are due, and not for tasks that are due later', async () => {
  let now = Date.parse('2026-11-23T12:00:00Z');
  const waited: number[] = [];
  const pace = createPacing({ db, clock: () => new Date(now) }, async (ms) => void waited.push(ms));
  /** The first of them reads the queue, and the second waits for what it found. */
  const twoRequests = async () => {
    now += 1_000;
    await pace('account');
    // The pool has one connection, so this is answered after the queue was read.
    await db.pool.query('SELECT 1');
    await pace('account');
    return waited.splice(0).at(-1) ?? 0;
  };
  const schedule = (count: number, dueAt: Date) =>
    db.pool.query(
      `INSERT INTO tasks (kind, subject_id, due_at) SELECT 'send_mail', gen_random_uuid(), $2 FROM generate_series(1, $1)`,
      [count, dueAt],
    );
  await schedule(2_000, new Date(now + 3_600_000));
  expect(await twoRequests()).toBe(0);
  await schedule(532, new Date(now));
  expect(await twoRequests()).toBe(500);
});
