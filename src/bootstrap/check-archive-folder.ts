import { EnvironmentError } from '#config/environment.ts';
import { findOthersSeries } from '#db/point-in-time/find-others-series.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * Rejects a folder for the log archive that another installation archives its log in: a restore
 * takes the newest copy of the folder, whichever of the two it is of. A folder that can't be read
 * is accepted: the archive reports that itself, and payments don't wait for it. Throws
 * EnvironmentError.
 */
export async function checkArchiveFolder(folder: string, secretBox: SecretBox): Promise<void> {
  const series = await findOthersSeries(folder, backupKeys(secretBox)).catch(nullWhereUnreadable);
  if (series === null) return;
  throw new EnvironmentError(
    `The log archive ${series} in BACKUP_FOLDER is sealed with other master keys: give each installation a folder of its own, and move the archive of one that is gone elsewhere.`,
  );
}

function nullWhereUnreadable(error: NodeJS.ErrnoException): null {
  if (error.code === undefined) throw error;
  return null;
}
