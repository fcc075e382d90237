import { constants, copyFileSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateMasterKeys, parseMasterKeys } from '#domain/encryption/master-keys.ts';
import { EnvironmentError } from './environment.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Returns MASTER_KEYS from the environment, else those of the data folder, which are made there on
 * the first start (mode 600). Beside a backup of the database this file must be backed up too:
 * without it the sealed secrets are lost. Throws EnvironmentError for a file that holds no keys.
 */
export function readMasterKeys(environment: { masterKeys: string | undefined; home: string }): string {
  if (environment.masterKeys) return environment.masterKeys;
  const file = fileOf(environment.home);
  makeFolder(environment.home);
  if (!existsSync(file)) createFile(file);
  const list = readFileSync(file, 'utf8').trim();
  try {
    parseMasterKeys(list);
  } catch (error) {
    throw new EnvironmentError(`The file ${file} can’t be used: put your copy of it back. ${(error as Error).message}`);
  }
  return list;
}

/** Whether there are master keys, so that reading them makes none. */
export const hasMasterKeys = (environment: { masterKeys: string | undefined; home: string }): boolean =>
  Boolean(environment.masterKeys) || existsSync(fileOf(environment.home));

/**
 * Replaces the data folder's list of keys, as a whole or not at all. Throws EnvironmentError where
 * it is not `from` any more: another command has changed it, and its keys would be lost.
 */
export function writeMasterKeys(home: string, { from, to }: { from: string; to: string }): void {
  const file = fileOf(home);
  if (readFileSync(file, 'utf8').trim() !== from) {
    throw new EnvironmentError(`The file ${file} was changed meanwhile, by another command: try again.`);
  }
  replaceFile(file, `${to}\n`, { flush: true });
}

/** What a file system without hard links answers, as on memory cards and some shared folders. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Makes the file with a fresh key, where no other process has made it meanwhile. A hard link makes
 * it appear with its content: on a full disk an empty file would stay, which no start accepts.
 */
function createFile(file: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${generateMasterKeys()}\n`, { mode: 0o600, flush: true });
    linkOrCopy(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function linkOrCopy(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

const fileOf = (home: string) => join(home, 'master-keys');
