import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_NEEDS } from '#contract/members/page-needs.ts';
import { ALL_PAGES, currentAt, pathInMode, SHORTCUTS } from './navigation.ts';
import { safeNext } from './sign-in-address.ts';

const pages = readdirSync(join(import.meta.dirname, '../../app/[mode]'), { withFileTypes: true })
  // The one in brackets is of addresses that no page has.
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('['))
  .map(({ name }) => `/${name}`);

test('every page is reached from the palette, and every entry leads to a page', () => {
  expect(ALL_PAGES.map(({ path }) => path).sort(), 'Add a new page to navigation.ts').toEqual(pages.sort());
});

test('every page is open to the roles that may call a procedure, and to no other', () => {
  const where = 'Name the procedure that a new page needs, in src/contract/members/page-needs.ts';
  expect(Object.keys(PAGE_NEEDS).sort(), where).toEqual(pages.sort());
});

test('every page is in the browser tests that open every page', () => {
  const spec = readFileSync(join(import.meta.dirname, '../../../e2e/panel/pages.ts'), 'utf8');
  expect(
    pages.filter((page) => !spec.includes(`'${page}'`)),
    'Add a new page to e2e/panel/pages.ts',
  ).toEqual([]);
});

test('no shortcut is the beginning of another one, and none is there twice', () => {
  const keys = SHORTCUTS.map((shortcut) => shortcut.keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const one of keys) for (const other of keys) if (one !== other) expect(other.startsWith(`${one} `)).toBe(false);
});

test('switching the mode leads to the same page, and from one transaction to their list', () => {
  expect(pathInMode('/test/extrato', 'live')).toBe('/live/extrato');
  expect(pathInMode('/live/transacoes/0191f3', 'test')).toBe('/test/transacoes');
  expect(pathInMode('/live', 'test')).toBe('/test/inicio');
});

test('the menu marks the page that is shown, for an entry its list, and for a batch the withdrawals', () => {
  expect(currentAt('/live/extrato', '/extrato')).toBe('page');
  expect(currentAt('/test/transacoes/0191f3', '/transacoes')).toBe('page');
  expect(currentAt('/live/lotes/0191f3', '/sacar')).toBe('true');
  expect(currentAt('/live/sacar', '/sacar')).toBe('page');
  expect(currentAt('/live/extrato', '/sacar')).toBeUndefined();
  expect(currentAt('/live', '/inicio')).toBeUndefined();
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil',
  'https:evil',
  'javascript:alert(1)',
  '/a\nb',
  '/%0d\r',
  '',
  null,
])('signing in never leads to %s', (next) => {
  expect(safeNext(next, '/')).toBe('/');
});

test('signing in leads back to the page that asked for it', () => {
  expect(safeNext('/test/transacoes?status=paid#x', '/')).toBe('/test/transacoes?status=paid#x');
});
