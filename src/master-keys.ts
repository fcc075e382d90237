import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#db/make-folder.ts';
import { generateMasterKeys } from '#domain/secret-box.ts';

/**
 * MASTER_KEYS from the environment, else those of the data folder, made there on the first start (mode 600). Beside a backup
 * of the database this file must be backed up too: without it the sealed secrets are lost.
 */
export function readMasterKeys(environment: { masterKeys: string | undefined; home: string }): string {
  if (environment.masterKeys) return environment.masterKeys;
  const file = join(environment.home, 'master-keys');
  makeFolder(environment.home);
  try {
    writeFileSync(file, `${generateMasterKeys()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
