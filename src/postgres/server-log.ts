import { chownSync, constants, openSync } from 'node:fs';
import { copyFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './embedded-postgres-place.ts';

/** Keeps the log from filling the disk; as much again is kept of what was before. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** The file that the server's output goes to. */
export const logFile = (place: Place): string => join(place.folder, 'postgres.log');

/** Opens the log for a server that starts. Returns the descriptor, which the caller closes. */
export async function openLog(place: Place): Promise<number> {
  await limitLog(place);
  const log = openSync(logFile(place), 'a', 0o600);
  if (place.account) chownSync(logFile(place), place.account.uid, place.account.gid);
  return log;
}

/**
 * Empties a log that has become too long, after copying it in the place of the copy before. A
 * running server goes on writing to the file that it was started with, at its end: renaming that
 * would leave it as long as it is. What is written while it is copied may be lost. Never throws: a
 * log is no reason for a server to end.
 */
export async function limitLog(place: Place): Promise<void> {
  const file = logFile(place);
  try {
    if ((await stat(file)).size <= LOG_LIMIT_BYTES) return;
    // On a full disk the copy fails: then room is worth more than the lines.
    await replaceCopy(file).catch(() => {});
    await truncate(file);
  } catch {
    // There is none yet, or it was removed with the data folder.
  }
}

/** The folder is the server's user's: a link that is put there is not followed. */
async function replaceCopy(file: string): Promise<void> {
  await rm(`${file}.1`, { force: true });
  await copyFile(file, `${file}.1`, constants.COPYFILE_EXCL);
}
