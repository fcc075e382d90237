import { listSeries } from '#db/point-in-time/archive-names.ts';
import { isOthersSeries } from '#db/point-in-time/is-others-series.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { ServerLog } from '#server/observability/log.ts';

/**
 * Warns where the folder for the log archive has a series that other master keys sealed: another
 * installation's, or one of keys that were taken away since. A restore leaves it out. A folder that
 * can't be read is left to the archive, which reports that itself.
 */
export async function reportOthersArchive(
  folder: string,
  secretBox: SecretBox,
  log: Pick<ServerLog, 'warn'>,
): Promise<void> {
  const keys = backupKeys(secretBox);
  for (const series of await listSeries(folder).catch(noneWhereUnreadable)) {
    if (!(await isOthersSeries(series, keys))) continue;
    log.warn(
      { series: series.folder },
      'A log archive in BACKUP_FOLDER is sealed with other master keys, and a restore leaves it out. Give each installation a folder of its own.',
    );
  }
}

function noneWhereUnreadable(error: NodeJS.ErrnoException): [] {
  if (error.code === undefined) throw error;
  return [];
}
