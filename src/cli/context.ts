import { existsSync, realpathSync } from 'node:fs';
import { createDatabaseClock } from '#config/database-clock.ts';
import { type Environment, processEnvironment } from '#config/environment.ts';
import { hasMasterKeys, readMasterKeys } from '#config/master-keys.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { isMigrated, migrate } from '#db/connection/migrate.ts';
import { readSetting } from '#db/connection/settings.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { existingFolder } from '#postgres/embedded-postgres-folder.ts';
import { checkMasterKeys, rejectOtherMasterKeys } from '#services/encryption/check-master-keys.ts';
import { operatorName } from './operator-name.ts';
import { withOwnServer } from './with-own-server.ts';

/** The parts of the installation that a command works with. */
export type CommandContext = {
  env: Environment;
  db: Database;
  /** Of the role that owns the tables. */
  ownerUrl: string;
  secretBox: SecretBox;
  clock: () => Date;
  settings: { demo: boolean; publicUrl: string; retentionYears: number };
  /** Does nothing: the workers beside it look for tasks every second. */
  wakeWorkers: () => void;
  /** Who typed the command, for the audit. */
  operator: string;
};

/** What went wrong, in one line for the operator. */
export class CommandError extends Error {}

type Before = 'migrate and check keys' | 'migrate' | 'check keys' | 'nothing' | 'make a database' | 'restore';

/** A command uses few connections: the service beside it keeps its own. */
const CONNECTIONS = 2;

const hasDatabase = (home: string) => existsSync(home) && existingFolder(realpathSync(home)) !== undefined;

/** What is to be opened with the master keys: this installation's database, or a backup. */
type Opened = 'database' | 'backup';

/** What to do without master keys. A start before a restore makes keys that open nothing of it. */
const WHERE_TO_GET_KEYS: Record<Opened, string> = {
  database:
    'Start the service first, or run the command with its own environment: its TRILHO_HOME, or its MASTER_KEYS.',
  backup:
    'Put those of the installation that took the backup there, as the file master-keys, or give them as MASTER_KEYS; don’t start the service before.',
};

const WHERE_LOST_KEYS_ARE =
  'Put your copy of the file master-keys back there, or give it as MASTER_KEYS: nothing else opens the database.';

/**
 * This installation's master keys. Throws CommandError where there are none: fresh ones would be
 * taken for the installation's, and open nothing of it.
 */
export function openOwnSecretBox(env: Environment, opened: Opened = 'database'): SecretBox {
  return createSecretBox(readOwnMasterKeys(env, opened));
}

/** As openOwnSecretBox(), the list itself. */
export function readOwnMasterKeys(env: Environment, opened: Opened = 'database'): string {
  if (hasMasterKeys(env)) return readMasterKeys(env);
  const isLost = opened === 'database' && !env.databaseUrl && hasDatabase(env.home);
  throw new CommandError(
    `There are no master keys in ${env.home}. ${isLost ? WHERE_LOST_KEYS_ARE : WHERE_TO_GET_KEYS[opened]}`,
  );
}

/**
 * Runs a command against this installation's database: the running service's, or its own server for
 * as long as the command takes. Progress goes to standard error, so that `--json` stays clean.
 * Throws CommandError where there is no database, or an empty one: it would be taken for the
 * installation's.
 */
export async function withContext<T>(
  work: (context: CommandContext) => Promise<T>,
  /**
   * What is done first: `migrate` alone where the command is about the master keys themselves,
   * `check keys` alone where a newer version leaves the database as it is, `nothing` where nothing
   * at all is written to it, `make a database` where the command needs one that may be empty, and
   * `restore` where it fills one, also in the place of one that was lost.
   */
  before: Before = 'migrate and check keys',
): Promise<T> {
  const env = processEnvironment();
  const mayMake = before === 'make a database' || before === 'restore';
  if (!env.databaseUrl && !mayMake && !hasDatabase(env.home)) {
    throw new CommandError(
      `There is no database in ${env.home}. Start the service first, or run the command with the service's own environment: its TRILHO_HOME, or its DATABASE_URL and MASTER_KEYS.`,
    );
  }
  const secretBox = openOwnSecretBox(env, mayMake ? 'backup' : 'database');
  const onProgress = (message: string) => console.error(`  ${message}`);
  const { home, mayAddUser } = env;
  const replacesLost = before === 'restore';
  const run = (at: DatabaseAt) => withDatabase(at, { env, secretBox, before, onProgress }, work);
  if (env.databaseUrl !== undefined) return run({ url: env.databaseUrl, ownerUrl: env.databaseOwnerUrl });
  return withOwnServer(
    () => startEmbeddedPostgres({ home, purpose: 'command', mayAddUser, onProgress, replacesLost }),
    run,
  );
}

const noTables = () =>
  new CommandError(
    'This database has no tables: it is not a service’s, or is empty. Start the service first, or run the command with the service’s own DATABASE_URL.',
  );

type DatabaseAt = { url: string; ownerUrl: string | undefined };

async function withDatabase<T>(
  { url, ownerUrl: owner }: DatabaseAt,
  {
    env,
    secretBox,
    before,
    onProgress,
  }: { env: Environment; secretBox: SecretBox; before: Before; onProgress: (message: string) => void },
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const directUrl = env.databaseDirectUrl ?? url;
  const db = openDatabase(url, { max: CONNECTIONS, directUrl });
  try {
    if (before === 'migrate and check keys' || before === 'migrate') {
      // It would become one without merchants, whose ledger is balanced.
      if (!(await isMigrated(db))) throw noTables();
      await migrate(db, owner, { onProgress });
    }
    if (before === 'migrate') await rejectOtherMasterKeys({ db, secretBox });
    const clock = await readClock(db);
    const publicUrl = env.publicUrl ?? `http://localhost:${env.port}`;
    const wakeWorkers = () => {};
    const operator = operatorName();
    const contextOf = (demo: boolean) => ({
      ...{ env, db, ownerUrl: owner ?? directUrl, secretBox, clock, wakeWorkers, operator },
      settings: { demo, publicUrl, retentionYears: env.retentionYears },
    });
    if (before !== 'migrate and check keys' && before !== 'check keys') return await work(contextOf(env.demo));
    if (!(await isMigrated(db))) throw noTables();
    await checkMasterKeys({ db, secretBox, clock });
    const demo = ((await readSetting(db, secretBox, 'demo')) ?? String(env.demo)) === 'true';
    return await work(contextOf(demo));
  } finally {
    await db.close();
  }
}

/** The time of the database's machine, as the service's processes have it. */
async function readClock(db: Database): Promise<() => Date> {
  const clock = createDatabaseClock();
  const askedAt = performance.now();
  const { rows } = await db.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (rows[0]) clock.follow({ now: rows[0].now, roundTripMs: performance.now() - askedAt });
  return clock.now;
}
