import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Step by step, because Node's own `recursive` never returns
 * where a file system rejects new folders with ENOENT (/proc does). `mode`: that of new folders.
 * Throws what mkdir throws.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw error;
    if (dirname(path) !== path) makeFolder(dirname(path), mode);
  }
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
