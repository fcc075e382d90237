import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createSandboxPool } from './sandbox-pool.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createSandboxPool(database.url, 1);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('the simulators’ commits do not wait for the disk', async () => {
  const { rows } = await pool.query('SHOW synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: 'off' }]);
});

test('a statement with values is prepared once a session, by its text', async () => {
  for (const value of [1, 2]) {
    const { rows } = await pool.query('SELECT $1::int + 1 AS next', [value]);
    expect(rows).toEqual([{ next: value + 1 }]);
  }
  await pool.query('SELECT $1::int + 2 AS next', [1]);
  const { rows } = await pool.query<{ statement: string }>(
    "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%AS next' ORDER BY statement",
  );
  expect(rows.map(({ statement }) => statement)).toEqual(['SELECT $1::int + 1 AS next', 'SELECT $1::int + 2 AS next']);
});

test('a prepared statement that fails is rejected each time, and the next one is answered', async () => {
  await expect(pool.query('SELECT $1::int / 0', [1])).rejects.toThrow('division by zero');
  await expect(pool.query('SELECT $1::int / 0', [1])).rejects.toThrow('division by zero');
  expect((await pool.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
});
