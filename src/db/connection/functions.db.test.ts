import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The functions whose source has a match, by name, and the defaults of columns of our tables. */
async function functionsWith(pattern: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND regexp_replace(prosrc, '--[^\\n]*', '', 'g') ~* $1
     UNION SELECT adrelid::regclass || '.' || adnum FROM pg_attrdef d JOIN pg_class c ON c.oid = adrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations' AND pg_get_expr(adbin, adrelid) ~* $1 ORDER BY 1`,
    [pattern],
  );
  return rows.map(({ name }) => name);
}

const CLOCK =
  '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\(|\\mcurrent_(timestamp|date|time)\\M';

test('no function of the database reads a clock: time is a parameter', async () => {
  expect(await functionsWith(CLOCK)).toEqual([]);
});

test('no function of the database notifies: a NOTIFY within a transaction serialises commits', async () => {
  expect(await functionsWith('pg_notify|\\mNOTIFY\\M')).toEqual([]);
});

test('planted: a function that reads the clock, and one that notifies, are found', async () => {
  await db.pool.query(
    `CREATE FUNCTION reads_clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()';
     CREATE FUNCTION notifies() RETURNS void LANGUAGE plpgsql AS 'BEGIN PERFORM pg_notify(''a'', ''b''); END'`,
  );
  expect(await functionsWith(CLOCK)).toEqual(['reads_clock']);
  expect(await functionsWith('pg_notify|\\mNOTIFY\\M')).toEqual(['notifies']);
});
