import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { existingFolder } from './embedded-postgres-folder.ts';

/**
 * A file in the folder of the database that a restore makes, from before the database is there
 * until the restore is complete. PostgreSQL ignores it.
 */
const NAME = 'trilho-restore-unfinished';

/** Marks a database that is being restored as one that must not serve yet. */
export const markUnfinished = (data: string): void => writeFileSync(join(data, NAME), '');

/** Whether the database in `folder` was restored and the restore is not complete. */
export const isUnfinished = (folder: string): boolean => existsSync(join(folder, 'data', NAME));

/** Lets the database of the data folder `home` serve: its restore is complete. */
export function finishRestore(home: string): void {
  const folder = existingFolder(realpathSync(home));
  if (folder) rmSync(join(folder, 'data', NAME), { force: true });
}
