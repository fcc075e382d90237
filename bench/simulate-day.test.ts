import { expect, test } from 'vitest';
import { type Day, serversFor, simulatePeak } from './simulate-day.ts';

/** 100 payments a second in the busiest hour. */
const DAY: Day = { payments: 3_600_000, peakHourShare: 0.1, groupedShare: 0, groupSize: 1 };

test('payments wait for one server as queueing theory predicts', () => {
  // M/M/1 at 50 %: the mean wait is as long as a service; the median is zero.
  const { utilisation, p50Ms, p99Ms } = simulatePeak(DAY, 1, 5, 1);
  expect(utilisation).toBeCloseTo(0.5, 1);
  expect(p50Ms).toBeLessThan(1);
  // P(wait > t) = 0.5 exp(-t / 10 ms): one of a hundred waits longer than 39 ms.
  expect(p99Ms).toBeGreaterThan(30);
  expect(p99Ms).toBeLessThan(50);
});

test('the fewest servers are enough, and one fewer is not', () => {
  const servers = serversFor(DAY, 50, 20, 1);
  expect(servers).toBeGreaterThan(5);
  expect(simulatePeak(DAY, servers, 50, 1).p99Ms).toBeLessThanOrEqual(20);
  expect(simulatePeak(DAY, servers - 1, 50, 1).p99Ms).toBeGreaterThan(20);
});

test('payments that come in groups need more servers than the same number one by one', () => {
  const grouped = { ...DAY, groupedShare: 0.2, groupSize: 200 };
  const servers = serversFor(grouped, 50, 20, 1);
  expect(servers).toBeGreaterThan(serversFor(DAY, 50, 20, 1));
  expect(simulatePeak(grouped, servers, 50, 1).p99Ms).toBeLessThanOrEqual(20);
});
