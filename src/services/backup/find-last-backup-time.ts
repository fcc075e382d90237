import { findLastBackupTime as find } from '#db/backup/scheduled-backups.ts';
import type { Deps } from '../deps.ts';

/** When the snapshot of the newest scheduled backup was taken; null when there is no backup. */
export const findLastBackupTime = ({ db }: Pick<Deps, 'db'>): Promise<Date | null> => find(db);
