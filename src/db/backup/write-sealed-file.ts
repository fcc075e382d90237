import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Sealing, sealStream } from './sealed-stream.ts';

/**
 * The suffix of a file until it is complete; a process that is killed leaves such a file behind.
 */
export const PARTIAL = '.partial';

/**
 * Writes a compressed and sealed file that only its owner may read, and returns its size in bytes.
 * Until it is on the disk, and `beforeNamed` has ended, its name has the suffix PARTIAL. Throws
 * EEXIST when there is such a file already. A write that fails, on a full disk or because `signal`
 * stops it, leaves no file. `level`: zlib's.
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
  const partial = file + PARTIAL;
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
  } catch (error) {
    // A partial file that was there before is another writer's.
    if ((error as { code?: string }).code !== 'EEXIST') await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, file);
  await syncFolder(dirname(file));
  return output.bytesWritten;
}

/** Writes the folder to the disk, so that a new name survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
