import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own that can be filled. */
export type SmallDisk = { fill(): void; free(): void; remove(): void };

const CHUNK_BYTES = 1024 * 1024;

/** Mounts a file system on a folder; null where that is not allowed (Linux and root only). */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  try {
    // Any user may enter the folder itself, because the database runs as another one.
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return null;
  }
  const file = join(folder, 'fills-the-disk');
  return {
    fill() {
      const handle = openSync(file, 'w');
      try {
        for (const bytes of [CHUNK_BYTES, 1]) fillWith(handle, Buffer.alloc(bytes));
      } finally {
        closeSync(handle);
      }
    },
    free: () => rmSync(file, { force: true }),
    remove: () => void execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' }),
  };
}

/** Writes until nothing more fits. */
function fillWith(handle: number, chunk: Buffer): void {
  try {
    while (writeSync(handle, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
