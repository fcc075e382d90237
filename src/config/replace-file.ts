import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file that only its owner may read, as a whole or not at all. The draft's name is this
 * process's own, so that two processes never write into one draft. `flush`: whether the text is on
 * the disk before it has the name. Throws what the file system throws.
 */
export function replaceFile(path: string, text: string, { flush = false } = {}): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
