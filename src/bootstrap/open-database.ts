import { EnvironmentError } from '#config/environment.ts';
import { setDefaultLimits } from '#db/accounts/set-default-limits.ts';
import { checkServer } from '#db/connection/check-server.ts';
import type { Database } from '#db/connection/database.ts';
import { type MigrationOptions, migrate } from '#db/connection/migrate.ts';
import { tooPowerful } from '#db/connection/privileges.ts';
import { readSetting, setSettingOnce } from '#db/connection/settings.ts';
import { withClient } from '#db/connection/with-client.ts';
import { endSeries } from '#db/point-in-time/archive-log.ts';
import { type Lanes, openLanes, shareConnections } from '#db/tasks/lanes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { StartError } from '#domain/errors/start-error.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { createTablesOn as createSandboxTables } from '#sandbox/tables.ts';
import { checkMasterKeys, MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { awaitDatabase } from './await-database.ts';
import { reportOthersArchive } from './report-others-archive.ts';
import type { Startup } from './startup.ts';

export type OpenedDatabase = {
  /** For the role that serves. */
  url: string;
  /** `url` past a pooler: for a session that listens or holds locks. */
  directUrl: string;
  lanes: Lanes & Pick<Database, 'renewConnections'>;
  /** For the role that owns the database; on the embedded server, its superuser. */
  ownerUrl: string | undefined;
  /** Connections for the sandbox, which has a pool of its own. */
  sandboxConnections: number;
  /**
   * For pools: logs a broken connection, which the pool replaces, unless the service is closing.
   */
  onConnectionError: (error: Error) => void;
};

/**
 * Starts the embedded PostgreSQL unless DATABASE_URL names a server, opens the pools, migrates, and
 * rejects a database that can't be trusted. Throws EnvironmentError and StartError.
 */
export async function openDatabase(startup: Startup, secretBox: SecretBox): Promise<OpenedDatabase> {
  const { env, closing, log, runs, sandboxBase, options } = startup;
  const { url, ownerUrl } = env.databaseUrl
    ? { url: env.databaseUrl, ownerUrl: env.databaseOwnerUrl }
    : await startPostgres(startup, secretBox);
  const directUrl = env.databaseDirectUrl ?? url;
  const onConnectionError = (error: Error) => {
    if (!closing.begun) log.warn({ err: error }, 'A database connection broke; the pool replaces it.');
  };
  const shares = shareConnections(env.databaseConnections, {
    web: runs('web'),
    worker: runs('worker'),
    sandbox: runs('sandbox'),
  });
  // A process with several roles is named after the first.
  const role = (['web', 'worker', 'sandbox'] as const).find(runs);
  const lanes = openLanes({ url, directUrl, applicationName: `trilho-${role}` }, shares, onConnectionError);
  closing.last('database', () => lanes.close());
  const db = lanes.background;
  if (env.databaseUrl)
    await awaitDatabase(db.pool, { isStopping: () => closing.begun, onProgress: options.onProgress });
  await prepareDatabase(startup, {
    ownerUrl,
    // A process beneath another one does not: that one has created them.
    work: sandboxBase && !options.above ? createSandboxTables : undefined,
    db,
    secretBox,
  });
  const power = await tooPowerful(db.pool);
  if (power) {
    log.warn({ reason: power }, 'The database role of DATABASE_URL may change the ledger; see DATABASE_OWNER_URL.');
  }
  if (runs('web') || runs('worker')) await setDefaultLimits(db.pool, env.defaultLimits);
  if (!env.databaseUrl && ownerUrl && !env.backups?.pointInTime) await withClient(ownerUrl, endSeries);
  return { url, directUrl, ownerUrl, lanes, sandboxConnections: shares.sandbox, onConnectionError };
}

async function startPostgres(
  { env, closing, log, options }: Startup,
  secretBox: SecretBox,
): Promise<{ url: string; ownerUrl: string }> {
  if (env.backups?.pointInTime) await reportOthersArchive(env.backups.folder, secretBox, log);
  const postgres = await startEmbeddedPostgres({
    home: env.home,
    purpose: 'service',
    mayAddUser: env.mayAddUser,
    supervise: {
      onTrouble: (line: string) => log.warn({}, line),
      onGone: (error: StartError) => options.onGone?.(error),
    },
    onProgress: options.onProgress,
  });
  closing.last('postgres', () => postgres.stop());
  return postgres;
}

/**
 * Migrates the database. Throws EnvironmentError for one that can't be trusted, or that was made
 * under another key or as the other kind of installation.
 */
async function prepareDatabase(
  { env, clock, options }: Startup,
  of: { ownerUrl: string | undefined; work: MigrationOptions['work']; db: Database; secretBox: SecretBox },
): Promise<void> {
  const { ownerUrl, work, db, secretBox } = of;
  await checkServer(db.pool).catch((error: Error) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      code ? `The database of DATABASE_URL can't be used (${code}): ${error.message}.` : error.message,
    );
  });
  await migrate(db, ownerUrl, { ...(work && { work }), onProgress: options.onProgress });
  await checkMasterKeys({ db, secretBox, clock }).catch((error: unknown) => {
    throw error instanceof MasterKeyError ? new EnvironmentError(error.message) : error;
  });
  const wasDemo = await readSetting(db, secretBox, 'demo');
  if (wasDemo === null) await setSettingOnce(db, secretBox, 'demo', String(env.demo));
  else if (wasDemo !== String(env.demo)) {
    throw new EnvironmentError(
      env.demo
        ? 'This database belongs to a real installation: it can’t be run as a demo. Set DEMO=false and the PSP, or use another database.'
        : 'This database was made as a demo, with play money in it: use an empty database (or TRILHO_HOME) for a real installation.',
    );
  }
}
