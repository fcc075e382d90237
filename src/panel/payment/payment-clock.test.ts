import { expect, test } from 'vitest';
import { clockOffset, timeLeft } from './payment-clock.ts';

const HOUR_MS = 3_600_000;

test("the server's clock is taken from the first answer, however wrong the device is", () => {
  expect(clockOffset(null, 5 * HOUR_MS, 2 * HOUR_MS)).toBe(3 * HOUR_MS);
});

test("the server's clock is improved by an answer that was quicker, not set back by a slower one", () => {
  const quick = clockOffset(null, 10_000, 10_040);
  expect(clockOffset(quick, 11_000, 11_900)).toBe(quick);
  expect(clockOffset(clockOffset(null, 10_000, 10_900), 11_000, 11_040)).toBe(-40);
});

test("the server's clock follows when the device is set to another time", () => {
  const before = clockOffset(null, 10_000, 10_000);
  expect(clockOffset(before, 11_000, 11_000 + HOUR_MS)).toBe(-HOUR_MS);
  expect(clockOffset(before, 11_000, 11_000 - HOUR_MS)).toBe(HOUR_MS);
});

test.each([
  [872_000, '14:32'],
  [871_001, '14:32'],
  [65_000, '01:05'],
  [3_600_000, '1:00:00'],
  [3_599_000, '59:59'],
  [3_723_000, '1:02:03'],
  [86_400_000, '24:00:00'],
  [1, '00:01'],
])('the countdown shows %d ms as %s', (ms, text) => {
  expect(timeLeft(ms)).toMatchObject({ kind: 'clock', text });
});

test('the countdown is urgent in its last minute only, and never runs below zero', () => {
  expect(timeLeft(60_000)).toMatchObject({ urgent: true });
  expect(timeLeft(60_001)).toMatchObject({ urgent: false });
  expect(timeLeft(0)).toEqual({ kind: 'over' });
  expect(timeLeft(-5_000)).toEqual({ kind: 'over' });
});

test('the countdown gives way to the date when more than a day is left', () => {
  expect(timeLeft(86_400_001)).toEqual({ kind: 'date' });
});
