import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Place, SERVER_ENVIRONMENT } from './embedded-postgres-place.ts';
import { processFolder, processGone } from './running-process.ts';
import { StartError } from './start-error.ts';

export const DATABASE = 'trilho';
/** A fast shutdown rolls back what is open and writes a checkpoint; a disk that needs longer than this is in trouble. */
const FAST_SHUTDOWN_MS = 20_000;
/** An immediate shutdown only has to end processes. */
const IMMEDIATE_SHUTDOWN_MS = 5_000;
/** Recovery after a crash replays at most max_wal_size, seconds of work; five minutes leave room for a slow disk. */
const READY_MS = 300_000;
const POLL_MS = 50;
/** A server that was killed leaves shared memory behind for a moment, and a free port can be taken by somebody: once more, a little later. */
const RETRY_AFTER_MS = 1_000;
/** Keeps the log of a server that has run for years from filling the disk. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Modest enough for a small machine. Durability is PostgreSQL's default, on: the service refuses a server without it. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A failed statement and its detail would carry documents, e-mails and keys into the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export type Server = { port: number; stop(): Promise<void> };

/** Makes the data folder unless it is there. Built aside and moved into place whole: a killed start leaves nothing half made. */
export async function createData(place: Place, password: string): Promise<void> {
  const data = dataFolder(place);
  if (existsSync(data)) return;
  for (const name of readdirSync(place.folder)) {
    if (name.startsWith('data.')) rmSync(join(place.folder, name), { recursive: true, force: true });
  }
  const draft = join(place.folder, `data.${process.pid}`);
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (place.account) chownSync(passwordFile, place.account.uid, place.account.gid);
  try {
    await initdb(place, draft, passwordFile);
    renameSync(draft, data);
    fsyncFolder(place.folder);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Starts the server on a free port and waits until it answers and has our database. */
export async function startServer(place: Place, password: string): Promise<Server> {
  const first = await tryStart(place, password);
  if (typeof first !== 'string') return first;
  await sleep(RETRY_AFTER_MS);
  // A server whose owner was killed a moment ago may have appeared only now.
  await stopLeftover(place);
  const second = await tryStart(place, password);
  if (typeof second !== 'string') return second;
  throw new StartError('START_FAILED', `PostgreSQL did not start: ${second} Its log is ${logFile(place)}.`);
}

/** Stops the server that a killed owner left running, if there is one. */
export async function stopLeftover(place: Place): Promise<void> {
  const data = dataFolder(place);
  const lock = readLock(data);
  if (!lock) return;
  const folder = processFolder(lock.pid);
  if (folder !== undefined && isSameFolder(folder, data)) await shutDown(lock.pid);
  else disownLock(data, lock.text);
}

export function databaseUrl(port: number, password: string, database: string = DATABASE): string {
  return `postgresql://trilho:${password}@127.0.0.1:${port}/${database}`;
}

const dataFolder = (place: Place) => join(place.folder, 'data');
const logFile = (place: Place) => join(place.folder, 'postgres.log');

async function initdb(place: Place, data: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    '--username=trilho',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  const child = spawn(place.initdb, args, {
    ...place.account,
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close').catch((error) => {
    errors += error.message;
    return [1];
  });
  if (code === 0) return;
  throw new StartError('START_FAILED', `The database could not be created in ${place.folder}: ${initdbReason(errors)}`);
}

/** The last line that says something: after an error initdb tells that it cleaned up. */
function initdbReason(errors: string): string {
  const lines = errors.trim().split('\n');
  return lines.findLast((line) => !line.startsWith('initdb: removing')) ?? 'initdb gave no reason.';
}

/** One attempt: the running server, or the reason why there is none. */
async function tryStart(place: Place, password: string): Promise<Server | string> {
  const port = await freePort();
  const log = openLog(place);
  const logStart = statSync(logFile(place)).size;
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group: a Ctrl-C in the terminal reaches every process of ours, and the database has to outlive the last request.
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
  child.unref();
  try {
    for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += POLL_MS) {
      if (spawnError) return spawnError;
      if (hasExited(child)) return lastFatal(place, logStart);
      if (await answers(port, password)) return { port, stop: () => stopChild(child) };
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stopChild(child);
    throw error;
  }
  await stopChild(child);
  return `it did not answer within ${READY_MS / 1000} s.`;
}

/** False while the server is still starting. Creates our database on the first start. */
async function answers(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl(port, password, 'postgres') });
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
        'The database refuses the password in the file postgres-password: restore that file from a backup.',
      );
    }
    if (STILL_STARTING.includes(code)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Nobody listens yet, or the server says that it is starting up (57P03). */
const STILL_STARTING = ['ECONNREFUSED', 'ECONNRESET', '57P03'];

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  await shutDown(child.pid);
}

async function shutDown(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await processGone(pid, patienceMs)) return;
  }
  throw new StartError(
    'START_FAILED',
    `The database server (process ${pid}) does not stop. End it with: kill -9 ${pid}`,
  );
}

function readLock(data: string): { pid: number; text: string } | undefined {
  try {
    const text = readFileSync(join(data, 'postmaster.pid'), 'utf8');
    return { pid: Number.parseInt(text, 10), text };
  } catch {
    return undefined;
  }
}

/**
 * The process that the lock file names is no server of ours, but PostgreSQL, which looks at the number only, would refuse
 * to start: after a crash of the machine the number may be another program's, and in a container that reaps nobody a
 * killed server keeps its number as a zombie. PostgreSQL does not mind its parent's number (ours). The rest of the file
 * stays, because with it PostgreSQL makes sure that no old session still writes.
 */
function disownLock(data: string, text: string): void {
  writeFileSync(join(data, 'postmaster.pid'), text.replace(/^\d+/, String(process.pid)));
}

/** By inode: one folder may have several names. */
function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

function openLog(place: Place): number {
  const file = logFile(place);
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  const log = openSync(file, 'a', 0o600);
  if (place.account) chownSync(file, place.account.uid, place.account.gid);
  return log;
}

/** What the server wrote last before it ended: its fatal line without the time and process in front. */
function lastFatal(place: Place, from: number): string {
  const lines = readFileSync(logFile(place)).subarray(from).toString('utf8').trim().split('\n');
  const line = lines.findLast((text) => /FATAL|PANIC/.test(text)) ?? lines.at(-1);
  return `${line?.replace(/^.*?(FATAL|PANIC): +/, '') || 'it gave no reason'}.`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Makes a rename last through a power cut. */
function fsyncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
