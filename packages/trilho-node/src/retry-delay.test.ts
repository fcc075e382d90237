import { expect, test } from 'vitest';
import { parseRetryAfter, retryDelayMs } from './retry-delay.ts';

test('the waits between retries double up to a cap, and jitter takes at most half of each', () => {
  const waits = (random: number) => [0, 1, 2, 3, 4, 5, 40].map((retry) => retryDelayMs(retry, null, random));
  expect(waits(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(waits(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test('no wait is shorter than Retry-After', () => {
  for (const random of [0, 0.5, 1]) expect(retryDelayMs(0, 3_000, random)).toBeGreaterThanOrEqual(3_000);
  expect(retryDelayMs(4, 1_000, 1)).toBe(8_000);
});

test.each([
  ['5', 5_000],
  [' 5', 5_000],
  ['0', 0],
  ['Tue, 24 Nov 2026 12:00:10 GMT', 10_000],
  ['Tue, 24 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['', null],
  ['-5', null],
  [null, null],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(parseRetryAfter(header, Date.parse('2026-11-24T12:00:00Z'))).toBe(ms);
});
