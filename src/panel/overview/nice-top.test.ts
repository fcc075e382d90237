import { expect, test } from 'vitest';
import { niceTop } from './nice-top.ts';

test.each([
  [0, 1],
  [0.45, 0.5],
  [1, 1],
  [1.01, 1.5],
  [84_210, 100_000],
  [20_000, 20_000],
  [20_000.01, 30_000],
])('an axis for %s ends at %s', (largest, top) => {
  expect(niceTop(largest)).toBe(top);
});
