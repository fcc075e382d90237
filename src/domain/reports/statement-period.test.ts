import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, isDay, periodInstants, periodIssue, presetDays } from './statement-period.ts';

describe('a period', () => {
  it('reaches from the first instant of its first day to the one after its last, in São Paulo', () => {
    const { start, end } = periodInstants({ from: '2026-11-20', to: '2026-11-21' });
    expect(start.toISOString()).toBe('2026-11-20T03:00:00.000Z');
    expect(end.toISOString()).toBe('2026-11-22T03:00:00.000Z');
  });

  it('ends where the next one begins, also over daylight saving time', () => {
    for (let day = '2018-10-25'; day < '2018-11-15'; day = addDays(day, 1)) {
      const { end } = periodInstants({ from: day, to: day });
      expect(periodInstants({ from: addDays(day, 1), to: addDays(day, 1) }).start).toEqual(end);
    }
  });

  it.each([
    ['2026-11-01', '2026-11-01', null],
    ['2024-01-01', '2024-12-31', null],
    ['2026-01-01', '2027-01-01', null],
    ['2026-01-01', '2027-01-02', 'too_many_days'],
    ['2026-11-02', '2026-11-01', 'days_reversed'],
    ['2026-02-29', '2026-03-01', 'not_day'],
    ['2026-11-31', '2026-12-01', 'not_day'],
    ['1999-12-31', '2000-01-01', 'not_day'],
    ['', '2026-11-01', 'not_day'],
  ])('from %s to %s: %s', (from, to, issue) => {
    expect(periodIssue({ from, to })?.issue ?? null).toBe(issue);
  });

  it('by its name is counted from today', () => {
    expect(presetDays('month', '2026-11-21')).toEqual({ from: '2026-11-01', to: '2026-11-21' });
    expect(presetDays('last-month', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(presetDays('last-month', '2026-01-05')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(presetDays('7d', '2026-11-03')).toEqual({ from: '2026-10-28', to: '2026-11-03' });
    expect(daysBetween('2026-10-28', '2026-11-03')).toBe(7);
    expect(presetDays('30d', '2026-11-21')).toEqual({ from: '2026-10-23', to: '2026-11-21' });
  });

  it('knows leap days', () => {
    expect(isDay('2028-02-29')).toBe(true);
    expect(isDay('2027-02-29')).toBe(false);
  });
});
