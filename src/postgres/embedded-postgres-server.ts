import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '#domain/errors/start-error.ts';
import { endServer, readServerLock, shutDown, stopLeftover } from './embedded-postgres-leftover.ts';
import { dataFolder, type Place, SERVER_ENVIRONMENT } from './embedded-postgres-place.ts';
import { freePort } from './free-port.ts';
import { lastFatal } from './last-fatal.ts';
import { limitLog, logFile, openLog } from './server-log.ts';

/** The version of the PostgreSQL in the packages. */
export const MAJOR_VERSION = 18;
export const DATABASE = 'trilho';
/** The role that `initdb` makes: it owns the database, migrates it, and may do everything. */
export const OWNER_ROLE = 'trilho';
/**
 * Recovery after a crash replays at most max_wal_size, which takes seconds; five minutes leave room
 * for a slow disk.
 */
const READY_MS = 300_000;
/** A server restored from an archive replays up to a day of work. */
const REPLAYED_MS = 6 * 60 * 60_000;
const POLL_MS = 50;
/**
 * A killed server leaves shared memory behind for a moment, and another program can take a free
 * port: the start is repeated once after this wait.
 */
const RETRY_AFTER_MS = 1_000;
/**
 * A server that works answers within milliseconds, also under load; one that takes longer has
 * stopped.
 */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Modest enough for a small machine. Durability is PostgreSQL's default, on: the service rejects a
 * server without it.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  // Limits what is kept for a log archive that is unreachable (BACKUP_POINT_IN_TIME): the disk is
  // for payments first.
  max_slot_wal_keep_size: '4GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A failed statement and its detail would carry documents, e-mails and keys into the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * `answers`: it replied to a new connection, if only with an error. `silent`: it did not. `lost`:
 * its data folder was removed or taken by another server.
 */
export type ServerState = 'answers' | 'silent' | 'lost';

export type Server = {
  port: number;
  /** Resolves when the main process has ended, for whatever reason. */
  ended: Promise<unknown>;
  /** Also keeps its log from growing without a bound. */
  look(): Promise<ServerState>;
  stop(): Promise<void>;
  /** Ends the server even when it does not answer. */
  kill(): Promise<void>;
};

/**
 * Starts the server on a free port and waits until it answers and has our database. Throws
 * StartError START_FAILED.
 */
export async function startServer(place: Place, password: string): Promise<Server> {
  const first = await tryStart(place, password, await freePort());
  if (typeof first !== 'string') return first;
  await sleep(RETRY_AFTER_MS);
  // A server whose owner was killed a moment ago may appear only now.
  await stopLeftover(place);
  const second = await tryStart(place, password, await freePort());
  if (typeof second !== 'string') return second;
  throw new StartError('START_FAILED', `PostgreSQL did not start: ${second} Its log is ${logFile(place)}.`);
}

/**
 * Starts a server that has ended again, on the port that its clients use, after ending its
 * remaining processes. Throws StartError: DATA_LOST when its data folder was removed, else
 * START_FAILED.
 */
export async function restartServer(place: Place, password: string, port: number): Promise<Server> {
  if (!existsSync(join(dataFolder(place), 'PG_VERSION'))) {
    throw new StartError(
      'DATA_LOST',
      `The database in ${dataFolder(place)} was removed while the service ran. Restore it from a backup.`,
    );
  }
  await stopLeftover(place);
  const server = await tryStart(place, password, port);
  if (typeof server !== 'string') return server;
  throw new StartError('START_FAILED', `${server} Its log is ${logFile(place)}.`);
}

/** Returns the URL of a database on the server. The password must need no escaping in a URL. */
export function databaseUrl(port: number, role: string, password: string, database: string = DATABASE): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** Tries once. Returns the running server, or the reason why it does not run. */
async function tryStart(place: Place, password: string, port: number): Promise<Server | string> {
  const log = await openLog(place);
  const logStart = statSync(logFile(place)).size;
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group: a Ctrl-C in the terminal reaches every process of the service, and the
  // database has to outlive the last request.
  const child = spawn(place.postgres, ['-D', dataFolder(place), '-p', String(port), ...settings], {
    ...place.account,
    cwd: '/',
    detached: true,
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let spawnError: string | undefined;
  child.on('error', (error) => {
    spawnError = `${error.message}.`;
  });
  const readyMs = existsSync(join(dataFolder(place), 'recovery.signal')) ? REPLAYED_MS : READY_MS;
  const ended = once(child, 'exit').catch(() => {});
  child.unref();
  try {
    for (let waitedMs = 0; waitedMs < readyMs; waitedMs += POLL_MS) {
      if (spawnError) return spawnError;
      if (hasExited(child)) return lastFatal(readFileSync(logFile(place)).subarray(logStart).toString('utf8'));
      if (await answers(port, password)) return runningServer(place, { child, port, password, ended });
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stopChild(child);
    throw error;
  }
  await stopChild(child);
  return `it did not answer within ${readyMs / 1000} s.`;
}

type Running = { child: ChildProcess; port: number; password: string; ended: Promise<unknown> };

function runningServer(place: Place, { child, port, password, ended }: Running): Server {
  return {
    port,
    ended,
    async look() {
      await limitLog(place);
      if (readServerLock(dataFolder(place))?.pid !== child.pid) return 'lost';
      return (await replies(port, password)) ? 'answers' : 'silent';
    },
    async stop() {
      await stopChild(child);
      // A server that was killed leaves its sessions behind for a moment.
      await stopLeftover(place);
    },
    async kill() {
      if (child.pid !== undefined && !hasExited(child)) await endServer(child.pid);
    },
  };
}

/** Whether the server accepts or rejects a new connection: either way it works. */
async function replies(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl(port, OWNER_ROLE, password, 'postgres'),
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // An error that PostgreSQL sent has a severity; one of the operating system, or a time-out, has
    // none.
    return (error as { severity?: string }).severity !== undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns false while the server is still starting. Creates our database on the first start. */
async function answers(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl(port, OWNER_ROLE, password, 'postgres') });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code === '28P01') {
      throw new StartError(
        'START_FAILED',
        'The database rejects the password in the file postgres-password: restore that file from a backup.',
      );
    }
    // The server may have ended during this exchange; then the caller reads the reason from its
    // log.
    if (STILL_STARTING.includes(code) || CUT_OFF.test((error as Error).message)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** No server listens yet, or it says that it is starting up (57P03). */
const STILL_STARTING = ['ECONNREFUSED', 'ECONNRESET', '57P03'];

/**
 * The message of `pg` about a connection that is closed in the middle of a reply; it has no code.
 */
const CUT_OFF = /^Connection terminated/;

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  await shutDown(child.pid);
}
