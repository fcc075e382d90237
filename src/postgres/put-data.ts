import {
  chmodSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#config/make-folder.ts';
import { StartError } from '#domain/errors/start-error.ts';
import { draftFolder, removeDrafts } from './create-data.ts';
import { detachLostFolder, existingFolder, removeFolder, writeFolder } from './embedded-postgres-folder.ts';
import { stopLeftover } from './embedded-postgres-leftover.ts';
import { claimOwnership } from './embedded-postgres-owner.ts';
import { dataFolder, findPlace } from './embedded-postgres-place.ts';
import { isUnfinished, markUnfinished } from './unfinished-restore.ts';

/**
 * Creates the database of an empty data folder from files: `fill` writes them into the folder that
 * it gets, and returns the password of the role that owns the database. No service serves that
 * database before finishRestore(). Leaves no database behind when it fails; one of a restore that
 * was interrupted is replaced. Throws StartError: ALREADY_RUNNING when the data folder is in use or
 * has a database.
 */
export async function putData(
  options: { home: string; mayAddUser: boolean; onProgress: (message: string) => void },
  fill: (data: string) => Promise<{ password: string }>,
): Promise<void> {
  makeFolder(options.home);
  const home = realpathSync(options.home);
  const ownership = claimOwnership(home, 'command');
  if (!('release' in ownership)) throw inUse(home);
  try {
    detachLostFolder(home);
    const existing = existingFolder(home);
    if (existing !== undefined && !isUnfinished(existing)) throw inUse(home);
    const place = await findPlace(home, { mayAdd: options.mayAddUser, announce: options.onProgress });
    if (existing !== undefined) {
      await stopLeftover(place);
      rmSync(dataFolder(place), { recursive: true });
    }
    removeDrafts(place);
    const draft = draftFolder(place);
    try {
      mkdirSync(draft, { mode: 0o700 });
      const { password } = await fill(draft);
      markUnfinished(draft);
      if (place.account) giveTo(draft, place.account);
      const passwordFile = join(home, 'postgres-password');
      writeFileSync(passwordFile, password, { mode: 0o600 });
      chmodSync(passwordFile, 0o600);
      renameSync(draft, dataFolder(place));
      writeFolder(home, place.folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  } finally {
    ownership.release();
  }
}

/** Removes a database that putData created but that can't be used; putData may be called again. */
export function removeData(home: string): void {
  const real = realpathSync(home);
  const folder = existingFolder(real);
  if (folder) removeFolder(real, folder);
}

function giveTo(folder: string, { uid, gid }: { uid: number; gid: number }): void {
  lchownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
}

const inUse = (home: string) =>
  new StartError(
    'ALREADY_RUNNING',
    `The data folder ${home} has a database: restore into an empty one (another TRILHO_HOME).`,
  );
