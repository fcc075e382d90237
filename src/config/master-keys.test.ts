import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMasterKey, parseMasterKeys } from '#domain/encryption/master-keys.ts';
import { readMasterKeys, writeMasterKeys } from './master-keys.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'trilho-master-keys-'));
});
beforeEach(() => rmSync(join(home, 'master-keys'), { force: true }));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const read = () => readMasterKeys({ masterKeys: undefined, home });

/** Reads the keys in another process, below a limit of the shell, or after a program of its own. */
const readBelow = (limit: string, before = '') => {
  const program = `${before}import('${join(import.meta.dirname, 'master-keys.ts')}').then((keys) => console.log(keys.readMasterKeys({ home: process.argv[1] })))`;
  return promisify(execFile)('sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, '-e', program, home]);
};

/** As where the file system has no hard links. */
const WITHOUT_LINKS = `const fs = require('node:fs');
  fs.linkSync = () => { throw Object.assign(new Error('no links here'), { code: 'EPERM' }); };
  require('node:module').syncBuiltinESMExports();`;

// ASVS 13.3.2
test('a first start that can’t write the master keys leaves no file of them, and the next one makes them', async () => {
  // No file may have a byte, as on a full disk.
  await expect(readBelow('ulimit -f 0')).rejects.toThrow('EFBIG');
  expect(readdirSync(home)).toEqual([]);
  expect(parseMasterKeys(read())).toHaveLength(1);
  expect(statSync(join(home, 'master-keys')).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['master-keys']);
});

test('a first start makes the master keys where the file system has no hard links, and keeps those that are there', async () => {
  const { stdout } = await readBelow(':', WITHOUT_LINKS);
  expect(parseMasterKeys(stdout.trim())).toHaveLength(1);
  expect(statSync(join(home, 'master-keys')).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['master-keys']);
  expect((await readBelow(':', WITHOUT_LINKS)).stdout).toBe(stdout);
});

test('a command does not overwrite master keys that another one has written since it read them', () => {
  const before = read();
  const [mine, other] = [addMasterKey(before, []), addMasterKey(before, [])];
  writeMasterKeys(home, { from: before, to: other });
  expect(() => writeMasterKeys(home, { from: before, to: mine })).toThrow('changed meanwhile');
  expect(readFileSync(join(home, 'master-keys'), 'utf8')).toBe(`${other}\n`);
  expect(existsSync(join(home, `master-keys.${process.pid}.new`))).toBe(false);
});
