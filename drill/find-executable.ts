import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's folder of PostgreSQL's own programs, with a folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

/**
 * Returns the path of a program: in the search path, among administrators' programs, or among
 * PostgreSQL's. Null when it is nowhere.
 */
export function findExecutable(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...postgresFolders()];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** The newest version first. */
function postgresFolders(): string[] {
  try {
    const versions = readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(POSTGRESQL, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
