import { expect, test } from 'vitest';
import { growthOf } from './growth-of.ts';

const MINUTE_MS = 60_000;
/** A value for every ten seconds of an hour. */
const hourOf = (valueAt: (hours: number, number: number) => number) =>
  Array.from({ length: 361 }, (_, number) => ({ atMs: 1_000 + number * 10_000, value: valueAt(number / 360, number) }));

test('a value that grows by a tenth of its mean in an hour is measured so, whatever swings around it', () => {
  const straight = growthOf(hourOf((hours) => 195 + 20 * (hours - 0.25)));
  expect(straight?.mean).toBeCloseTo(200, 0);
  expect(straight?.perHour).toBeCloseTo(0.1, 2);
  expect((straight?.high ?? 1) - (straight?.low ?? 0)).toBeLessThan(0.001);
  // A heap that is collected every seven samples.
  const collected = growthOf(hourOf((hours, number) => 190 + 20 * hours + 3 * (number % 7)));
  expect(collected?.perHour).toBeCloseTo(0.1, 2);
});

test('the confidence interval of what only swings has zero in it, and is wide where the time is short', () => {
  const swing = (number: number) => 200 + 10 * Math.sin(number / 9);
  const hour = growthOf(hourOf((_, number) => swing(number)));
  expect(hour?.low).toBeLessThan(0);
  expect(hour?.high).toBeGreaterThan(0);
  const minutes = growthOf(hourOf((_, number) => swing(number)).slice(0, 25));
  expect((minutes?.high ?? 0) - (minutes?.low ?? 0)).toBeGreaterThan(0.5);
});

test('no growth is claimed of too few samples, or of samples with a gap', () => {
  expect(growthOf([])).toBeNull();
  expect(growthOf([{ atMs: 5, value: 1 }])).toBeNull();
  const gap = hourOf(() => 200).filter(({ atMs }) => atMs < 20 * MINUTE_MS || atMs > 40 * MINUTE_MS);
  expect(growthOf(gap)).toBeNull();
});
