import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { existingFolder, inside, newOutsideFolder, writeFolder } from './embedded-postgres-folder.ts';

let folder: string;
let shared: string;
let home: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-folder-'));
  shared = join(folder, 'shared');
  home = join(folder, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true }));

function createOutside(): string {
  const outside = newOutsideFolder(home, shared);
  mkdirSync(join(outside, 'data'), { recursive: true });
  writeFolder(home, outside);
  return outside;
}

test('a new data folder has no database yet', () => {
  expect(existingFolder(home, shared)).toBeUndefined();
});

test('a database inside moves with its data folder', () => {
  mkdirSync(join(inside(home), 'data'), { recursive: true });
  writeFolder(home, inside(home));
  const moved = join(folder, 'moved');
  renameSync(home, moved);
  expect(existingFolder(moved, shared)).toBe(inside(moved));
});

test('a data folder that was moved keeps its database outside', () => {
  const outside = createOutside();
  const moved = join(folder, 'moved');
  renameSync(home, moved);
  expect(existingFolder(moved, shared)).toBe(outside);
});

test('a copy of a data folder never works on the original’s database outside', () => {
  createOutside();
  const copy = join(folder, 'copy');
  cpSync(home, copy, { recursive: true });
  expect(() => existingFolder(copy, shared)).toThrow(/is a copy/);
  expect(existingFolder(home, shared)).toBeDefined();
});

test('a lost database outside is reported, never replaced by an empty one', () => {
  rmSync(createOutside(), { recursive: true });
  expect(() => existingFolder(home, shared)).toThrow(/is not in/);
});

test('a data folder that was removed and made again starts afresh and leaves the old database alone', () => {
  const old = createOutside();
  rmSync(home, { recursive: true });
  mkdirSync(home);
  expect(existingFolder(home, shared)).toBeUndefined();
  expect(newOutsideFolder(home, shared)).not.toBe(old);
});
