import { expect, test } from 'vitest';
import { lastBackupTime, parseBackupTimes } from './backup-times.ts';

const at = (instant: string, times: string) =>
  lastBackupTime(new Date(instant), parseBackupTimes(times) ?? []).toISOString();

test.each([
  ['a moment after it', '2026-11-23T06:00:00.001Z', '2026-11-23T06:00:00.000Z'],
  ['at the moment itself', '2026-11-23T06:00:00.000Z', '2026-11-23T06:00:00.000Z'],
  ['a moment before it, which is the day before’s', '2026-11-23T05:59:59.999Z', '2026-11-22T06:00:00.000Z'],
  ['after midnight in UTC, still the same day in São Paulo', '2026-11-24T01:00:00.000Z', '2026-11-23T06:00:00.000Z'],
])('a backup at 03:00 is due at 03:00 in São Paulo: %s', (_, now, due) => {
  expect(at(now, '03:00')).toBe(due);
});

test('the last of several times counts, in whatever order they are given', () => {
  expect(at('2026-11-23T20:00:00.000Z', '15:00, 03:00,23:30')).toBe('2026-11-23T18:00:00.000Z');
  expect(at('2026-11-23T04:00:00.000Z', '15:00,03:00')).toBe('2026-11-22T18:00:00.000Z');
});

test('a time that a day skips, because daylight saving time began, is due when the clock has passed it', () => {
  // On 4 November 2018 it was 01:00 after 23:59:59.
  expect(at('2018-11-04T12:00:00.000Z', '00:30')).toBe('2018-11-04T03:30:00.000Z');
});

test.each(['', '3:00', '24:00', '03:60', '03:00;15:00', '03:00,', 'noon', Array(25).fill('03:00').join(',')])(
  'what is no list of times is rejected: %s',
  (text) => {
    expect(parseBackupTimes(text)).toBeNull();
  },
);
