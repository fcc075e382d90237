import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeFolder } from '#config/make-folder.ts';
import { StartError } from '#domain/errors/start-error.ts';
import { createData } from './create-data.ts';
import { detachLostFolder, writeFolder } from './embedded-postgres-folder.ts';
import { stopLeftover } from './embedded-postgres-leftover.ts';
import { claimOwnership, type Owner, type Ownership, type Purpose } from './embedded-postgres-owner.ts';
import { findPlace } from './embedded-postgres-place.ts';
import { putServiceRole, SERVICE_ROLE } from './embedded-postgres-roles.ts';
import { databaseUrl, OWNER_ROLE, restartServer, startServer } from './embedded-postgres-server.ts';
import { keepRunning } from './keep-running.ts';
import { isUnfinished } from './unfinished-restore.ts';

/**
 * How long a start waits for a command that is using the data folder, or for a service that is
 * still starting.
 */
const WAIT_FOR_OWNER_MS = 30_000;
const POLL_MS = 100;

export type EmbeddedPostgres = {
  /** For the role that serves; see privileges.ts. */
  url: string;
  /** For the role that owns the database and migrates it. */
  ownerUrl: string;
  stop(): Promise<void>;
  /** Whether the server is the running service's, so that `stop` does nothing. */
  adopted: boolean;
};

export type StartOptions = {
  home: string;
  purpose: Purpose;
  onProgress?: ((message: string) => void) | undefined;
  /** Whether a start as root may add the system user that PostgreSQL runs as; default: yes. */
  mayAddUser?: boolean;
  /**
   * Whether an empty database takes the place of one that was lost, for a restore: no service
   * serves it before finishRestore(). Default: no.
   */
  replacesLost?: boolean;
  /**
   * With it the server is started again whenever it ends. `onTrouble` gets a line about each
   * failure for the operator, `onGone` the error when the server can't be started again.
   */
  supervise?: { onTrouble(line: string): void; onGone(error: StartError): void };
};

/**
 * Starts the PostgreSQL server of the data folder `home` (an absolute path), creates the folder on
 * the first start, and returns the URLs of its database `trilho`. A command beside a running
 * service shares the service's server instead (`adopted`; its `stop` does nothing). What a killed
 * process left running is stopped and started again. Throws StartError, whose message is one line
 * for the operator: ALREADY_RUNNING, HOME_UNWRITABLE, START_FAILED or DATA_LOST.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { purpose } = options;
  const home = makeHome(options.home);
  let waiting: Owner | undefined;
  for (let waitedMs = 0; waitedMs < WAIT_FOR_OWNER_MS; waitedMs += POLL_MS) {
    const claim = claimHome(home, purpose);
    if ('release' in claim) return await startAsOwner(claim, home, options);
    if (claim.purpose === 'service') {
      if (purpose === 'service') throw alreadyRunning(claim);
      const urls = await ownersUrls(home, claim);
      if (urls) return { ...urls, stop: async () => {}, adopted: true };
    }
    if (!waiting) options.onProgress?.(`Waiting for process ${claim.pid}, which is using the data folder`);
    waiting = claim;
    await sleep(POLL_MS);
  }
  throw new StartError(
    'ALREADY_RUNNING',
    `Process ${waiting?.pid} has kept the data folder ${home} busy for ${WAIT_FOR_OWNER_MS / 1000} s. Wait for it or stop it, then try again.`,
  );
}

async function startAsOwner(
  ownership: Ownership,
  home: string,
  { purpose, onProgress, supervise, mayAddUser = true, replacesLost = false }: StartOptions,
): Promise<EmbeddedPostgres> {
  try {
    if (replacesLost) detachLostFolder(home);
    const place = await findPlace(home, { mayAdd: mayAddUser, announce: onProgress ?? console.error });
    const isNew = !existsSync(join(place.folder, 'data'));
    if (purpose === 'service' && isUnfinished(place.folder)) throw interruptedRestore(home);
    const password = readOrCreatePassword(ownerFile(home), isNew);
    if (isNew) {
      const isLost = hadDatabase(home);
      if (isLost && !replacesLost) throw dataLost(home, place.folder);
      onProgress?.('Creating the database');
      await createData(place, password, { isUnfinished: isLost });
    } else {
      await stopLeftover(place);
    }
    writeFolder(home, place.folder);
    onProgress?.('Starting PostgreSQL');
    const server = await startServer(place, password);
    const urls = { ownerUrl: databaseUrl(server.port, OWNER_ROLE, password), url: '' };
    try {
      // At every start, because the first one may have been killed before it created the role.
      const servicePassword = readOrCreatePassword(serviceFile(home), true);
      await putServiceRole(urls.ownerUrl, servicePassword);
      urls.url = databaseUrl(server.port, SERVICE_ROLE, servicePassword);
    } catch (error) {
      await server.stop();
      throw error;
    }
    ownership.announce(server.port);
    let stopping: Promise<void> | undefined;
    const { port } = server;
    const kept = supervise
      ? keepRunning(server, { ...supervise, restart: () => restartServer(place, password, port) })
      : server;
    const stop = () => {
      stopping ??= kept.stop().finally(() => ownership.release());
      return stopping;
    };
    return { ...urls, stop, adopted: false };
  } catch (error) {
    ownership.release();
    throw error;
  }
}

/** Returns the URLs of the service's server once it answers; undefined while it starts or stops. */
async function ownersUrls(home: string, { port }: Owner): Promise<{ url: string; ownerUrl: string } | undefined> {
  if (port === undefined) return undefined;
  const url = databaseUrl(port, SERVICE_ROLE, readFileSync(serviceFile(home), 'utf8'));
  const ownerUrl = databaseUrl(port, OWNER_ROLE, readFileSync(ownerFile(home), 'utf8'));
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return { url, ownerUrl };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Whether the data folder had a database before: the service's password is written only once the
 * database is complete.
 */
export const hadDatabase = (home: string) => existsSync(serviceFile(home));

function dataLost(home: string, folder: string): StartError {
  return new StartError(
    'DATA_LOST',
    `The database of ${home} is not in ${folder} any more. Restore it from a backup, or remove ${home} to start afresh.`,
  );
}

function interruptedRestore(home: string): StartError {
  return new StartError(
    'START_FAILED',
    `A restore into ${home} was interrupted, and withdrawals in it could be sent twice: run the restore again.`,
  );
}

function alreadyRunning(owner: Owner): StartError {
  return new StartError(
    'ALREADY_RUNNING',
    `Trilho already runs on this data folder (process ${owner.pid}). Stop it first, or set TRILHO_HOME to another folder.`,
  );
}

/**
 * Creates the folder and returns its real path, so that its owner is found under whichever name it
 * is given.
 */
function makeHome(home: string): string {
  try {
    makeFolder(home);
    accessSync(home, constants.W_OK | constants.X_OK);
    return realpathSync(home);
  } catch (error) {
    throw unwritable(home, error);
  }
}

function claimHome(home: string, purpose: Purpose): Ownership | Owner {
  try {
    return claimOwnership(home, purpose);
  } catch (error) {
    throw unwritable(home, error);
  }
}

/** A disk, a quota or a process's limit that has no room left. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

function unwritable(home: string, error: unknown): StartError {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  const advice = NO_ROOM.includes(reason) ? 'Make room there' : 'Make it writable for this user';
  return new StartError(
    'HOME_UNWRITABLE',
    `Can't write to the data folder ${home} (${reason}). ${advice}, or set TRILHO_HOME to another folder.`,
  );
}

const ownerFile = (home: string) => join(home, 'postgres-password');
const serviceFile = (home: string) => join(home, 'postgres-service-password');

function readOrCreatePassword(file: string, mayCreate: boolean): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  if (!mayCreate) {
    throw new StartError(
      'START_FAILED',
      `The file ${file} is missing; the database can't be opened without it. Restore it from a backup.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  writeFileSync(`${file}.new`, password, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return password;
}
