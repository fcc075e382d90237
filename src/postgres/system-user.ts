import { execFileSync, spawnSync } from 'node:child_process';
import { StartError } from '#domain/errors/start-error.ts';

/** A user of the operating system. */
export type SystemUser = { uid: number; gid: number };

/**
 * `mayAdd`: whether the operator allows us to add the user. `announce` gets a sentence about it
 * before it happens.
 */
export type AddUserOptions = { mayAdd: boolean; announce: (sentence: string) => void };

/** The operating system's users. */
type SystemUsers = { find(name: string): SystemUser | undefined; add(name: string): void };

/** The name that distributions give to the user that PostgreSQL runs as. */
const NAME = 'postgres';

/**
 * Returns the system user `postgres`, which runs PostgreSQL when Trilho starts as root, because
 * PostgreSQL does not run as root. Adds the user when it is missing. Throws StartError START_FAILED
 * when that is not allowed or fails.
 */
export function findOrAddSystemUser(
  { mayAdd, announce }: AddUserOptions,
  users: SystemUsers = OPERATING_SYSTEM,
): SystemUser {
  const existing = users.find(NAME);
  if (existing) return existing;
  if (!mayAdd) {
    throw new StartError(
      'START_FAILED',
      `PostgreSQL does not run as root, and SYSTEM_CHANGES=refuse keeps Trilho from adding the system user ${NAME}. Run Trilho as an ordinary user, add the user yourself (useradd --system ${NAME}), or set DATABASE_URL.`,
    );
  }
  announce(
    `Adding the system user ${NAME}: PostgreSQL does not run as root (SYSTEM_CHANGES=refuse, or a start as an ordinary user, adds none)`,
  );
  users.add(NAME);
  const added = users.find(NAME);
  if (added) return added;
  throw new StartError(
    'START_FAILED',
    `PostgreSQL does not run as root, and the system user ${NAME} could not be added. Run Trilho as an ordinary user, or set DATABASE_URL.`,
  );
}

const OPERATING_SYSTEM: SystemUsers = {
  find(name) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      return undefined;
    }
  },
  add(name) {
    // useradd is for Debian and Red Hat, adduser for Alpine.
    spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
    if (!OPERATING_SYSTEM.find(name)) spawnSync('adduser', ['-S', '-D', '-H', name]);
  },
};
