import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Prisma, PrismaClient } from '#prisma';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './is-unavailable.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
/** Connected as the superuser, who may close a database. */
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

const name = () => new URL(database.url).pathname.slice(1);

test('an error of a database that is away or busy is distinguished from an internal error', async () => {
  const failure = (work: () => Promise<unknown>) =>
    work().then(
      () => null,
      (error: unknown) => error,
    );
  const raised = (condition: string) => failure(() => on(database.url, `DO $$ BEGIN RAISE ${condition}; END $$`));
  const unavailable = {
    'the disk is full': await raised('disk_full'),
    'it has too many connections': await raised('too_many_connections'),
    'it ended a deadlock': await raised('deadlock_detected'),
    'a transaction met another one': await raised('serialization_failure'),
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
    'the disk is full where a transaction ends': await fullAtTheEnd(),
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

  async function fullAtTheEnd() {
    const statements = [
      'CREATE TEMP TABLE late (a int)',
      'CREATE FUNCTION pg_temp.fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$',
      `CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION pg_temp.fails()`,
      'INSERT INTO late VALUES (1)',
    ];
    return asked(url, (one) =>
      one.prisma.$transaction(async (tx) => {
        for (const statement of statements) await tx.$executeRawUnsafe(statement);
      }),
    );
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

test.each(['ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EAI_AGAIN', 'EMFILE'])(
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
