import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { StartError } from '#domain/errors/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openDatabase } from './database.ts';
import { applyMigrations, missingMigrations } from './migrate.ts';
import { withClient } from './with-client.ts';

const MIGRATIONS = readdirSync(join(import.meta.dirname, '../../../prisma/migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

let migrated: TestDatabase;
/** An empty database. */
let empty: { url: string; name: string };
let server: pg.Client;

beforeAll(async () => {
  migrated = await createTestDatabase();
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  const name = `${new URL(migrated.ownerUrl).pathname.slice(1)}_empty`;
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(migrated.ownerUrl);
  url.pathname = name;
  empty = { url: url.href, name };
});
afterAll(async () => {
  await server.query(`DROP DATABASE ${empty.name} WITH (FORCE)`);
  await server.end();
  await migrated.drop();
});

/**
 * Creates a database in which the migration `name` fails at its end. `applyRest` applies it after
 * all.
 */
async function upTo(name: string, work: (url: string, applyRest: () => Promise<void>) => Promise<void>): Promise<void> {
  const fresh = `${empty.name}_2`;
  await server.query(`CREATE DATABASE ${fresh}`);
  const url = empty.url.replace(empty.name, fresh);
  try {
    await withClient(url, (client) =>
      client.query(
        `CREATE TABLE _prisma_migrations (
           id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
           migration_name VARCHAR(255) NOT NULL CHECK (migration_name <> '${name}'), logs TEXT,
           rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`,
      ),
    );
    await expect(applyMigrations(url)).rejects.toThrow('_prisma_migrations');
    await work(url, async () => {
      await withClient(url, (client) =>
        client.query('ALTER TABLE _prisma_migrations DROP CONSTRAINT _prisma_migrations_migration_name_check'),
      );
      await applyMigrations(url);
    });
  } finally {
    await server.query(`DROP DATABASE ${fresh} WITH (FORCE)`);
  }
}

const applied = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      'SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY 1',
    );
    return rows;
  });

test('processes that start together on an empty database apply each migration once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => applyMigrations(empty.url)));
  expect(await applied(empty.url)).toEqual(MIGRATIONS.map((name) => ({ name, finished: true })));
  await applyMigrations(empty.url);
  expect(await applied(empty.url)).toHaveLength(MIGRATIONS.length);
});

test('a migration that fails leaves nothing behind, and the next start applies it', async () => {
  // The second one, which makes what is asked for below.
  const failing = MIGRATIONS[1] ?? '';
  await upTo(failing, async (url, applyRest) => {
    const functions = () =>
      withClient(
        url,
        async (client) => (await client.query("SELECT FROM pg_proc WHERE proname = 'ledger_post'")).rowCount,
      );
    expect(await applied(url)).toEqual(
      MIGRATIONS.slice(0, MIGRATIONS.indexOf(failing)).map((name) => ({ name, finished: true })),
    );
    expect(await functions()).toBe(0);
    await applyRest();
    expect(await functions()).toBe(1);
    expect(await applied(url)).toEqual(MIGRATIONS.map((name) => ({ name, finished: true })));
  });
});

test('a migration that was changed after it was applied is rejected by its name', async () => {
  const first = MIGRATIONS[0] ?? '';
  await withClient(migrated.ownerUrl, async (client) => {
    expect(await missingMigrations(client)).toEqual([]);
    await client.query("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = $1", [first]);
  });
  await expect(applyMigrations(migrated.ownerUrl)).rejects.toThrow(
    `Migration ${first} was changed after it was applied: restore the file and write a new migration.`,
  );
});

test('a database of a newer version is not missing anything', async () => {
  await withClient(empty.url, async (client) => {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99991231000000_later', now())`,
    );
    expect(await missingMigrations(client)).toEqual([]);
  });
});

test('a database that migrations from before the first release made is rejected, and left as it is', async () => {
  const old = `${empty.name}_old`;
  await server.query(`CREATE DATABASE ${old}`);
  const url = empty.url.replace(empty.name, old);
  try {
    await withClient(url, (client) =>
      client.query(
        `CREATE TABLE merchants (id uuid PRIMARY KEY);
         CREATE TABLE _prisma_migrations (
           id text PRIMARY KEY, checksum text NOT NULL, migration_name text NOT NULL, finished_at timestamptz);
         INSERT INTO _prisma_migrations VALUES ('x', 'x', '20261202100300_deadlines_of_the_psp', now())`,
      ),
    );
    const rejection = await applyMigrations(url).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(StartError);
    expect(rejection).toMatchObject({
      code: 'DATABASE_TOO_OLD',
      message: expect.stringMatching(/made before the first release.*remove the data folder.*drop that database/),
    });
    const { rows } = await withClient(url, (client) =>
      client.query(
        `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
      ),
    );
    expect(rows).toEqual([{ relname: '_prisma_migrations' }, { relname: 'merchants' }]);
    expect(await applied(url)).toEqual([{ name: '20261202100300_deadlines_of_the_psp', finished: true }]);
  } finally {
    await server.query(`DROP DATABASE ${old} WITH (FORCE)`);
  }
});

test('a database of another program is rejected and left as it is, and tables of an extension make none of it', async () => {
  const other = `${empty.name}_other`;
  await server.query(`CREATE DATABASE ${other}`);
  const url = empty.url.replace(empty.name, other);
  const run = (sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);
  try {
    for (const theirs of ['CREATE TABLE customers (id int)', 'CREATE TABLE _prisma_migrations (id int)']) {
      await run(theirs);
      const rejection = await applyMigrations(url).catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(StartError);
      expect(rejection).toMatchObject({
        message: expect.stringMatching(/another program \(customers\): give DATABASE_URL/),
      });
    }
    expect(await run(`SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'`)).toEqual([{ count: 2 }]);
    await run('DROP TABLE customers, _prisma_migrations; CREATE TABLE spatial_ref_sys (id int)');
    await run(`INSERT INTO pg_depend SELECT 'pg_class'::regclass, 'spatial_ref_sys'::regclass, 0, 'pg_extension'::regclass, oid, 0, 'e'
               FROM pg_extension LIMIT 1`);
    await applyMigrations(url);
    expect(await applied(url)).toHaveLength(MIGRATIONS.length);
  } finally {
    await server.query(`DROP DATABASE ${other} WITH (FORCE)`);
  }
});

test('a database that has all migrations from before the squash is served as it is, and gets what came after', async () => {
  const before = `${empty.name}_before`;
  await server.query(`CREATE DATABASE ${before}`);
  const url = empty.url.replace(empty.name, before);
  const lastSquashed = '20261206000022_test_clocks';
  const later = MIGRATIONS.filter((name) => name > lastSquashed);
  const old = ['20261122162000_initial', '20261205090600_payouts_booked_before'];
  try {
    await applyMigrations(url, { only: (name) => name <= lastSquashed });
    await withClient(url, async (client) => {
      await client.query('DELETE FROM _prisma_migrations');
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         SELECT left(name, 36), 'x', name, now() FROM unnest($1::text[]) AS name`,
        [old],
      );
      expect((await missingMigrations(client)).map(({ name }) => name)).toEqual(later);
      await applyMigrations(url);
      expect(await missingMigrations(client)).toEqual([]);
    });
    // A process of the version before finds its own.
    expect(await applied(url)).toEqual([...old, ...later].map((name) => ({ name, finished: true })));
  } finally {
    await server.query(`DROP DATABASE ${before} WITH (FORCE)`);
  }
});

test('a migration that waits for a reader of its table lets others read it meanwhile, and is applied in the end', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const reader = new pg.Client({ connectionString: database.ownerUrl });
  await reader.connect();
  try {
    await reader.query('BEGIN');
    await reader.query('SELECT FROM transactions LIMIT 1');
    const lines: string[] = [];
    const applied = applyMigrations(database.ownerUrl, {
      onProgress: (line) => void lines.push(line),
      work: async (client) => void (await client.query('ALTER TABLE transactions ADD COLUMN IF NOT EXISTS later text')),
    });
    // The tables of all tests' databases have the same numbers.
    const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'transactions'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const untilItWaits = async () => {
      while ((await reader.query(isWaiting)).rows.length === 0);
    };
    await Promise.race([untilItWaits(), applied]);
    // A read that comes now queues behind the change. It is served, because the change gives way
    // before the read's own limit.
    await db.pool.query('SELECT FROM transactions LIMIT 1');
    await reader.query('COMMIT');
    await applied;
    expect((await db.pool.query('SELECT later FROM transactions LIMIT 1')).fields).toHaveLength(1);
    expect(lines).toEqual(['Waiting for a session of the database that holds a lock which the migration needs']);
  } finally {
    await reader.end();
    await db.close();
    await database.drop();
  }
});
