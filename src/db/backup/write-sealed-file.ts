import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { type Sealing, sealStream } from './sealed-stream.ts';

/**
 * The suffix of a file until it is complete; a process that is killed leaves such a file behind.
 */
export const PARTIAL = '.partial';

/**
 * Writes a compressed and sealed file that only its owner may read, and returns its size in bytes.
 * Until it is on the disk, and `beforeNamed` has ended, its name has the suffix PARTIAL. Throws
 * BackupError when there is such a file already, or where `file` names something else than a file.
 * A write that fails, on a full disk or because `signal` stops it, leaves no file. `level`: zlib's.
 */
export async function writeSealedFile(
  file: string,
  plain: AsyncIterable<Buffer>,
  {
    sealing,
    signal,
    level,
    beforeNamed = async () => {},
  }: { sealing: Sealing; signal?: AbortSignal | undefined; level?: number; beforeNamed?: () => Promise<void> },
): Promise<number> {
  const target = await targetOf(file);
  const partial = target + PARTIAL;
  const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(
      plain,
      createGzip({ ...(level !== undefined && { level }) }),
      (compressed: AsyncIterable<Buffer>) => sealStream(compressed, sealing),
      output,
      { ...(signal && { signal }) },
    );
    await beforeNamed();
    await rename(partial, target);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'open') throw isThere(partial);
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
  return output.bytesWritten;
}

/**
 * The file that is replaced, for a link the one that it leads to. Throws BackupError for a folder,
 * a device or a pipe: the file would take its place, and as root even that of /dev/null.
 */
async function targetOf(file: string): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && file !== '') return null;
    throw file === '' ? new BackupError('Give the file a name.') : error;
  });
  if (found === null) return file;
  if (!found.isFile()) throw new BackupError(`${file} is there, and is no file: give the name of a file.`);
  return realpath(file);
}

/** Whether another writer is at work on the partial file, or was killed, is not known here. */
const isThere = (partial: string) =>
  new BackupError(
    `${partial} is there already: another process writes it, or was killed while it did. Remove it where none runs, or give another name.`,
  );

/** Writes the folder to the disk, so that a new name survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
