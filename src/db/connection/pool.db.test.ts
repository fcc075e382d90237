import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Prisma, PrismaClient } from '#prisma';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Database, isUnavailable, openDatabase } from './database.ts';
import { assertDurable, createPool } from './pool.ts';
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

test('a server that is durable and takes writes is accepted', async () => {
  await expect(assertDurable(db.pool)).resolves.toBeUndefined();
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
  await expect(assertDurable(pool)).rejects.toThrow(message);
  await pool.end();
});

test('a database that can’t hold every text is rejected, with what to do', async () => {
  await server.query(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`);
  const url = new URL(database.url);
  url.pathname = 'latin';
  const pool = createPool(url.href);
  await expect(assertDurable(pool)).rejects.toThrow(/encoding LATIN1.*ENCODING 'UTF8'/);
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
  await expect(assertDurable(pool)).rejects.toThrow(
    `PostgreSQL runs with ${setting}=off and may lose acknowledged payments: set it to on.`,
  );
});

/** A server that this test could not start: what it would say of itself. */
const poolOf = (settings: Record<string, string>) =>
  ({
    query: async () => ({ rows: Object.entries(settings).map(([setting, value]) => ({ name: setting, value })) }),
  }) as unknown as pg.Pool;

test('a replica is rejected', async () => {
  await expect(assertDurable(poolOf({ in_recovery: 'true' }))).rejects.toThrow('point DATABASE_URL at the primary');
});

test('a server that is older than what migrations need is rejected', async () => {
  const old = poolOf({ server_version_num: '140012', server_version: '14.12' });
  await expect(assertDurable(old)).rejects.toThrow('PostgreSQL 14.12 is too old: use 15 or newer.');
  await expect(assertDurable(poolOf({ server_version_num: '150000' }))).resolves.toBeUndefined();
});

test('a server whose commits don’t wait for its synchronous standby is rejected', async () => {
  const local = (standbys: string) =>
    assertDurable(poolOf({ synchronous_commit: 'local', synchronous_standby_names: standbys }));
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
  await expect(assertDurable(pool)).rejects.toThrow(`have ${setting}=${dropped}: a pooler between`);
  await pool.end();
});

test('a limit that the operator switched off in the address is off', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c lock_timeout=0');
  const pool = createPool(url.href, { max: 1 });
  await expect(assertDurable(pool)).resolves.toBeUndefined();
  await pool.end();
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

test('an error of a database that is away or busy is distinguished from an internal error', async () => {
  const failure = (work: () => Promise<unknown>) =>
    work().then(
      () => null,
      (error: unknown) => error,
    );
  const unavailable = {
    'no server listens': await failure(() => on('postgres://x:x@127.0.0.1:1/x', 'SELECT 1')),
    'the statement is cut': await failure(() => on(database.url, 'SELECT pg_terminate_backend(pg_backend_pid())')),
    'the statement takes too long': await failure(() =>
      on(database.url, 'SET statement_timeout = 20; SELECT pg_sleep(5)'),
    ),
    'a lock is not had in time': await lockTimeout(),
    'it takes no connections': await closedDatabase(),
    'a table was changed after a statement was planned': await failure(changedTable),
    'the same of a server that speaks Portuguese': Object.assign((await failure(changedTable)) as Error, {
      message: 'plano em cache não deve mudar tipo de resultado',
    }),
    // PostgreSQL's own words, seen in a function that waited for the change.
    'a table was changed while a function waited for it': Object.assign(
      new Error('attribute number 69 exceeds number of columns 68'),
      { code: 'XX000' },
    ),
  };
  for (const [what, error] of Object.entries(unavailable)) expect([what, isUnavailable(error)]).toEqual([what, true]);

  const ours = {
    'a table that is not there': await failure(() => on(database.url, 'SELECT * FROM nowhere')),
    'a rule that is broken': await failure(() =>
      on(database.url, "INSERT INTO settings (name, sealed) VALUES ('a', 'x'), ('a', 'x')"),
    ),
    'no SQL': await failure(() => on(database.url, 'SELEC 1')),
    'an error of JavaScript': new TypeError('x is not a function'),
    'nothing at all': undefined,
  };
  for (const [what, error] of Object.entries(ours)) expect([what, isUnavailable(error)]).toEqual([what, false]);

  async function changedTable() {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('CREATE TEMP TABLE changing (a int)');
      await client.query({ name: 'read-changing', text: 'SELECT * FROM changing' });
      await client.query('ALTER TABLE changing ADD COLUMN b int');
      await client.query({ name: 'read-changing', text: 'SELECT * FROM changing' });
    } finally {
      await client.end();
    }
  }

  async function lockTimeout() {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE settings');
    const error = await failure(() => on(database.url, 'SET lock_timeout = 20; SELECT * FROM settings'));
    await holder.end();
    return error;
  }

  async function closedDatabase() {
    await server.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`);
    const error = await failure(() => on(database.url, 'SELECT 1'));
    await server.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);
    return error;
  }
});

test('an error of a database that is away or busy is distinguished from an internal error through Prisma too', async () => {
  const url = database.url;
  const unavailable = {
    'no server listens': await throughPrisma('postgres://x:x@127.0.0.1:1/x'),
    'the connection is cut': await throughPrisma(url, 'SELECT pg_terminate_backend(pg_backend_pid())'),
    'the statement takes too long': await throughPrisma(
      `${url}?options=-c%20statement_timeout%3D20`,
      'SELECT pg_sleep(5)',
    ),
    'a lock is not had in time': await lockTimeout(),
    'the connection is cut in a transaction': await cutTransaction(),
  };
  for (const [what, error] of Object.entries(unavailable)) expect([what, isUnavailable(error)]).toEqual([what, true]);
  const ours = {
    'no SQL': await throughPrisma(url, 'SELEC 1'),
    'a table that is not there': await throughPrisma(url, 'SELECT * FROM nowhere'),
    'a row that is there already': await twice(),
  };
  for (const [what, error] of Object.entries(ours)) expect([what, isUnavailable(error)]).toEqual([what, false]);

  async function lockTimeout() {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE settings');
    const error = await asked(`${url}?options=-c%20lock_timeout%3D20`, (one) => one.prisma.setting.findMany());
    await holder.end();
    return error;
  }

  async function cutTransaction() {
    return asked(url, (one) =>
      one.prisma.$transaction([
        one.prisma.setting.findMany(),
        one.prisma.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`,
        one.prisma.setting.findMany(),
      ]),
    );
  }

  async function twice() {
    const data = { name: 'twice', sealed: '' };
    return asked(url, (one) =>
      one.prisma.$transaction([one.prisma.setting.create({ data }), one.prisma.setting.create({ data })]),
    );
  }
});

test.each(['ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EAI_AGAIN'])(
  'a database that can’t be reached is away, not an internal error: %s',
  async (code) => {
    const gone = Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect', errno: -1 });
    class Unreachable extends pg.Client {
      override connect(): Promise<this>;
      override connect(callback: (error: Error) => void): void;
      override connect(callback?: (error: Error) => void): Promise<this> | undefined {
        if (!callback) return Promise.reject(gone);
        callback(gone);
        return undefined;
      }
    }
    const pool = createPool('postgres://x:x@192.0.2.1/x', { Client: Unreachable });
    await expect(pool.query('SELECT 1')).rejects.toSatisfy(isUnavailable);
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    await expect(prisma.setting.findMany()).rejects.toSatisfy(isUnavailable);
    await prisma.$disconnect();
  },
);

/** What a query through Prisma fails with. */
const throughPrisma = (url: string, sql = 'SELECT 1') => asked(url, (one) => one.prisma.$queryRaw(Prisma.raw(sql)));

async function asked(url: string, ask: (one: Database) => Promise<unknown>): Promise<unknown> {
  const one = openDatabase(url);
  try {
    await ask(one);
    return null;
  } catch (error) {
    return error;
  } finally {
    await one.close();
  }
}

async function on(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
