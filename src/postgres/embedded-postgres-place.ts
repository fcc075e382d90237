import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StartError } from '#domain/errors/start-error.ts';
import { existingFolder, inside, newOutsideFolder, SHARED_FOLDER } from './embedded-postgres-folder.ts';
import { type AddUserOptions, findOrAddSystemUser, type SystemUser } from './system-user.ts';

/**
 * The paths of the server's programs, the folder of its data and log, and the user that runs it.
 */
export type Place = { initdb: string; postgres: string; folder: string; account: Account };

/** The system user that the server runs as; undefined for the user of this process. */
type Account = SystemUser | undefined;

/** The folder in which the server keeps the database itself. */
export const dataFolder = (place: Place) => join(place.folder, 'data');

/** How much freed memory the process of a connection keeps: PostgreSQL's work_mem, for a sort. */
const SPARE_MEMORY_BYTES = 4 * 1024 * 1024;

/**
 * The whole environment of the server. It gets nothing of ours, which holds keys and which it does
 * not need. (Next's types demand NODE_ENV.)
 */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  NODE_ENV: 'production',
  // The C library's default gives memory back to the kernel, and takes it again, once or twice in
  // each transaction that settles a charge. (glibc's manual, Malloc Tunable Parameters; others
  // ignore these.)
  MALLOC_TRIM_THRESHOLD_: String(SPARE_MEMORY_BYTES),
  MALLOC_MMAP_THRESHOLD_: String(SPARE_MEMORY_BYTES),
};

/**
 * Decides which user runs the server, and where. An ordinary user runs it as itself, in the data
 * folder. PostgreSQL does not run as root, so root runs it as the user `postgres`; what that user
 * can't reach (a checkout or a data folder in root's own home, mode 700) is put under
 * /var/lib/trilho: a copy of the programs, and the data. `addUser` says whether that user may be
 * added, and gets the message about it. Throws StartError.
 */
export async function findPlace(home: string, addUser: AddUserOptions): Promise<Place> {
  const programs = await installedPrograms();
  const existing = existingFolder(home);
  if (process.getuid?.() !== 0) {
    const folder = existing ?? inside(home);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { ...programs, folder, account: undefined };
  }
  const { folder, account } = existing ? existingForRoot(existing) : newForRoot(home, addUser);
  if (folder.startsWith(SHARED_FOLDER)) makeSharedFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return { ...programsFor(account, programs), folder, account };
}

type Programs = { initdb: string; postgres: string };

async function installedPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(name);
  } catch {
    throw new StartError(
      'START_FAILED',
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/**
 * Data that an ordinary user made stays that user's: PostgreSQL insists on running as the owner of
 * its files.
 */
function existingForRoot(folder: string): { folder: string; account: Account } {
  const account = ownerOf(join(folder, 'data'));
  if (canEnter(account, folder)) return { folder, account };
  throw new StartError(
    'START_FAILED',
    `The user of the database (uid ${account?.uid}) can't reach ${folder}. Allow it with chmod o+x on the folders above, or move the data folder.`,
  );
}

function newForRoot(home: string, addUser: AddUserOptions): { folder: string; account: Account } {
  const account = findOrAddSystemUser(addUser);
  return { folder: canEnter(account, home) ? inside(home) : newOutsideFolder(home), account };
}

function ownerOf(path: string): Account {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

const canEnter = (account: Account, folder: string) => runsAs(account, '/bin/sh', ['-c', 'cd "$0"', folder]);

function runsAs(account: Account, command: string, args: string[]): boolean {
  return spawnSync(command, args, { ...account, cwd: '/', env: SERVER_ENVIRONMENT, stdio: 'ignore' }).status === 0;
}

/**
 * Returns the installed programs when the account can run them, else a copy that it can run, made
 * once per version.
 */
function programsFor(account: Account, programs: Programs): Programs {
  if (runsAs(account, programs.postgres, ['--version'])) return programs;
  const native = dirname(dirname(programs.initdb));
  const version = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')).version;
  const copy = join(SHARED_FOLDER, `postgresql-${version}`);
  if (!existsSync(copy)) {
    makeSharedFolder();
    copyPrograms(native, copy);
  }
  const inCopy = (program: string) => join(copy, 'bin', basename(program));
  return { initdb: inCopy(programs.initdb), postgres: inCopy(programs.postgres) };
}

/** Sets the mode whatever the umask is, because the account has to pass through the folder. */
function makeSharedFolder(): void {
  mkdirSync(SHARED_FOLDER, { recursive: true });
  chmodSync(SHARED_FOLDER, 0o755);
}

function copyPrograms(native: string, target: string): void {
  const draft = `${target}.${randomUUID()}`;
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory() || entry.parentPath.endsWith('/bin')) chmodSync(path, 0o755);
      else if (entry.isFile()) chmodSync(path, 0o644);
    }
    renameSync(draft, target);
  } catch (error) {
    // Another process finished the same copy first, which is as good as ours.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
