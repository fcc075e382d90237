import { missingMigrations } from '#db/connection/migrate.ts';
import type { Deps } from '../deps.ts';
import { isUnavailable } from './is-unavailable.ts';

/** Why this process can't do its work now; null: the database answers and has every migration. */
export async function checkReadiness({ db }: Pick<Deps, 'db'>): Promise<string | null> {
  try {
    return (await missingMigrations(db.pool)).length === 0 ? null : 'migrations are missing';
  } catch (error) {
    return isUnavailable(error) ? 'the database does not answer' : 'migrations do not match this version';
  }
}
