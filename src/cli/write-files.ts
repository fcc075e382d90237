import { join } from 'node:path';
import { makeFolder } from '#config/make-folder.ts';
import { CommandError } from './context.ts';
import { writeNewFile } from './write-new-file.ts';

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
  makeFolder(folder, 0o700);
  const written: (F & { path: string })[] = [];
  for await (const file of files) {
    const path = join(folder, `${written.length + 1}-${file.name}.${EXTENSIONS[file.mediaType] ?? 'bin'}`);
    try {
      await writeNewFile(path, [file.content]);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandError(
        code === 'EEXIST' ? `${path} is there already: give an empty folder.` : `Can’t write ${path} (${code}).`,
      );
    }
    written.push({ ...file, path });
  }
  return written;
}
