import type { BackupKey } from '#domain/encryption/backup-keys.ts';
import { OtherKeysError } from '../backup/backup-error.ts';
import { openSealedFile } from '../backup/open-sealed-file.ts';
import type { ArchiveSeries } from './archive-names.ts';

/**
 * Returns whether a series is sealed for other keys than these, as another installation's is. Its
 * newest file says it: a series goes on when the master keys are changed. One without files, or
 * whose file is damaged, counts as the caller's own.
 */
export async function isOthersSeries({ bases, segments }: ArchiveSeries, keys: readonly BackupKey[]): Promise<boolean> {
  const newest = [...segments.values()].at(-1) ?? bases.at(-1);
  if (!newest) return false;
  const { bytes, close } = openSealedFile(newest.path, { passphrase: null, keys });
  try {
    for await (const _ of bytes) break;
    return false;
  } catch (error) {
    return error instanceof OtherKeysError;
  } finally {
    close();
  }
}
