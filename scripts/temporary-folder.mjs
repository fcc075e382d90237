import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './is-running.mjs';

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm';
/** In bytes: ten times what the databases of a run take at once, with their log. */
const ROOM_MIN = 4 * 1024 ** 3;
/** In bytes: as much again for the programs of a run. */
const MEMORY_MIN = 2 * ROOM_MIN;
const PREFIX = 'trilho-run-';

/**
 * Returns the folder in memory if a run may use it, else null: it has room, programs may be run
 * from it, and the machine has memory for both. What a test writes need not outlive the machine: in
 * memory a commit does not wait for the disk, and the servers' durability settings stay on, as the
 * service requires.
 */
export function memoryFolder({ mounts = '/proc/mounts', available = availableMemory() } = {}) {
  try {
    const [, , , options] =
      readFileSync(mounts, 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .findLast(([, folder]) => folder === MEMORY) ?? [];
    const { bavail, bsize } = statfsSync(MEMORY);
    const isUsable =
      options !== undefined && !options.split(',').some((option) => option === 'noexec' || option === 'ro');
    return isUsable && bavail * bsize >= ROOM_MIN && available >= MEMORY_MIN ? MEMORY : null;
  } catch {
    // Not Linux.
    return null;
  }
}

/** Node 20.13 and later know the limits of a container. */
const availableMemory = () => process.availableMemory?.() ?? freemem();

/**
 * Makes the folder for the temporary files of one run, in memory where it can be, and removes it
 * when this process exits. What a run left behind that was killed is removed first; PostgreSQL
 * servers that it left running end by themselves within a minute after their data are gone.
 */
export function makeTemporaryFolder(parent = memoryFolder() ?? tmpdir()) {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) remove(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // As root PostgreSQL runs as another user, who has to reach what is in it.
  chmodSync(folder, 0o755);
  process.on('exit', () => remove(folder));
  return folder;
}

/** What can't be removed is another user's, or still written to: the next run removes it. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}
