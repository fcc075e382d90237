import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './context.ts';
import { OWN_FILE_MODE } from './own-file-mode.ts';

const EXTENSIONS: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/plain': 'txt',
};

/**
 * Writes files into a folder that is made, readable by the operator only, under our own names: the
 * names of the sender are only shown. Throws CommandError where a file can't be written; none is
 * overwritten.
 */
export async function writeFiles<F extends { name: string; mediaType: string; content: Buffer }>(
  files: AsyncIterable<F>,
  folder: string,
): Promise<(F & { path: string })[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const written: (F & { path: string })[] = [];
  for await (const file of files) {
    const path = join(folder, `${written.length + 1}-${file.name}.${EXTENSIONS[file.mediaType] ?? 'bin'}`);
    try {
      const target = openSync(path, 'wx', OWN_FILE_MODE);
      writeFileSync(target, file.content);
      closeSync(target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandError(
        code === 'EEXIST' ? `${path} is there already: give an empty folder.` : `Can’t write ${path} (${code}).`,
      );
    }
    written.push({ ...file, path });
  }
  return written;
}
