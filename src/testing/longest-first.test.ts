import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LONGEST_FILES, LongestFirst } from './longest-first.ts';

const ROOT = join(import.meta.dirname, '../..');

test('every file that is listed as one of the longest exists', () => {
  expect(LONGEST_FILES.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the longest files start first, in their order, and the others in vitest’s order', async () => {
  const size = new Map([
    ['src/a.test.ts', 3],
    ['src/b.test.ts', 9],
  ]);
  const cache = {
    getFileTestResults: () => undefined,
    getFileStats: (key: string) => ({ size: size.get(key.replace(/^unit:/, '')) ?? 1 }),
  };
  const project = { name: 'unit', config: { sequence: { groupOrder: 0 }, isolate: false } };
  const file = (path: string) => ({ project, moduleId: join(ROOT, path) }) as unknown as TestSpecification;
  const sequencer = new LongestFirst({ config: { root: ROOT }, cache } as unknown as Vitest);
  const [first = '', second = ''] = LONGEST_FILES;
  const sorted = await sequencer.sort([...size.keys(), second, first].map(file));
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    [first, second, 'src/b.test.ts', 'src/a.test.ts'].map((path) => join(ROOT, path)),
  );
});
