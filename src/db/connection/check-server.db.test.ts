import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { checkServer } from './check-server.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
/** Connected as the superuser, who may create databases. */
let server: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

test('a server that is durable and takes writes is accepted', async () => {
  const pool = createPool(database.url);
  await expect(checkServer(pool)).resolves.toBeUndefined();
  await pool.end();
});

test.each([
  ['synchronous_commit=off', /synchronous_commit=off and may lose acknowledged payments/],
  ['default_transaction_read_only=on', /read-only/],
  [
    'default_transaction_isolation=serializable',
    /default_transaction_isolation=serializable.*set it to read committed/,
  ],
])('a server with %s is rejected, with what to change', async (setting, message) => {
  const url = new URL(database.url);
  const pool = createPool(url.href);
  pool.options.options = `${pool.options.options} -c ${setting}`;
  await expect(checkServer(pool)).rejects.toThrow(message);
  await pool.end();
});

test('a database that can’t hold every text is rejected, with what to do', async () => {
  await server.query(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`);
  const url = new URL(database.url);
  url.pathname = 'latin';
  const pool = createPool(url.href);
  await expect(checkServer(pool)).rejects.toThrow(/encoding LATIN1.*ENCODING 'UTF8'/);
  await pool.end();
  await server.query('DROP DATABASE latin');
});

/** These two can't be had without starting another server: PostgreSQL's answer is made up. */
test.each(['fsync', 'full_page_writes'])('a server with %s=off is rejected, with what to change', async (setting) => {
  const rows = [
    { name: setting, value: 'off' },
    { name: 'in_recovery', value: 'false' },
  ];
  const pool = { query: async () => ({ rows }) } as unknown as pg.Pool;
  await expect(checkServer(pool)).rejects.toThrow(
    `PostgreSQL runs with ${setting}=off and may lose acknowledged payments: set it to on.`,
  );
});

/** A server that this test could not start: what it would say of itself. */
const poolOf = (settings: Record<string, string>) =>
  ({
    query: async () => ({ rows: Object.entries(settings).map(([setting, value]) => ({ name: setting, value })) }),
  }) as unknown as pg.Pool;

test('a replica is rejected', async () => {
  await expect(checkServer(poolOf({ in_recovery: 'true' }))).rejects.toThrow('point DATABASE_URL at the primary');
});

test('a server that is older than what migrations need is rejected', async () => {
  const old = poolOf({ server_version_num: '140012', server_version: '14.12' });
  await expect(checkServer(old)).rejects.toThrow('PostgreSQL 14.12 is too old: use 15 or newer.');
  await expect(checkServer(poolOf({ server_version_num: '150000' }))).resolves.toBeUndefined();
});

test('a server whose commits don’t wait for its synchronous standby is rejected', async () => {
  const local = (standbys: string) =>
    checkServer(poolOf({ synchronous_commit: 'local', synchronous_standby_names: standbys }));
  await expect(local('node2')).rejects.toThrow('a failover may lose acknowledged payments');
  await expect(local('')).resolves.toBeUndefined();
});

test.each([
  ['statement_timeout', '0'],
  ['lock_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ['TimeZone', 'America/Sao_Paulo'],
])('a pooler that drops the %s of our sessions is rejected, with where to read on', async (setting, dropped) => {
  const pool = createPool(database.url, { max: 1 });
  pool.on('connect', (client) => void client.query(`SET ${setting} = '${dropped}'`));
  await expect(checkServer(pool)).rejects.toThrow(`have ${setting}=${dropped}: a pooler between`);
  await pool.end();
});

test('a limit that the operator switched off in the address is off', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c lock_timeout=0');
  const pool = createPool(url.href, { max: 1 });
  await expect(checkServer(pool)).resolves.toBeUndefined();
  await pool.end();
});
