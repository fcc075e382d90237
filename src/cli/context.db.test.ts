import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '#db/connection/with-client.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { CommandError } from './context.ts';
import { createProgram } from './program.ts';

let database: TestDatabase;
const run = (sql: string) => withClient(database.ownerUrl, async (client) => (await client.query(sql)).rows);

beforeAll(async () => {
  database = await createTestDatabase();
  await run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  for (const [name, value] of Object.entries({
    ...{ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, DEMO: 'false' },
    MASTER_KEYS: `v1:${randomBytes(32).toString('base64')}`,
  }))
    vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

test('a command makes no tables in an empty database, and calls no empty ledger balanced', async () => {
  for (const typed of ['account list', 'ledger check', 'ledger check --full', 'keys status', 'queue']) {
    const done = createProgram().parseAsync(typed.split(' '), { from: 'user' });
    await expect(done, typed).rejects.toThrow(CommandError);
    await expect(done, typed).rejects.toThrow('This database has no tables');
  }
  expect(await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});
