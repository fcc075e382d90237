import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { SUBJECTS } from './subjects.ts';

const ROOT = join(import.meta.dirname, '..');
const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

/** The numbers of the requirements of levels 1 and 2 of ASVS 5.0.0, by section. */
const REQUIREMENTS: Record<string, number[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'asvs-5.0-l2.json'), 'utf8'),
);

/** Those of level 3 that are held besides. */
const LEVEL_3: Record<string, number[]> = {
  '1.2': [10],
  '1.5': [3],
  '2.3': [5],
  '3.4': [8],
  '4.1': [4],
  '6.3': [8],
  '7.5': [3],
  '8.3': [2],
  '11.2': [4],
  '11.3': [4],
  '13.3': [4],
  '14.2': [6, 7],
};

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$/gm)].map(([, id = '', what = '', by = '']) => ({
  id,
  what,
  by,
}));

test('SECURITY.md has each requirement of ASVS 5.0, levels 1 and 2, and those of level 3 that are held, once and in order', () => {
  const levels1And2 = Object.values(REQUIREMENTS).flat();
  expect(levels1And2).toHaveLength(253);
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    [...numbers, ...(LEVEL_3[section] ?? [])].sort((a, b) => a - b).map((n) => `${section}.${n}`),
  );
  expect(wanted).toHaveLength(levels1And2.length + Object.values(LEVEL_3).flat().length);
  expect(rows.map(({ id }) => id)).toEqual(wanted);
});

test('each requirement in SECURITY.md names an existing file or heading, or says why it has neither', () => {
  const wrong = rows.filter(({ by }) => {
    if (by === 'not yet' || /^not applicable: \S/.test(by)) return false;
    const [, file] = /^`([^`]+)`$/.exec(by) ?? [];
    if (file) return !existsSync(join(ROOT, file));
    const [, part] = /^this file, “(.+)”$/.exec(by) ?? [];
    return !part || !new RegExp(`^#+ ${part}$`, 'm').test(text);
  });
  expect(wrong).toEqual([]);
});

/** Where tests are, and what they are called. */
const TESTS: Record<string, RegExp> = {
  src: /\.test\.ts$/,
  attack: /\.ts$/,
  drill: /\.test\.ts$/,
  scripts: /\.test\.ts$/,
  'e2e/panel': /\.spec\.ts$/,
};
/** It has numbers to try how they are read. */
const THIS_FILE = 'attack/security-table.test.ts';

/** The requirements whose numbers a test has: `ASVS 3.3.1, 3.3.3`. */
const numbersIn = (source: string): string[] =>
  [...source.matchAll(/\bASVS ((?:\d+\.\d+\.\d+(?:, )?)+)/g)].flatMap(([, ids = '']) => ids.match(/[\d.]+\d/g) ?? []);

test('a test has the number of each requirement that SECURITY.md says it holds, and of no other', () => {
  const inTests = Object.entries(TESTS).flatMap(([folder, name]) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => name.test(path))
      .map((path) => `${folder}/${path.split(sep).join('/')}`)
      .filter((path) => path !== THIS_FILE)
      .flatMap((path) => numbersIn(readFileSync(join(ROOT, path), 'utf8')).map((id) => `${id} ${path}`)),
  );
  const inTable = rows.flatMap(({ id, by }) => {
    const [, file] = /^`([^`]+\.ts)`$/.exec(by) ?? [];
    return file ? [`${id} ${file}`] : [];
  });
  expect([...new Set(inTests)].sort()).toEqual(inTable.sort());
});

test('planted: a test that has one number or several in a row is found, and a version is taken for none', () => {
  expect(numbersIn('// ASVS 3.3.1, 3.3.3\nsecret (ASVS 11.5.1).\n// ASVS 5.0, levels 1 and 2')).toEqual([
    '3.3.1',
    '3.3.3',
    '11.5.1',
  ]);
});

test('SECURITY.md counts the rows of its table correctly, and names every subject of attacks', () => {
  const count = (pattern: RegExp) => rows.filter(({ by }) => pattern.test(by)).length;
  const held = count(/^(`|this file)/);
  expect(text).toContain(`${held} are held, ${count(/^not yet$/)} not yet, ${count(/^not applicable/)} don't apply`);
  const named = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(SUBJECTS.map(({ name }) => name)));
});
