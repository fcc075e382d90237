import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installDebianPackages } from './debian-packages.mjs';
import { findPython } from './find-python.mjs';
import { missingSystemUser } from './system-changes.mjs';

let folder: string;
let record: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-system-'));
  record = join(folder, 'record');
  // A system without the user postgres, whose package manager records its calls.
  program('id', 'exit 1');
  program('apt-get', `[ "$1" = --version ] || echo "apt-get $1" >> '${record}'`);
  program('sudo', 'shift; exec "$@"');
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const environment = (variables: object = {}) => ({
  NODE_ENV: 'test' as const,
  PATH: `${folder}:/usr/bin:/bin`,
  ...variables,
});
const recorded = () => (existsSync(record) ? readFileSync(record, 'utf8') : '');

test('each change of the system is announced, with the setting that prevents it, before it is made', async () => {
  const said: string[] = [];
  await installDebianPackages(
    ['python3', 'python3-venv'],
    (sentence: string) => said.push(`${recorded()}${sentence}`),
    environment(),
  );
  expect(said).toEqual([
    expect.stringMatching(/^Changing the system: .*apt-get update \(SYSTEM_CHANGES=refuse prevents it\)$/),
    expect.stringMatching(
      /^apt-get update\nChanging the system: .*apt-get install .* python3 python3-venv \(SYSTEM_CHANGES=refuse/,
    ),
  ]);
  expect(recorded()).toBe('apt-get update\napt-get install\n');
});

test('two steps that install packages do so one after the other', async () => {
  program('apt-get', `[ "$1" = --version ] || { echo "begin $1"; /bin/sleep 0.01; echo "end $1"; } >> '${record}'`);
  const install = () => installDebianPackages(['python3'], () => {}, environment());
  await Promise.all([install(), install()]);
  expect(recorded()).toBe('begin update\nend update\nbegin install\nend install\n'.repeat(2));
});

test('with SYSTEM_CHANGES=refuse no system package is installed', async () => {
  const said: string[] = [];
  const refused = environment({ SYSTEM_CHANGES: 'refuse' });
  const failure = await installDebianPackages(['python3'], (sentence: string) => said.push(sentence), refused);
  expect(failure).toMatch(/SYSTEM_CHANGES=refuse/);
  expect([said, recorded()]).toEqual([[], '']);
});

test('a Python that can make virtual environments is found, and installed where there is none', async () => {
  const bare = { PATH: folder };
  await expect(findPython(() => {}, environment({ ...bare, SYSTEM_CHANGES: 'refuse' }))).rejects.toThrow(
    "python3.11, Debian's packages (not installed: SYSTEM_CHANGES=refuse)",
  );
  expect(recorded()).toBe('');
  // After the installation it is there.
  program('apt-get', `[ "$1" != install ] || /bin/mv '${folder}/debians' '${folder}/python3'`);
  program('debians', 'exit 0');
  expect(await findPython(() => {}, environment(bare))).toBe('python3');
});

test('with SYSTEM_CHANGES=refuse a command that would add a system user does not begin', () => {
  const isRoot = process.getuid?.() === 0;
  expect(missingSystemUser(environment({ SYSTEM_CHANGES: 'refuse' })) !== null).toBe(isRoot);
  expect(missingSystemUser(environment())).toBeNull();
  program('id', 'echo 101');
  expect(missingSystemUser(environment({ SYSTEM_CHANGES: 'refuse' }))).toBeNull();
});
