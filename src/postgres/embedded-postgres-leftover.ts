import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#domain/errors/start-error.ts';
import { dataFolder, type Place } from './embedded-postgres-place.ts';
import { processesNamed, processFolder, processGone } from './running-process.ts';

/**
 * A fast shutdown rolls back open transactions and writes a checkpoint; a disk that needs longer
 * than this is broken.
 */
const FAST_SHUTDOWN_MS = 20_000;
/** An immediate shutdown only has to end processes. */
const IMMEDIATE_SHUTDOWN_MS = 5_000;

/**
 * Stops everything that still runs on the data folder: the server that a killed owner left behind,
 * and the sessions of a server whose main process was killed. Otherwise two servers could work on
 * one folder. Throws StartError when a process does not end.
 */
export async function stopLeftover(place: Place): Promise<void> {
  const data = dataFolder(place);
  const lock = readServerLock(data);
  if (lock) {
    if (isServerOf(lock.pid, data)) await shutDown(lock.pid);
    else disownLock(data, lock);
  }
  await endSessions(data);
}

/**
 * Stops a server with a fast shutdown, and with an immediate one when that takes too long. Throws
 * StartError when it does not stop.
 */
export async function shutDown(pid: number): Promise<void> {
  for (const [name, patienceMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    if (!signal(pid, name) || (await processGone(pid, patienceMs))) return;
  }
  throw doesNotStop(pid);
}

/** Ends a server that no longer answers. It recovers at its next start, as after a crash. */
export async function endServer(pid: number): Promise<void> {
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    if (!signal(pid, name) || (await processGone(pid, IMMEDIATE_SHUTDOWN_MS))) return;
  }
}

/**
 * Returns the content of the server's lock file and the process id of its main process, which
 * begins it. Undefined when there is no such file.
 */
export function readServerLock(data: string): { pid: number; text: string } | undefined {
  try {
    const text = readFileSync(join(data, 'postmaster.pid'), 'utf8');
    return { pid: Number.parseInt(text, 10), text };
  } catch {
    return undefined;
  }
}

/**
 * Ends the sessions of a killed main process. They would notice its end only at their next check,
 * and until then the new server would find their shared memory in use and not start.
 */
async function endSessions(data: string): Promise<void> {
  for (const pid of processesNamed('postgres').filter((pid) => isServerOf(pid, data))) {
    // A session without its main process can't shut down in order; the server recovers in any case.
    if (signal(pid, 'SIGKILL') && !(await processGone(pid, IMMEDIATE_SHUTDOWN_MS))) throw doesNotStop(pid);
  }
}

/**
 * Replaces the process id in a lock file whose process is no server of ours: after a crash of the
 * machine the number may be in use again, and in a container that reaps no children a killed server
 * keeps its number as a zombie. PostgreSQL checks the number only, and would not start. It accepts
 * the number of its parent, which is ours. The rest of the file stays, because with it PostgreSQL
 * makes sure that no old session still writes. The file is written in place: on a full disk a file
 * that was truncated first would stay empty.
 */
function disownLock(data: string, lock: { pid: number; text: string }): void {
  if (!signal(lock.pid, 0)) return;
  const file = openSync(join(data, 'postmaster.pid'), 'r+');
  try {
    const text = lock.text.replace(/^\d+/, String(process.pid));
    writeSync(file, text, 0);
    ftruncateSync(file, Buffer.byteLength(text));
  } finally {
    closeSync(file);
  }
}

/**
 * Whether a process works in the data folder. Compares inodes, because one folder may have several
 * names.
 */
function isServerOf(pid: number, data: string): boolean {
  const folder = processFolder(pid);
  if (folder === undefined) return false;
  try {
    const [a, b] = [statSync(folder), statSync(data)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // One of the two was removed, so the process does not work on this folder.
    return false;
  }
}

/** Returns false when there is no such process. Signal 0 only checks. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const doesNotStop = (pid: number) =>
  new StartError('START_FAILED', `The database server (process ${pid}) does not stop. End it with: kill -9 ${pid}`);
