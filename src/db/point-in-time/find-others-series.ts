import type { BackupKey } from '#domain/encryption/backup-keys.ts';
import { OtherKeysError } from '../backup/backup-error.ts';
import { openSealedFile } from '../backup/open-sealed-file.ts';
import { listSeries } from './archive-names.ts';

/**
 * Returns the folder of a series that none of `keys` opens; null where there is none. The newest
 * file of each series says it: a series goes on when the master keys are changed. One without
 * files, or whose file is damaged, counts as the caller's own. Throws where `folder` can't be read.
 */
export async function findOthersSeries(folder: string, keys: readonly BackupKey[]): Promise<string | null> {
  for (const { folder: path, bases, segments } of await listSeries(folder)) {
    const newest = [...segments.values()].at(-1) ?? bases.at(-1);
    if (newest && (await isSealedOtherwise(newest.path, keys))) return path;
  }
  return null;
}

async function isSealedOtherwise(file: string, keys: readonly BackupKey[]): Promise<boolean> {
  const { bytes, close } = openSealedFile(file, { passphrase: null, keys });
  try {
    for await (const _ of bytes) break;
    return false;
  } catch (error) {
    return error instanceof OtherKeysError;
  } finally {
    close();
  }
}
