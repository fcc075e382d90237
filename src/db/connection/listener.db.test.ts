import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { listen } from './listener.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test.each([
  ['', ''],
  [', whatever date style that has', '-c DateStyle=SQL,DMY'],
])('a listener gets the database’s time as soon as it is connected%s', async (_, options) => {
  const url = new URL(database.url);
  if (options) url.searchParams.set('options', options);
  const askDatabase = async () => {
    const { rows } = await db.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return rows[0]?.now.getTime() ?? Number.NaN;
  };
  const before = await askDatabase();
  const { promise, resolve } = Promise.withResolvers<{ now: Date; roundTripMs: number }>();
  const listener = listen({
    url: url.href,
    channels: [],
    aliveLock: 7n,
    sharedLocks: [],
    onNotification: () => {},
    onConnectionChange: () => {},
    onTime: resolve,
  });
  const { now, roundTripMs } = await promise;
  await listener.close();
  expect(now.getTime()).toBeGreaterThanOrEqual(before);
  expect(now.getTime()).toBeLessThanOrEqual(await askDatabase());
  expect(roundTripMs).toBeGreaterThan(0);
});
