import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL } from './write-sealed-file.ts';

/** The folder of scheduled backups; files that are not named by the caller are not touched. */
export type BackupFolder = {
  pathOf(file: string): string;
  /** Its bytes; null: it is not there. */
  sizeOf(file: string): Promise<number | null>;
  /** Removes what a process left behind that died while it wrote this file. */
  removePartial(file: string): Promise<void>;
  remove(file: string): Promise<void>;
};

/** Returns the folder at `path`, which has to exist. */
export function openBackupFolder(path: string): BackupFolder {
  const pathOf = (file: string) => join(path, file);
  return {
    pathOf,
    sizeOf: (file) =>
      stat(pathOf(file)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        },
      ),
    removePartial: (file) => rm(pathOf(file) + PARTIAL, { force: true }),
    remove: (file) => rm(pathOf(file), { force: true }),
  };
}

/**
 * The name of a backup that is due at an instant. Installations that share a folder never name a
 * file alike.
 */
export const nameBackup = (dueAt: Date): string =>
  `trilho-${dueAt.toISOString().slice(0, 16).replace(':', '')}Z-${randomBytes(4).toString('hex')}.backup`;
