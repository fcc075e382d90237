import { missingMigrations } from '#db/connection/migrate.ts';
import { isReadOnly } from '#db/connection/pool.ts';
import type { Deps } from '../deps.ts';
import { isUnavailable } from './is-unavailable.ts';

/**
 * Returns why this process can't serve now; null when the database answers, takes writes and has
 * every migration. Never throws.
 */
export async function checkReadiness({ db }: Pick<Deps, 'db'>): Promise<string | null> {
  try {
    if (await isReadOnly(db.pool)) return 'the database takes no writes';
    return (await missingMigrations(db.pool)).length === 0 ? null : 'migrations are missing';
  } catch (error) {
    return isUnavailable(error) ? 'the database does not answer' : 'migrations do not match this version';
  }
}
