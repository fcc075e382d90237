import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { HASHED_COLUMNS, READABLE_COLUMNS } from '../testing/readable-columns.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { BETTER_AUTH_COLUMNS, BLIND_INDEXES, SEALED_COLUMNS } from './sealed-columns.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const decided = [
  ...Object.keys(SEALED_COLUMNS),
  ...Object.keys(BLIND_INDEXES),
  ...Object.keys(BETTER_AUTH_COLUMNS),
  ...HASHED_COLUMNS,
  ...Object.values(READABLE_COLUMNS).flat(),
];

/** The columns that can hold a text or bytes. */
async function textColumns(): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> '_prisma_migrations'
       AND (c.data_type IN ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'xml', 'hstore', 'name')
         OR c.udt_name IN ('_text', '_varchar', '_json', '_jsonb', '_bytea', '_int8'))`,
  );
  return rows.map(({ name }) => name).sort();
}

test('every column that can hold a text or bytes is sealed, hashed, or readable for a reason', async () => {
  const where = 'Decide about a new column in sealed-columns.ts or src/db/testing/readable-columns.ts';
  expect(await textColumns(), where).toEqual([...decided].sort());
});

test('no column is listed twice as sealed, hashed or readable', () => {
  expect(new Set(decided).size).toBe(decided.length);
});

test('a new column of text is noticed', async () => {
  await db.pool.query('ALTER TABLE merchants ADD COLUMN mother text');
  expect((await textColumns()).filter((name) => !decided.includes(name))).toEqual(['merchants.mother']);
  await db.pool.query('ALTER TABLE merchants DROP COLUMN mother');
});

test('every column of the registry is there, with its key', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const [name, { key }] of Object.entries(SEALED_COLUMNS)) {
    for (const one of [name, ...key.map((column) => `${name.split('.')[0]}.${column}`)]) expect(known).toContain(one);
  }
});
