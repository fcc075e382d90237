import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { createPool } from '#db/connection/pool.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createRateLimits } from './rate-limits.ts';

let database: TestDatabase;
let db: Database;
const failures: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 8 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
// The limiter's own clock only: timers are the connection's too.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  failures.length = 0;
  await db.pool.query('TRUNCATE rate_limits');
});

/** A process with limits of its own over the same database. */
const createProcess = (pool = db.pool, aheadMs = () => 0) =>
  createRateLimits({
    store: { kind: 'postgres', pool, aheadMs },
    perKeyAMinute: 3,
    failedPerAddressAMinute: 2,
    onStoreFailure: (error) => failures.push(error),
  });
const storedRows = async () =>
  (await db.pool.query('SELECT key, points, expire - $1 AS ms FROM rate_limits ORDER BY key', [Date.now()])).rows;

test('several processes count together, and keys apart from addresses', async () => {
  const [one, two] = [createProcess(), createProcess()];
  expect(await one.countCall('a')).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 });
  expect(await two.countCall('a')).toEqual({ allowed: true, limit: 3, remaining: 1, resetSeconds: 60 });
  expect(await one.countCall('a')).toEqual({ allowed: true, limit: 3, remaining: 0, resetSeconds: 60 });
  expect(await two.countCall('a')).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 60 });
  expect(await one.countFailedKey('a')).toMatchObject({ allowed: true, remaining: 1 });
  expect(await two.countFailedKey('a')).toMatchObject({ allowed: true, remaining: 0 });
  expect(await one.countFailedKey('a')).toMatchObject({ allowed: false });
  expect(await storedRows()).toEqual([
    { key: 'address:a', points: 3, ms: 60_000n },
    { key: 'key:a', points: 4, ms: 60_000n },
  ]);
  expect(failures).toEqual([]);
});

test('a hundred requests at once over two processes never exceed the limit', async () => {
  const processes = [createProcess(), createProcess()];
  const results = await Promise.all(
    Array.from({ length: 50 }, () => processes.map((limits) => limits.countCall('a'))).flat(),
  );
  expect(results.filter(({ allowed }) => allowed)).toHaveLength(3);
  expect(failures).toEqual([]);
});

test('the count restarts in all processes when the minute is over', async () => {
  const [one, two] = [createProcess(), createProcess()];
  for (const limits of [one, two, one, two]) await limits.countCall('a');
  vi.advanceTimersByTime(59_999);
  for (const limits of [one, two]) {
    expect(await limits.countCall('a')).toMatchObject({ allowed: false, resetSeconds: 1 });
  }
  vi.advanceTimersByTime(1);
  expect(await one.countCall('a')).toMatchObject({ allowed: true, remaining: 2, resetSeconds: 60 });
  expect(await two.countCall('a')).toMatchObject({ allowed: true, remaining: 1 });
});

test('processes on machines whose clocks differ count in the same minute, which is the database’s', async () => {
  const now = Date.now();
  const aheadMs = () => now - Date.now();
  const [one, two] = [createProcess(db.pool, aheadMs), createProcess(db.pool, aheadMs)];
  await one.countCall('a');
  for (const difference of [3_600_000, -7_200_000]) {
    vi.setSystemTime(now + difference);
    expect(await two.countCall('a')).toMatchObject({ allowed: true, resetSeconds: 60 });
  }
  expect(await two.countCall('a')).toMatchObject({ allowed: false, resetSeconds: 60 });
});

test('a client over its limit causes no further query', async () => {
  const limits = createProcess();
  for (let i = 0; i < 4; i++) {
    await limits.countCall('a');
    await limits.countFailedKey('192.0.2.1');
  }
  const query = vi.spyOn(db.pool, 'query');
  for (let i = 0; i < 100; i++) {
    expect(await limits.countCall('a')).toMatchObject({ allowed: false });
    expect(await limits.countFailedKey('192.0.2.1')).toMatchObject({ allowed: false });
    expect(await limits.currentBlock('192.0.2.1')).toMatchObject({ allowed: false, limit: 2 });
  }
  expect(query).not.toHaveBeenCalled();
});

test('the role that serves is enough: it reads and writes the table’s rows and makes no table', async () => {
  const pool = createPool(database.url);
  await expect(pool.query('CREATE TABLE sneaked (n int)')).rejects.toThrow('permission denied');
  expect(await createProcess(pool).countCall('a')).toMatchObject({ allowed: true, remaining: 2 });
  expect(await storedRows()).toMatchObject([{ key: 'key:a', points: 1 }]);
  expect(failures).toEqual([]);
  await pool.end();
});

test('without its table the limits hold in memory, the cause is reported, and no table is made', async () => {
  await db.pool.query('ALTER TABLE rate_limits RENAME TO rate_limits_away');
  const limits = createProcess();
  for (const allowed of [true, true, true, false]) expect(await limits.countCall('a')).toMatchObject({ allowed });
  expect(failures).toMatchObject([{ message: 'relation "rate_limits" does not exist' }]);
  const { rows } = await db.pool.query(`SELECT to_regclass('rate_limits') AS made`);
  expect(rows).toEqual([{ made: null }]);
  await db.pool.query('ALTER TABLE rate_limits_away RENAME TO rate_limits');
});

test('without the database the limits hold in memory, and the cause is reported', async () => {
  const pool = createPool(database.ownerUrl);
  await pool.end();
  const limits = createProcess(pool);
  for (const allowed of [true, true, false]) {
    expect(await limits.countFailedKey('192.0.2.1')).toMatchObject({ allowed });
  }
  expect(failures).toHaveLength(1);
});
