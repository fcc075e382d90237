import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeNewFile } from './write-new-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-new-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a new file that can’t be written to its end leaves nothing behind, and one that is there stays', async () => {
  const file = join(folder, 'export.json');
  const program = `import('${join(import.meta.dirname, 'write-new-file.ts')}').then(({ writeNewFile }) => writeNewFile(process.argv[1], ['x'.repeat(1_000), 'x'.repeat(100_000)]))`;
  // A file of at most one block, as on a full disk.
  const limited = promisify(execFile)('sh', [
    '-c',
    'ulimit -f 1; exec "$0" "$@"',
    process.execPath,
    '-e',
    program,
    file,
  ]);
  await expect(limited).rejects.toThrow('EFBIG');
  expect(existsSync(file)).toBe(false);

  const broken = async function* () {
    yield 'half';
    throw new Error('The database is gone.');
  };
  await expect(writeNewFile(file, broken())).rejects.toThrow('The database is gone.');
  expect(existsSync(file)).toBe(false);

  writeFileSync(file, 'another');
  await expect(writeNewFile(file, ['x'])).rejects.toThrow('EEXIST');
  expect(readFileSync(file, 'utf8')).toBe('another');
  rmSync(file);
  await writeNewFile(file, ['who ', Buffer.from('paid')]);
  expect(readFileSync(file, 'utf8')).toBe('who paid');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a new file whose command is interrupted leaves nothing behind', async () => {
  const file = join(folder, 'proof.json');
  const program = `import('${join(import.meta.dirname, 'write-new-file.ts')}').then(({ writeNewFile }) => writeNewFile(process.argv[1], async function* () {
    for (;;) { yield 'x'.repeat(1_000); await new Promise((resolve) => setTimeout(resolve, 10)); }
  }())).catch(({ message }) => console.log(message))`;
  const child = spawn(process.execPath, ['-e', program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(0), 20_000);
  child.kill('SIGINT');
  expect(await said).toBe(`Interrupted: ${file} is not written.\n`);
  expect(existsSync(file)).toBe(false);
});
