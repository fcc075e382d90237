import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '#domain/errors/start-error.ts';
import type { Database } from './database.ts';
import { grantPrivileges } from './privileges.ts';
import { withClient } from './with-client.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../prisma/migrations');

/** Advisory lock: processes that start together migrate one after the other. An arbitrary value. */
const MIGRATION_LOCK = 7_401_001;

/** Well below the two seconds after which a request that queues behind it is turned away. */
const LOCK_WAIT_MS = 500;
/** For those that queued up to be served. */
const LOCK_PAUSE_MS = 500;
/** Five minutes: longer than a report may read, shorter than an operator's patience. */
const LOCK_TRIES_MAX = 300;
/** PostgreSQL's lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';

export type MigrationOptions = {
  /** The role that serves, when another role migrates: it gets the privileges that it needs. */
  serviceRole?: string;
  /** Creates what else the owner needs, before privileges are granted. */
  work?: (client: pg.ClientBase) => Promise<void>;
  /** Whether a migration that is missing is applied; all of them, unless said otherwise. */
  only?: (name: string) => boolean;
  /** Gets a line for the operator when a session keeps a table that has to be changed locked. */
  onProgress?: ((line: string) => void) | undefined;
};

type Migration = { name: string; sql: string };

/**
 * Before the first release the migrations were squashed: the first ones, up to `into`, make at once
 * what the older ones, up to `last`, had come to.
 */
const SQUASHED = { last: '20261205090600_payouts_booked_before', into: '20261206000022_test_clocks' };

/**
 * Brings the database to the newest migration and keeps `_prisma_migrations` (names, checksums) as
 * `prisma migrate deploy` does. Prisma's own engine is not used: over the driver adapter it cuts a
 * script at every `;`, also inside a function's body, and runs it without a transaction. Here a
 * migration and its row are one commit, so that a kill in the middle leaves nothing behind.
 * Throws when an applied migration was changed afterwards. Throws StartError, and changes nothing,
 * when the role may not migrate, when the tables are another program's, or when the database is
 * older than the first of the migrations (unless it has all from before the squash); and when a
 * session keeps a table that has to be changed locked.
 */
export async function applyMigrations(databaseUrl: string, options: MigrationOptions = {}): Promise<void> {
  const { serviceRole, work, only = () => true, onProgress } = options;
  await withClient(databaseUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await client.query<{ empty: boolean; foreign: string[]; mayCreate: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NULL AS empty, ${FOREIGN_TABLES} AS foreign,
        has_schema_privilege('public', 'CREATE') AS "mayCreate"`,
    );
    const { empty, foreign = [], mayCreate } = rows[0] ?? {};
    if (foreign.length > 0) throw isForeign(foreign);
    if (empty && !mayCreate) throw mayNotMigrate();
    if (empty) await client.query(PRISMA_MIGRATIONS_TABLE);
    const missing = (await missingMigrations(client)).filter(({ name }) => only(name));
    if (missing.length > 0 && !mayCreate) throw mayNotMigrate();
    for (const { name, sql } of missing) {
      await commitBesideOthers(client, onProgress, async () => {
        await client.query(sql);
        await client.query(
          `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
           VALUES ($1, $2, $3, now(), now(), 1)`,
          [randomUUID(), sha256(sql), name],
        );
        // In the same commit: until then, the service can't call a function that was replaced. From
        // a database that was empty nobody is served before the last migration.
        const isServed = !empty || name === missing.at(-1)?.name;
        if (serviceRole && isServed) await grantPrivileges(client, serviceRole);
      });
    }
    await commitBesideOthers(client, onProgress, async () => {
      await work?.(client);
      if (serviceRole) await grantPrivileges(client, serviceRole);
    });
  });
}

/** Whether the database has tables of a service, of this version or of an older one. */
export async function isMigrated(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  return rows[0]?.found ?? false;
}

/**
 * Commits `work` beside processes that serve. A change of a table waits for whoever reads it, and
 * everybody who comes later waits behind the change: it waits for a moment only, lets the others
 * pass, and is tried again. Throws StartError when a session keeps its lock.
 */
async function commitBesideOthers(
  client: pg.ClientBase,
  onProgress: MigrationOptions['onProgress'],
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      // A connection that broke is the error itself.
      await client.query('ROLLBACK').catch(() => {});
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === 1)
        onProgress?.('Waiting for a session of the database that holds a lock which the migration needs');
      if (tries === LOCK_TRIES_MAX) throw isLocked();
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/**
 * Brings the database of `db` to the newest migration: as its owner when `ownerUrl` is given, and
 * then grants the role of `db` the privileges that serving needs; else as the role of `db`.
 * Options as in MigrationOptions. Throws as applyMigrations does.
 */
export async function migrate(
  db: Database,
  ownerUrl?: string,
  { work, onProgress }: Pick<MigrationOptions, 'work' | 'onProgress'> = {},
): Promise<void> {
  const { rows } = await db.pool.query<{ role: string }>('SELECT current_user AS role');
  const serviceRole = rows[0]?.role;
  await applyMigrations(ownerUrl ?? db.directUrl, {
    ...(work && { work }),
    onProgress,
    ...(ownerUrl && serviceRole && { serviceRole }),
  });
}

export type AppliedMigration = { name: string; checksum: string };

/**
 * Of a database that has all migrations from before the squash: the squashed ones in their place,
 * which would change nothing. Functions that only older versions call stay in such a database, and
 * so do its rows, by which a process of the version before finds that it is up to date.
 */
export function afterSquash(applied: AppliedMigration[]): AppliedMigration[] {
  if (!applied.some(({ name }) => name === SQUASHED.last)) return applied;
  const squashed = readMigrations().filter(({ name }) => name <= SQUASHED.into);
  return [
    ...squashed.map(({ name, sql }) => ({ name, checksum: sha256(sql) })),
    ...applied.filter(({ name }) => name > SQUASHED.last),
  ];
}

/** The migrations that a database has. */
export async function findAppliedMigrations(client: pg.ClientBase | pg.Pool): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name',
  );
  return afterSquash(rows);
}

/**
 * Returns the migrations of this version that the database lacks. Throws when one was edited after
 * it was applied, and StartError when the database was made by migrations that were removed.
 */
export async function missingMigrations(client: pg.ClientBase | pg.Pool): Promise<Migration[]> {
  const applied = await findAppliedMigrations(client);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const migrations = readMigrations();
  const first = migrations[0]?.name ?? '';
  if ([...checksums.keys()].some((name) => name < first)) throw madeBeforeFirstRelease();
  return migrations.filter(({ name, sql }) => {
    const checksum = checksums.get(name);
    if (checksum !== undefined && checksum !== sha256(sql)) {
      throw new Error(
        `Migration ${name} was changed after it was applied: restore the file and write a new migration.`,
      );
    }
    return checksum === undefined;
  });
}

/** Every migration of prisma/migrations, in the order in which they are applied. */
function readMigrations(): Migration[] {
  return readdirSync(MIGRATIONS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8') }));
}

const mayNotMigrate = () =>
  new StartError(
    'START_FAILED',
    'The database has to be brought to this version, which the role of DATABASE_URL may not do: set DATABASE_OWNER_URL.',
  );

/**
 * The first tables, but for those of extensions, of a database that no service has made: a program
 * that keeps its migrations as Prisma does, too, has no merchants.
 */
const FOREIGN_TABLES = `ARRAY(SELECT c.relname::text FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
    AND (to_regclass('public._prisma_migrations') IS NULL OR to_regclass('public.merchants') IS NULL)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 3)`;

const isForeign = (tables: readonly string[]) =>
  new StartError(
    'START_FAILED',
    `The database has tables of another program (${tables.join(', ')}): give DATABASE_URL a database of its own.`,
  );

const isLocked = () =>
  new StartError(
    'START_FAILED',
    'A session of the database holds a lock that the migration needs: find it in pg_stat_activity, end it, and start again.',
  );

const madeBeforeFirstRelease = () =>
  new StartError(
    'DATABASE_TOO_OLD',
    'This database was made before the first release, by migrations that are gone, and can’t be brought to this version: ' +
      'start with an empty one (remove the data folder, .trilho or TRILHO_HOME; with DATABASE_URL, drop that database and create it again).',
  );

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Prisma's own table, word for word, so that its command line can read it. */
const PRISMA_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;
