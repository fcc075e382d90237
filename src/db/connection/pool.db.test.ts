import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { onBehalfOf } from '../accounts/account-context.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { batched } from './batched.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './is-unavailable.ts';
import { createPool } from './pool.ts';
import { withTransaction } from './with-transaction.ts';

let database: TestDatabase;
let db: Database;
let server: pg.Client;
const errors: Error[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4, onError: (error) => errors.push(error) });
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await db.close();
  await database.drop();
});

const name = () => new URL(database.url).pathname.slice(1);

test('money is read exactly, beyond what a JavaScript number can hold', async () => {
  const { rows } = await db.pool.query(
    'SELECT 9007199254740993::bigint AS centavos, sum(x) AS sum, count(*) AS n FROM (VALUES (1::int)) t(x)',
  );
  expect(rows).toEqual([{ centavos: 9_007_199_254_740_993n, sum: 1n, n: 1n }]);
});

test('every session has its limits: no statement, lock or idle transaction holds others for long', async () => {
  const { rows } = await db.pool.query<{ name: string; setting: string; unit: string }>(
    `SELECT name, setting, unit FROM pg_settings WHERE name IN
       ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
  );
  expect(rows.map((row) => [row.name, row.setting, row.unit])).toEqual([
    ['idle_in_transaction_session_timeout', '15000', 'ms'],
    ['lock_timeout', '2000', 'ms'],
    ['statement_timeout', '10000', 'ms'],
  ]);
});

test('no session compiles its statements, whatever their cost is guessed to be', async () => {
  const { rows } = await db.pool.query('SHOW jit');
  expect(rows).toEqual([{ jit: 'off' }]);
});

test('instants, days and bytes are read whatever formats the server or its address have chosen', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c DateStyle=SQL,DMY -c IntervalStyle=sql_standard -c bytea_output=escape');
  const other = openDatabase(url.href, { max: 1 });
  const at = new Date('2026-02-01T12:34:56.789Z');
  const { rows } = await other.pool.query(
    `SELECT $1::timestamptz AS at, $1::timestamptz::date::text AS day, '\\x00ff'::bytea AS bytes`,
    [at],
  );
  const [row] = await other.prisma.$queryRaw<object[]>`SELECT ${at}::timestamptz AS at, '\\x00ff'::bytea AS bytes`;
  await other.close();
  expect(rows).toEqual([{ at, day: '2026-02-01', bytes: Buffer.from([0, 255]) }]);
  expect(row).toEqual({ at, bytes: new Uint8Array([0, 255]) });
});

test('Prisma and our own SQL share the pool and its limits', async () => {
  const [row] = await db.prisma.$queryRaw<{ name: string; timeout: string }[]>`
    SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS timeout`;
  expect(row).toEqual({ name: 'trilho', timeout: '10s' });
  await Promise.all([
    ...Array.from({ length: 20 }, () => db.prisma.setting.count()),
    ...Array.from({ length: 20 }, () => db.pool.query('SELECT 1')),
  ]);
  expect(db.pool.totalCount).toBeLessThanOrEqual(4);
});

test('an instant is the same through Prisma and through SQL, whatever time zone the server has', async () => {
  await server.query(`ALTER DATABASE ${name()} SET timezone = 'America/Sao_Paulo'`);
  const one = openDatabase(database.url);
  const at = new Date('2026-03-01T23:30:00.123Z');
  const read = 'SELECT version, created_at AS at FROM master_keys WHERE created_at = $1';
  await one.prisma.masterKey.create({ data: { version: 'v8', checkValue: new Uint8Array(), createdAt: at } });
  await one.pool.query('INSERT INTO master_keys (version, check_value, created_at) VALUES ($1, $2, $3)', [
    'v9',
    '',
    at,
  ]);
  const throughSql = (await one.pool.query(read, [at])).rows;
  const throughPrisma = await one.prisma.masterKey.findMany({ where: { createdAt: at }, orderBy: { version: 'asc' } });
  await one.close();
  await server.query(`ALTER DATABASE ${name()} RESET timezone`);
  expect(throughSql).toEqual([
    { version: 'v8', at },
    { version: 'v9', at },
  ]);
  expect(throughPrisma).toMatchObject([
    { version: 'v8', createdAt: at },
    { version: 'v9', createdAt: at },
  ]);
});

test('a database address may choose other time-outs, keeps those that it does not name, and never leaves UTC', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c statement_timeout=1234 -c TimeZone=America/Sao_Paulo');
  const pool = createPool(url.href);
  const { rows } = await pool.query(
    `SELECT name, setting FROM pg_settings WHERE name IN ('TimeZone', 'statement_timeout', 'lock_timeout') ORDER BY name COLLATE "C"`,
  );
  await pool.end();
  expect(rows).toEqual([
    { name: 'TimeZone', setting: 'UTC' },
    { name: 'lock_timeout', setting: '2000' },
    { name: 'statement_timeout', setting: '1234' },
  ]);
});

/** Sessions that begin meanwhile are those of a primary that has become a standby. */
async function whileReadOnly(work: () => Promise<void>): Promise<void> {
  await server.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
  try {
    await work();
  } finally {
    await server.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
  }
}

const writing = "INSERT INTO settings (name, sealed) VALUES ('written', 'x') ON CONFLICT DO NOTHING";

test.each([
  ['by a statement', (one: Database) => one.pool.query(writing)],
  ['in a transaction', (one: Database) => withTransaction(one.pool, (client) => client.query(writing))],
  ['through Prisma', (one: Database) => one.prisma.$executeRawUnsafe(writing)],
  ['in a transaction of Prisma', (one: Database) => one.prisma.$transaction((tx) => tx.$executeRawUnsafe(writing))],
])(
  'a write that a standby rejects %s means an unavailable database, and no connection to it is used again',
  async (_, write) => {
    const one = openDatabase(database.url, { max: 3 });
    await whileReadOnly(async () => {
      await Promise.all(Array.from({ length: 3 }, () => one.pool.query('SELECT pg_sleep(0.05)')));
    });
    expect(one.pool.idleCount).toBe(3);
    await expect(write(one)).rejects.toSatisfy(isUnavailable);
    const readOnly = await Promise.all(
      Array.from({ length: 3 }, () => one.pool.query('SHOW transaction_read_only').then(({ rows }) => rows[0])),
    );
    expect(readOnly).toEqual(Array(3).fill({ transaction_read_only: 'off' }));
    await expect(write(one)).resolves.toBeDefined();
    await one.close();
  },
);

test('a thousand queries of one account wait for its connections, the next is rejected, and another account is served', async () => {
  const one = openDatabase(database.url, { max: 2, perAccount: 1 });
  const ask = (accountId: string) =>
    onBehalfOf(accountId, () =>
      one.pool.connect().then(
        (client) => {
          client.release();
          return 'served';
        },
        () => 'rejected',
      ),
    );
  const held = await onBehalfOf('flood', () => one.pool.connect());
  const asked = Array.from({ length: 1_001 }, () => ask('flood'));
  expect(await ask('other')).toBe('served');
  held.release();
  const answers = await Promise.all(asked);
  expect([answers.indexOf('rejected'), answers.lastIndexOf('served')]).toEqual([1_000, 999]);
  await one.close();
});

test('connections that are to be renewed finish what they do, and are used no more', async () => {
  const one = openDatabase(database.url, { max: 2 });
  const pidOf = async (client: pg.Pool | pg.PoolClient) =>
    (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  const idle = await pidOf(one.pool);
  const pids = await withTransaction(one.pool, async (client) => {
    const before = await pidOf(client);
    one.renewConnections();
    return [before, await pidOf(client)];
  });
  expect(pids).toEqual([idle, idle]);
  const next = await pidOf(one.pool);
  expect(next).not.toBe(idle);
  expect(await pidOf(one.pool)).toBe(next);
  await one.close();
});

test('a connection that is cut between two statements of a transaction costs that transaction, and nothing else', async () => {
  const work = withTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await server.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await client.query('SELECT 1');
  });
  await expect(work).rejects.toSatisfy(isUnavailable);
  expect((await db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('idle connections that the server cuts are reported and replaced, and do not end the process', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.pool.query('SELECT pg_sleep(0.05)')));
  const before = errors.length;
  await server.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'trilho'",
    [name()],
  );
  for (let tries = 0; tries < 200 && errors.length === before; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(errors.length).toBeGreaterThan(before);
  expect(isUnavailable(errors.at(-1))).toBe(true);
  // Connections that were not found broken yet fail one query each at most.
  await Promise.allSettled(Array.from({ length: 4 }, () => db.pool.query('SELECT 1')));
  expect((await db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('calls that come together are one statement; one that the server rejects fails alone, and all fail when the connection is cut', async () => {
  let statements = 0;
  const divide = batched<number, number>(async (pool, divisors) => {
    statements++;
    const { rows } = await pool.query<{ quotient: number }>(
      `SELECT 100 / divisor AS quotient, CASE divisor WHEN -1 THEN pg_terminate_backend(pg_backend_pid()) END
       FROM unnest($1::integer[]) WITH ORDINALITY AS asked (divisor, at) ORDER BY at`,
      [divisors],
    );
    return rows.map(({ quotient }) => quotient);
  });
  const ask = async (...divisors: number[]) => {
    statements = 0;
    const results = await Promise.allSettled(divisors.map((divisor) => divide(db.pool, divisor)));
    return results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
  };
  expect(await ask(5, 20)).toEqual([20, 5]);
  expect(statements).toBe(1);
  expect(await ask(5, 0, 20)).toEqual([20, 'failed', 5]);
  expect(statements).toBe(4);
  // What it had done before nobody knows.
  expect(await ask(5, -1)).toEqual(['failed', 'failed']);
  expect(statements).toBe(1);
});
