import { type ArchiveSeries, listSeries } from '#db/point-in-time/archive-names.ts';
import { describeSeries, findConcurrentSeries } from '#db/point-in-time/find-concurrent-series.ts';
import { isOthersSeries } from '#db/point-in-time/is-others-series.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { ServerLog } from '#server/observability/log.ts';

/**
 * Warns where the folder for the log archive has a series that other master keys sealed: another
 * installation's, or one of keys that were taken away since; a restore leaves it out. Warns, too,
 * where two databases archive into it at once under the same keys, between which a restore can't
 * distinguish. A folder that can't be read is left to the archive, which reports that itself.
 */
export async function reportOthersArchive(
  folder: string,
  secretBox: SecretBox,
  log: Pick<ServerLog, 'warn'>,
): Promise<void> {
  const keys = backupKeys(secretBox);
  const own: ArchiveSeries[] = [];
  for (const series of await listSeries(folder).catch(noneWhereUnreadable)) {
    if (!(await isOthersSeries(series, keys))) {
      own.push(series);
      continue;
    }
    log.warn(
      { series: series.folder },
      'A log archive in BACKUP_FOLDER is sealed with other master keys, and a restore leaves it out. Give each installation a folder of its own.',
    );
  }
  const concurrent = findConcurrentSeries(own);
  if (concurrent) {
    log.warn(
      { series: concurrent.map(describeSeries) },
      'Two databases archive their logs into BACKUP_FOLDER at once, under the same master keys: a restore can’t distinguish them. Give each installation a folder of its own, and keys of its own.',
    );
  }
}

function noneWhereUnreadable(error: NodeJS.ErrnoException): [] {
  if (error.code === undefined) throw error;
  return [];
}
