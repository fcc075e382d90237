import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
/** Next names the files of routes; the generated client is Prisma's; vitest calls `setup`. */
const NAMED_BY_OTHERS = /^(app|db\/generated)\/|global-setup\.ts$/;

/** `getMerchantName` and `MAIL_TEXTS` as names of files: get-merchant-name, mail-texts. */
const inFileName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/**
 * Returns the only value that a file exports, where the file is named otherwise; null where the
 * name fits. A file may also have the name of a type that it exports, or of what its factory makes
 * (`createGate`: gate.ts).
 */
function misnamed(path: string, source: string): string | null {
  const values = new Set(
    [...source.matchAll(/^export (?:async )?(?:function\*?|const|class|let) (\w+)/gm)].map(([, name = '']) => name),
  );
  const types = [...source.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => name);
  const [only] = values;
  if (only === undefined || values.size > 1) return null;
  const fitting = [only, only.replace(/^create(?=[A-Z])/, ''), ...types].map(inFileName);
  return fitting.includes(basename(path).replace(/\.tsx?$/, '')) ? null : only;
}

/** Text that is written here, by hand or by our programs, and the documentation's pictures. */
const KINDS = new Set(
  'cfg conf css dockerignore example go in ini json md mjs mod png prisma py service sh sql sum svg toml ts tsx txt typed woff2 yaml yml'.split(
    ' ',
  ),
);
const WITHOUT_ENDING = /^(LICENSE|Dockerfile|Caddyfile|run|\.[a-z]+)$/;

const isOurs = (path: string): boolean => KINDS.has(extname(path).slice(1)) || WITHOUT_ENDING.test(basename(path));

test('no package, archive or program is committed', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: join(SRC, '..'), encoding: 'utf8' }).split('\0');
  expect(files.filter((path) => path !== '' && !isOurs(path))).toEqual([]);
});

test('planted: a package of another language is found', () => {
  expect(isOurs('certifi-2026.7.1-py3-none-any.whl')).toBe(false);
  expect(isOurs('src/main.ts')).toBe(true);
});

test('a file that exports one value has the name of that value', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path) && !NAMED_BY_OTHERS.test(path),
  );
  const found = files.flatMap((path) => {
    const name = misnamed(path, readFileSync(join(SRC, path), 'utf8'));
    return name === null ? [] : [`${path} exports ${name}`];
  });
  expect(found).toEqual([]);
});

test('planted: a file with another name than its export is found', () => {
  expect(misnamed('members/get-me.ts', 'export async function getMerchantName() {}')).toBe('getMerchantName');
  expect(misnamed('members/get-merchant-name.ts', 'export async function getMerchantName() {}')).toBeNull();
  expect(misnamed('db/gate.ts', 'export function createGate() {}')).toBeNull();
});
