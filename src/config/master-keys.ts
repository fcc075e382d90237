import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateMasterKeys, parseMasterKeys } from '#domain/encryption/master-keys.ts';
import { EnvironmentError } from './environment.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Returns MASTER_KEYS from the environment, else those of the data folder, which are made there on
 * the first start (mode 600). Beside a backup of the database this file must be backed up too:
 * without it the sealed secrets are lost. Throws EnvironmentError for a file that holds no keys.
 */
export function readMasterKeys(environment: { masterKeys: string | undefined; home: string }): string {
  if (environment.masterKeys) return environment.masterKeys;
  const file = fileOf(environment.home);
  makeFolder(environment.home);
  try {
    writeFileSync(file, `${generateMasterKeys()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
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

/** Replaces the data folder's list of keys, as a whole or not at all. */
export function writeMasterKeys(home: string, list: string): void {
  const file = fileOf(home);
  writeFileSync(`${file}.new`, `${list}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

const fileOf = (home: string) => join(home, 'master-keys');
