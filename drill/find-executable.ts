import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian has PostgreSQL's own programs, a folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

/**
 * Where a program is: in the search path, where administrators' programs are, or among
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
