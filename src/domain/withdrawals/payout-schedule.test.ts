import { describe, expect, test } from 'vitest';
import {
  beginsAt,
  dateOfOccurrence,
  datesForFirst,
  isDate,
  mayBeginUntil,
  nextTryAt,
  type Repeat,
  scheduleIssue,
} from './payout-schedule.ts';

const NOW = new Date('2026-11-23T15:00:00.000Z');
const datesOf = (firstOn: string, repeat: Repeat, upTo: number) =>
  Array.from({ length: upTo }, (_, index) => dateOfOccurrence({ firstOn, repeat }, index + 1));

describe('the dates of a schedule', () => {
  test.each<[string, string, Repeat, (string | null)[]]>([
    [
      'months end on their last day and do not stay there',
      '2027-01-31',
      { every: 'month', count: 5, until: null },
      ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', null],
    ],
    [
      'a year after 29 February is 28 February, and four are 29 again',
      '2028-02-29',
      { every: 'year', count: 5, until: null },
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29', null],
    ],
    [
      'weeks pass the end of a year',
      '2026-12-24',
      { every: 'week', count: null, until: '2027-01-07' },
      ['2026-12-24', '2026-12-31', '2027-01-07', null],
    ],
    [
      'the last day is one of them, the day after is not',
      '2026-12-10',
      { every: 'month', count: null, until: '2027-02-09' },
      ['2026-12-10', '2027-01-10', null, null],
    ],
  ])('%s', (_rule, firstOn, repeat, dates) => {
    expect(datesOf(firstOn, repeat, dates.length)).toEqual(dates);
  });

  test('without a repetition there is one date', () => {
    expect(dateOfOccurrence({ firstOn: '2026-12-01', repeat: null }, 1)).toBe('2026-12-01');
    expect(dateOfOccurrence({ firstOn: '2026-12-01', repeat: null }, 2)).toBeNull();
  });

  test.each(['2026-02-29', '2026-13-01', '2026-1-1', '20261201', '2026-12-01T00:00', ''])(
    '%j is no date of the calendar',
    (text) => {
      expect(isDate(text)).toBe(false);
      expect(isDate('2028-02-29')).toBe(true);
    },
  );
});

describe('what may be scheduled', () => {
  test('the first date is from tomorrow up to a year from today, in São Paulo', () => {
    expect(datesForFirst(NOW)).toEqual({ from: '2026-11-24', to: '2027-11-23' });
    // Half past ten in the evening there.
    expect(datesForFirst(new Date('2026-11-24T01:30:00.000Z')).from).toBe('2026-11-24');
    const issue = (firstOn: string) => scheduleIssue({ firstOn, repeat: null }, NOW);
    expect(['2026-11-23', '2026-11-24', '2027-11-23', '2027-11-24'].map(issue)).toEqual(['first', null, null, 'first']);
  });

  test.each<[Repeat, 'repeat' | null]>([
    [{ every: 'month', count: null, until: '2026-12-31' }, 'repeat'],
    [{ every: 'month', count: null, until: '2027-01-01' }, null],
    [{ every: 'month', count: null, until: '2036-12-01' }, null],
    [{ every: 'month', count: null, until: '2036-12-02' }, 'repeat'],
    [{ every: 'year', count: 11, until: null }, null],
    [{ every: 'year', count: 12, until: null }, 'repeat'],
    [{ every: 'week', count: 522, until: null }, null],
  ])('from 1 December on, %j is %s', (repeat, issue) => {
    expect(scheduleIssue({ firstOn: '2026-12-01', repeat }, NOW)).toBe(issue);
  });
});

test('a payout begins at eight o’clock in São Paulo, and may until its day, or the next one, has ended', () => {
  expect(beginsAt('2026-12-01').toISOString()).toBe('2026-12-01T11:00:00.000Z');
  // Daylight saving time applied then.
  expect(beginsAt('2018-12-01').toISOString()).toBe('2018-12-01T10:00:00.000Z');
  expect(mayBeginUntil('2026-12-01', 'fail').toISOString()).toBe('2026-12-02T03:00:00.000Z');
  expect(mayBeginUntil('2026-12-01', 'run').toISOString()).toBe('2026-12-03T03:00:00.000Z');
});

test('a payout without enough money is tried again hourly three times, and not after its day', () => {
  const since = beginsAt('2026-12-01');
  const until = mayBeginUntil('2026-12-01', 'fail');
  const after = (minutes: number) => nextTryAt(since, until, new Date(since.getTime() + minutes * 60_000));
  expect([0, 59, 60, 119, 120, 179].map((minutes) => after(minutes)?.toISOString().slice(11, 16))).toEqual([
    '12:00',
    '12:00',
    '13:00',
    '13:00',
    '14:00',
    '14:00',
  ]);
  expect(after(180)).toBeNull();
  const late = new Date('2026-12-02T02:30:00.000Z');
  expect(nextTryAt(late, until, late)).toBeNull();
});
