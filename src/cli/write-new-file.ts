import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './context.ts';
import { onInterruption } from './on-interruption.ts';
import { OWN_FILE_MODE } from './own-file-mode.ts';

/**
 * Writes a new file that only the operator may read. One that can't be written to its end, on a
 * full disk or because the command is interrupted, is removed: it would be taken for the whole, and
 * the next try rejected. Throws what the file system throws, EEXIST where there is one already,
 * what `pieces` does, and CommandError where it was interrupted.
 */
export async function writeNewFile(path: string, pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>) {
  const interruption = new AbortController();
  const release = onInterruption(() => interruption.abort());
  try {
    const file = createWriteStream(path, { flags: 'wx', mode: OWN_FILE_MODE });
    await pipeline(Readable.from(pieces), file, { signal: interruption.signal });
  } catch (error) {
    // A file that could not be opened is not this one.
    if ((error as NodeJS.ErrnoException).syscall !== 'open') rmSync(path, { force: true });
    if (!interruption.signal.aborted) throw error;
    throw new CommandError(`Interrupted: ${path} is not written.`);
  } finally {
    release();
  }
}
