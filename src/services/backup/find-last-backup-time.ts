import { findLastBackupTime as find } from '#db/backup/scheduled-backups.ts';
import type { Deps } from '../deps.ts';

/** What the newest backup of the schedule shows the books of; null: none was taken. */
export const findLastBackupTime = ({ db }: Pick<Deps, 'db'>): Promise<Date | null> => find(db);
