import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Sealing, sealStream } from './sealed-stream.ts';

/**
 * What a file is called until it is whole; a process that is killed meanwhile leaves it behind.
 */
export const PARTIAL = '.partial';

/**
 * Writes a file, compressed and sealed: for its owner alone, never over another one that is being
 * written, and on the disk before it has its name. One that fails, on a full disk or because
 * `signal` stops it, leaves nothing. `level`: zlib's. `beforeNamed` is awaited while it has not got
 * its name yet. Returns its bytes.
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
    // One that was there before is another one's.
    if ((error as { code?: string }).code !== 'EEXIST') await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, file);
  await syncFolder(dirname(file));
  return output.bytesWritten;
}

/** Makes a name last through a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
