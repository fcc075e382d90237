import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SUBJECTS } from './subjects.ts';

const ROOT = join(import.meta.dirname, '..');
const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

/** The numbers of the requirements of levels 1 and 2 of ASVS 5.0.0, by section. */
const REQUIREMENTS: Record<string, number[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'asvs-5.0-l2.json'), 'utf8'),
);

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$/gm)].map(([, id = '', what = '', by = '']) => ({
  id,
  what,
  by,
}));

test('SECURITY.md has each requirement of ASVS 5.0, levels 1 and 2, once and in order', () => {
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) => numbers.map((n) => `${section}.${n}`));
  expect(wanted).toHaveLength(253);
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

test('SECURITY.md counts the rows of its table correctly, and names every subject of attacks', () => {
  const count = (pattern: RegExp) => rows.filter(({ by }) => pattern.test(by)).length;
  const held = count(/^(`|this file)/);
  expect(text).toContain(`${held} are held, ${count(/^not yet$/)} not yet, ${count(/^not applicable/)} don't apply`);
  const named = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(SUBJECTS.map(({ name }) => name)));
});
