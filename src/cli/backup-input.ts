import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { BackupError } from '#db/backup/backup-error.ts';
import { PASSPHRASE_LENGTH_MIN, parsePassphrase } from '#domain/backup/passphrase.ts';
import { CommandError } from './context.ts';

/** The passphrase that a file holds; null where none is named. Throws CommandError. */
export function readPassphrase(path: string | undefined): string | null {
  if (path === undefined) return null;
  const passphrase = parsePassphrase(readText(path));
  if (passphrase === null) {
    throw new CommandError(
      `The first line of ${path} has to be a passphrase of at least ${PASSPHRASE_LENGTH_MIN} characters.`,
    );
  }
  return passphrase;
}

const readText = (path: string): string => ofFile(() => readFileSync(path, 'utf8'));

/**
 * Whether what is to be restored is a folder, not a file. Throws CommandError where it can't be
 * read, before a server is started and a database is made for it.
 */
export function isFolder(path: string): boolean {
  return ofFile(() => {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory();
  });
}

/** Throws CommandError for what the file system throws. */
function ofFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isFileError(error)) throw new CommandError((error as Error).message);
    throw error;
  }
}

/** Throws CommandError for errors that the operator can act on: those of a backup and of a file. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof BackupError || isFileError(error)) throw new CommandError((error as Error).message);
    throw error;
  });
}

/** Of errors without a path: those of a file that is open already, and of a socket's. */
const FILE_CODES = ['ENOENT', 'EACCES', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR', 'ENOTDIR', 'EROFS', 'EPERM'];

/**
 * Whether a file or folder could not be read or written; the message names it, but for one that was
 * open already.
 */
export const isFileError = (error: unknown): boolean => {
  const { code = '', path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return (path !== undefined && syscall !== undefined) || FILE_CODES.includes(code);
};
