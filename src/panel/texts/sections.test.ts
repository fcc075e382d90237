import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATOR_SECTIONS } from './operator-sections.ts';
import { FRAME_SECTIONS, PAGE_SECTIONS } from './sections.ts';

const SRC = join(import.meta.dirname, '../..');
const PAGES = join(SRC, 'app/[mode]');

describe('the texts that a page of the panel comes with', () => {
  it.each(Object.entries(PAGE_SECTIONS))('hold everything that the code of %s says, and nothing else', (page, own) => {
    const entries = sourcesIn(join(PAGES, page));
    expect(entries).not.toEqual([]);
    expectSame(entries, [...FRAME_SECTIONS, ...own], own);
  });

  it('hold everything that the frame says, and nothing else', () => {
    const frame = ['layout.tsx', 'error.tsx'].map((name) => join(PAGES, name));
    expectSame(frame, FRAME_SECTIONS, FRAME_SECTIONS);
  });

  it('of the console hold everything that its code says', () => {
    const asked = [...sectionsAskedFor(sourcesIn(join(SRC, 'app/operator')))];
    expect(asked).toContain('operator.audit');
    const missing = asked.filter((section) => !OPERATOR_SECTIONS.some((one) => isWithin(section, one)));
    expect(missing, 'Add these to operator-sections.ts').toEqual([]);
  });

  it('are known for every folder of pages', () => {
    const folders = readdirSync(PAGES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(Object.keys(PAGE_SECTIONS).sort(), 'Add a new page to PAGE_SECTIONS of sections.ts').toEqual(
      folders.map(({ name }) => name).sort(),
    );
  });
});

/**
 * Expects that `sent` has everything that the code asks for, and that it asks for everything in
 * `own`.
 */
function expectSame(entries: readonly string[], sent: readonly string[], own: readonly string[]): void {
  const asked = sectionsAskedFor(entries);
  const missing = [...asked].filter((section) => !sent.some((one) => isWithin(section, one)));
  expect(missing, 'Add these to PAGE_SECTIONS or FRAME_SECTIONS of sections.ts').toEqual([]);
  const unused = own.filter((section) => ![...asked].some((one) => isWithin(one, section)));
  expect(unused, 'Remove these from sections.ts').toEqual([]);
}

const isWithin = (section: string, whole: string) => section === whole || section.startsWith(`${whole}.`);

/** The sections that these files ask for, and all that they import, at once or later. */
function sectionsAskedFor(entries: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const sections = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, section] of source.matchAll(/useTranslations\((?:'([\w.]+)')?/g)) {
      expect(section, `${file} asks for texts by a path that can be read`).toBeDefined();
      sections.add(section ?? '');
    }
    waiting.push(...importsOf(file, source));
  }
  return sections;
}

const IMPORT = /(?:import|export)\s+(type\s)?(?:[^'";]*?from\s+)?'([^']+)'|import\('([^']+)'\)/g;

function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .filter(([, isType]) => !isType)
    .map(([, , at = '', later = '']) => at || later)
    .filter((name) => /^[#.].*\.tsx?$/.test(name))
    .map((name) => (name.startsWith('#') ? join(SRC, name.slice(1)) : join(dirname(file), name)))
    .filter(existsSync);
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join(folder, name));
