import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'e2e', 'attack', 'bench', 'drill', 'fuzz', 'packages', 'scripts', 'prisma', 'docs'];
/** Two files beside each other on a screen, and a diff. */
const WIDTH_MAX = 100;
/** Code has the formatter's width; what a tool reads is in one line. */
const COMMENT = /^\s*(\/\/|\/\*|\*|\{\/\*)/;
const SQL_COMMENT = /^\s*--/;
const ONE_LINE = /biome-ignore|@ts-expect-error|\bhttps?:\/\/\S{60}/;

/** The lines of a comment that are too wide, counted from 1. */
function tooWide(path: string, source: string): string[] {
  const comment = path.endsWith('.sql') ? SQL_COMMENT : COMMENT;
  return source
    .split('\n')
    .flatMap((line, at) =>
      line.length > WIDTH_MAX && comment.test(line) && !ONE_LINE.test(line) ? [`${path}:${at + 1}`] : [],
    );
}

test(`no comment is wider than ${WIDTH_MAX} columns`, () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|tsx|mjs|css|sql|prisma)$/.test(path))
      .filter((path) => !/generated|node_modules|\bdist\b/.test(path))
      .map((path) => join(folder, path)),
  );
  expect(files.flatMap((path) => tooWide(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

test('planted: a comment that is too wide is found, code is not', () => {
  const wide = 'x '.repeat(60);
  expect(tooWide('a.ts', `const a = '${wide}';\n  // ${wide}\n   * ${wide}\n// short`)).toEqual(['a.ts:2', 'a.ts:3']);
  expect(tooWide('a.sql', `-- ${wide}\n  --flag`)).toEqual(['a.sql:1']);
});
