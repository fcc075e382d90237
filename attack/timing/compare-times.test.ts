import { expect, test } from 'vitest';
import { seededRandom } from '#domain/values/seeded-random.ts';
import { compareTimes, T_MAX } from './compare-times.ts';

/** Times as of calls: a millisecond, half of that by chance, and now and then a long wait. */
function timesOf(seed: number, moreMs = 0): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: 4_000 }, () => 1 + moreMs + random() / 2 + (random() < 0.02 ? 50 * random() : 0));
}

test('Welch’s t is that of a published example, without the slowest tenth of all', () => {
  // Wikipedia, “Welch's t-test”, example 1; then three calls that don't count.
  const one = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4, 98, 99];
  const other = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4, 97];
  const { t, meanMs } = compareTimes(one, other);
  expect(t).toBeCloseTo(-2.46, 2);
  expect(meanMs).toBeCloseTo(20.82 - 22.99, 2);
});

test('calls of one kind are not distinguished by their times, and those of a slower kind are', () => {
  for (let seed = 1; seed <= 20; seed++) {
    expect(Math.abs(compareTimes(timesOf(seed), timesOf(100 + seed)).t)).toBeLessThan(T_MAX);
  }
  expect(compareTimes(timesOf(1, 0.05), timesOf(2)).t).toBeGreaterThan(T_MAX);
  expect(compareTimes(timesOf(1), timesOf(2, 0.05)).t).toBeLessThan(-T_MAX);
});
