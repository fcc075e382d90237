import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeFiles } from './write-files.ts';

async function* documents() {
  yield { name: 'selfie', mediaType: 'image/png', content: Buffer.from('picture') };
}

test('documents are written into a folder that is made for the operator alone, and none is overwritten', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'trilho-documents-'));
  const folder = join(parent, 'of', 'merchant');
  const [written] = await writeFiles(documents(), folder);
  expect(readFileSync(written?.path ?? '', 'utf8')).toBe('picture');
  expect([join(parent, 'of'), folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  await expect(writeFiles(documents(), folder)).rejects.toThrow('is there already: give an empty folder');
  rmSync(parent, { recursive: true });
});

test('a folder that the file system does not make is an error, and the command ends', async () => {
  const program = `import('${join(import.meta.dirname, 'write-files.ts')}').then(({ writeFiles }) => writeFiles([], '/proc/none/documents'))`;
  // In a process of its own, because one that never returns could not be ended here.
  const ended = promisify(execFile)(process.execPath, ['-e', program], { timeout: 20_000 });
  await expect(ended).rejects.toMatchObject({ killed: false, code: 1 });
});
