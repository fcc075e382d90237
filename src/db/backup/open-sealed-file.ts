import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Opening, openStream } from './sealed-stream.ts';

/**
 * Opens a file of writeSealedFile: `bytes` are those that it was given, and `close` has to be
 * called. Reading `bytes` throws BackupError when the file was changed or can't be opened.
 */
export function openSealedFile(file: string, opening: Opening): { bytes: AsyncIterable<Buffer>; close(): void } {
  const sealed = createReadStream(file);
  const compressed = Readable.from(openStream(sealed, opening));
  const bytes = compressed.pipe(createGunzip());
  // A pipe hands on no errors.
  compressed.on('error', (error) => bytes.destroy(error));
  sealed.on('error', (error) => compressed.destroy(error));
  return { bytes, close: () => void sealed.destroy() };
}
