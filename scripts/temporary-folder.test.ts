import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTemporaryFolder, memoryFolder } from './temporary-folder.mjs';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'trilho-temporary-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const MODULE = new URL('temporary-folder.mjs', import.meta.url).href;
/** Another process that makes its folder, then does `next`. */
const program = (next: string) => [
  '--input-type=module',
  '-e',
  `import { makeTemporaryFolder } from '${MODULE}';
  makeTemporaryFolder(${JSON.stringify(parent)});
  ${next}`,
];

test('a run’s temporary files are gone when it has ended', () => {
  const { stdout } = spawnSync(
    process.execPath,
    program(
      `const { readdirSync } = await import('node:fs'); console.log(readdirSync(${JSON.stringify(parent)}).length);`,
    ),
    {
      encoding: 'utf8',
    },
  );
  expect(stdout).toBe('1\n');
  expect(readdirSync(parent)).toEqual([]);
});

test('what a killed run left behind is removed by the next one, and what another one uses stays', async () => {
  const other = spawn(process.execPath, program('console.log("made"); setInterval(() => {}, 1_000);'));
  await once(other.stdout, 'data');
  const [left] = readdirSync(parent);
  writeFileSync(join(parent, left ?? '', 'file'), '');
  mkdirSync(join(parent, 'of-somebody-else'));
  const own = makeTemporaryFolder(parent);
  expect(readdirSync(parent)).toContain(left);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const next = makeTemporaryFolder(parent);
  expect(
    readdirSync(parent)
      .map((name) => join(parent, name))
      .sort(),
  ).toEqual([join(parent, 'of-somebody-else'), own, next].sort());
});

test.each([
  ['tmpfs /dev/shm tmpfs rw,nosuid,noexec,size=9g 0 0', 'no program can be run from it'],
  ['tmpfs /dev/shm tmpfs ro 0 0', 'nothing can be written to it'],
  ['/dev/vda / ext4 rw 0 0', 'the folder is not in memory'],
])('a folder in memory is not used with the mount “%s”: %s', (mount) => {
  const mounts = join(parent, 'mounts');
  writeFileSync(mounts, `${mount}\n`);
  expect(memoryFolder({ mounts, available: Number.MAX_SAFE_INTEGER })).toBe(null);
});

test('a folder in memory is not used on a machine with little memory', () => {
  expect(memoryFolder({ available: 1024 ** 3 })).toBe(null);
});
