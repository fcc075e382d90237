import { expect, test } from 'vitest';
import { OVERVIEW_PERIODS, spanOf } from './overview-period.ts';

/** 21 November, 14:30 in São Paulo (UTC-3). */
const NOW = new Date('2026-11-21T17:30:00.000Z');

test('seven days are today and the six before it, and are compared with the seven before up to the same time', () => {
  const span = spanOf('7d', NOW);
  expect(span.start.toISOString()).toBe('2026-11-15T03:00:00.000Z');
  expect(span.before.start.toISOString()).toBe('2026-11-08T03:00:00.000Z');
  expect(span.before.end.toISOString()).toBe('2026-11-14T17:30:00.000Z');
  expect(span.unit).toBe('day');
  expect(span.steps.map((step) => step.toISOString())).toEqual(
    [15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}T03:00:00.000Z`),
  );
});

test('today is shown by the hour and compared with yesterday up to the same time', () => {
  const span = spanOf('today', NOW);
  expect(span.start.toISOString()).toBe('2026-11-21T03:00:00.000Z');
  expect(span.before.start.toISOString()).toBe('2026-11-20T03:00:00.000Z');
  expect(span.before.end.toISOString()).toBe('2026-11-20T17:30:00.000Z');
  expect(span.steps).toHaveLength(24);
  expect(span.steps.at(-1)?.toISOString()).toBe('2026-11-22T02:00:00.000Z');
});

test('just before midnight in São Paulo it is still today there, although UTC has another date', () => {
  expect(spanOf('today', new Date('2026-11-22T02:59:59.999Z')).start.toISOString()).toBe('2026-11-21T03:00:00.000Z');
  expect(spanOf('today', new Date('2026-11-22T03:00:00.000Z')).start.toISOString()).toBe('2026-11-22T03:00:00.000Z');
});

test('days around a change to daylight saving time are whole days, none twice and none left out', () => {
  // It began on 4 November 2018 at midnight: that day had 23 hours.
  const span = spanOf('7d', new Date('2018-11-06T15:00:00.000Z'));
  expect(span.steps.map((step) => step.toISOString())).toEqual([
    '2018-10-31T03:00:00.000Z',
    '2018-11-01T03:00:00.000Z',
    '2018-11-02T03:00:00.000Z',
    '2018-11-03T03:00:00.000Z',
    '2018-11-04T03:00:00.000Z',
    '2018-11-05T02:00:00.000Z',
    '2018-11-06T02:00:00.000Z',
  ]);
});

test.each([
  // The clocks went back at midnight: they show the last hour of that day for the second time.
  ['today', '2019-02-16T23:30:00-03:00', '2019-02-15T23:30:00-02:00'],
  ['7d', '2019-02-16T23:30:00-03:00', '2019-02-09T23:30:00-02:00'],
  ['today', '2018-11-04T10:00:00-02:00', '2018-11-03T10:00:00-03:00'],
  ['30d', '2018-11-20T10:00:00-02:00', '2018-10-21T10:00:00-03:00'],
] as const)(
  '%s at %s is compared up to the same time of the day before it, and not into itself',
  (period, now, end) => {
    const { start, before } = spanOf(period, new Date(now));
    expect(before.end).toEqual(new Date(end));
    expect(before.end.getTime()).toBeLessThanOrEqual(start.getTime());
  },
);

test.each(OVERVIEW_PERIODS)('the parts of %s are in order, and the span before ends before it begins', (period) => {
  const { start, before, steps } = spanOf(period, NOW);
  expect(steps[0]).toEqual(start);
  expect(steps.toSorted((a, b) => a.getTime() - b.getTime())).toEqual(steps);
  expect(before.end.getTime()).toBeLessThanOrEqual(start.getTime());
  expect(before.start.getTime()).toBeLessThan(before.end.getTime());
});
