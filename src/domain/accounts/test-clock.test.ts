import { expect, test } from 'vitest';
import { moveProblem, parseDuration } from './test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

test.each([
  ['90s', 90_000],
  ['15m', 15 * 60_000],
  ['12h', 12 * 60 * 60_000],
  ['366d', 366 * DAY_MS],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '0d', '-1d', '1', 'd', '1.5h', ' 1d', '1d ', '1M', '1y', '١d', '999999999d'])(
  '"%s" is no duration',
  (text) => {
    expect(parseDuration(text)).toBeNull();
  },
);

test('a clock moves at most a year at a time, and at most ten in all', () => {
  expect(moveProblem(366 * DAY_MS, 3_660 * DAY_MS)).toBeNull();
  expect(moveProblem(366 * DAY_MS + 1, 367 * DAY_MS)).toBe('clock_too_far');
  expect(moveProblem(1, 3_660 * DAY_MS + 1)).toBe('clock_too_far_ahead');
});
