import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#domain/errors/start-error.ts';

/**
 * Used by root only, for what the user that runs the server can't reach in the checkout or in the
 * data folder.
 */
export const SHARED_FOLDER = '/var/lib/trilho';

/**
 * Returns the folder that holds the database of the data folder `home`; undefined when there is
 * none yet. A database outside of `home` belongs to the data folder that names it, wherever that
 * was moved. Throws StartError when a data folder would start with an empty database while its
 * money lies elsewhere, or when a copy of a data folder would work on the original's database.
 */
export function existingFolder(home: string, shared = SHARED_FOLDER): string | undefined {
  const outside = read(join(home, NAMES_FOLDER));
  if (!outside?.startsWith(`${shared}/`)) return hasData(inside(home)) ? inside(home) : undefined;
  if (!hasData(outside)) {
    throw new StartError(
      'START_FAILED',
      `The database of ${home} is not in ${outside}, or this user can't read it. Start as root, restore it, or remove ${home} to start afresh.`,
    );
  }
  const owner = read(join(outside, NAMES_HOME));
  if (owner !== undefined && owner !== home && read(join(owner, NAMES_FOLDER)) === outside) {
    throw new StartError(
      'START_FAILED',
      `The data folder ${home} is a copy; the database in ${outside} belongs to ${owner}. Remove ${home} to start afresh.`,
    );
  }
  return outside;
}

/**
 * Returns the folder for a new database of `home` that can't be inside it. It never is the folder
 * of another database, even when that one's data folder was removed.
 */
export function newOutsideFolder(home: string, shared = SHARED_FOLDER): string {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 12);
  for (let number = 1; ; number += 1) {
    const folder = join(shared, number === 1 ? name : `${name}-${number}`);
    if (!hasData(folder)) return folder;
  }
}

/** Writes down which folder belongs to which data folder; nothing for a database inside `home`. */
export function writeFolder(home: string, folder: string): void {
  if (folder === inside(home)) return;
  writeFileSync(join(folder, NAMES_HOME), home);
  writeFileSync(join(home, NAMES_FOLDER), folder);
}

/**
 * Lets a restore give a data folder another database where the one outside of it is gone. Does
 * nothing unless this process is root: another user may only be unable to read it.
 */
export function detachLostFolder(home: string): void {
  if (process.getuid?.() !== 0) return;
  const outside = read(join(home, NAMES_FOLDER));
  if (outside?.startsWith(`${SHARED_FOLDER}/`) && !hasData(outside)) rmSync(join(home, NAMES_FOLDER));
}

/** Removes a database and its folder; the data folder `home` may then get another one. */
export function removeFolder(home: string, folder: string): void {
  rmSync(join(folder, 'data'), { recursive: true, force: true });
  if (folder === inside(home)) return;
  rmSync(join(home, NAMES_FOLDER), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** The folder of a database inside its data folder `home`. */
export const inside = (home: string) => join(home, 'postgres');

/** A file in the data folder: the path of its database when that is outside. */
const NAMES_FOLDER = 'postgres-folder';
/** A file beside a database that is outside: the path of its data folder. */
const NAMES_HOME = 'home';

const hasData = (folder: string) => existsSync(join(folder, 'data'));

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
