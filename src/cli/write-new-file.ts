import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OWN_FILE_MODE } from './own-file-mode.ts';

/**
 * Writes a new file that only the operator may read. One that can't be written to its end, as on a
 * full disk, is removed: it would be taken for the whole, and the next try rejected. Throws what
 * the file system throws, EEXIST where there is one already, and what `pieces` does.
 */
export async function writeNewFile(path: string, pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>) {
  try {
    await pipeline(Readable.from(pieces), createWriteStream(path, { flags: 'wx', mode: OWN_FILE_MODE }));
  } catch (error) {
    // A file that could not be opened is not this one.
    if ((error as NodeJS.ErrnoException).syscall !== 'open') rmSync(path, { force: true });
    throw error;
  }
}
