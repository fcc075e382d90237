import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttemptDelayMs, WEBHOOK_ATTEMPTS_MAX } from './webhook-schedule.ts';

const hourMs = 3_600_000;
const schedule = [0, 5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)];

test('the waits are those of Standard Webhooks, the first attempt at once', () => {
  expect(schedule.map((_, attemptsMade) => nextAttemptDelayMs(attemptsMade, 0, null))).toEqual(schedule);
});

test('after the tenth attempt there is none, whatever the receiver asks for', () => {
  expect(WEBHOOK_ATTEMPTS_MAX).toBe(10);
  expect(nextAttemptDelayMs(9, 0, null)).toBe(24 * hourMs);
  expect(nextAttemptDelayMs(10, 0, null)).toBeNull();
  expect(nextAttemptDelayMs(11, 0.5, 60_000)).toBeNull();
});

test('jitter only adds, up to a tenth, in whole milliseconds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (made, random) => {
        const delayMs = nextAttemptDelayMs(made, random, null) ?? -1;
        const plainMs = schedule[made] ?? -1;
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs >= plainMs && delayMs <= plainMs * 1.1).toBe(true);
      },
    ),
  );
  expect(nextAttemptDelayMs(1, 0.5, null)).toBe(5_250);
});

describe('Retry-After', () => {
  test('counts when it is later than the schedule', () => {
    expect(nextAttemptDelayMs(1, 0, 60_000)).toBe(60_000);
  });

  test('never brings an attempt forward', () => {
    expect(nextAttemptDelayMs(2, 0, 60_000)).toBe(300_000);
    expect(nextAttemptDelayMs(5, 0, hourMs)).toBe(5 * hourMs);
    expect(nextAttemptDelayMs(1, 0, -60_000)).toBe(5_000);
  });

  test('counts for an hour at most', () => {
    expect(nextAttemptDelayMs(1, 0, 30 * 24 * hourMs)).toBe(hourMs);
    expect(nextAttemptDelayMs(1, 0, Number.POSITIVE_INFINITY)).toBe(hourMs);
  });

  test('that is no number is passed over', () => {
    expect(nextAttemptDelayMs(1, 0, Number.NaN)).toBe(5_000);
  });
});

test.each([-1, 0.5, Number.NaN])('a wait after %d attempts is an error', (made) => {
  expect(() => nextAttemptDelayMs(made, 0, null)).toThrow(RangeError);
});
