import { type FieldIssue, fieldIssue } from '../errors/issues.ts';
import { dateInSaoPaulo, dayStart, nextDayStart } from '../values/business-day.ts';
import { isCalendarDay } from '../values/is-calendar-day.ts';

/** The days that a statement is about, first and last included, as `2026-11-21`. */
export type StatementDays = { from: string; to: string };

/**
 * A year with a leap day, which is what an accountant closes at once. A longer time is two
 * statements, which fit together.
 */
const STATEMENT_DAYS_MAX = 366;

/** The periods that have a name. */
export const STATEMENT_PRESETS = ['month', 'last-month', '7d', '30d'] as const;
export type StatementPreset = (typeof STATEMENT_PRESETS)[number];

const DAY_MS = 86_400_000;

/** Whether a text is a day that the calendar has, of this century. */
export const isDay = (text: string): boolean => text.startsWith('20') && isCalendarDay(text);

/** Returns why two days are no period; `null`: they are one. */
export function periodIssue({ from, to }: StatementDays): FieldIssue | null {
  if (!isDay(from) || !isDay(to)) return fieldIssue('from', 'not_day');
  if (from > to) return fieldIssue('to', 'days_reversed');
  return daysBetween(from, to) > STATEMENT_DAYS_MAX
    ? fieldIssue('to', 'too_many_days', { max: STATEMENT_DAYS_MAX })
    : null;
}

/** How many days a period has, both ends included. */
export const daysBetween = (from: string, to: string): number => Math.round((utcMs(to) - utcMs(from)) / DAY_MS) + 1;

/** Returns the day that is so many days later, or earlier. */
export const addDays = (day: string, days: number): string => iso(utcMs(day) + days * DAY_MS);

/** The days of a named period, seen from today. */
export function presetDays(preset: StatementPreset, today: string): StatementDays {
  const firstOfMonth = `${today.slice(0, 8)}01`;
  switch (preset) {
    case 'month':
      return { from: firstOfMonth, to: today };
    case 'last-month': {
      const to = addDays(firstOfMonth, -1);
      return { from: `${to.slice(0, 8)}01`, to };
    }
    case '7d':
      return { from: addDays(today, -6), to: today };
    case '30d':
      return { from: addDays(today, -29), to: today };
  }
}

/**
 * The first instant of a period's first day, and the first one after its last day, in São Paulo.
 */
export const periodInstants = ({ from, to }: StatementDays): { start: Date; end: Date } => ({
  start: dayStart(noon(from)),
  end: nextDayStart(noon(to)),
});

/** The first instant of a São Paulo day. */
export const startOfDay = (day: string): Date => dayStart(noon(day));

/** The day that it is in São Paulo. */
export const dayOf = dateInSaoPaulo;

/** Inside the São Paulo day, whatever daylight saving time there is: 12:00 or 13:00 there. */
const noon = (day: string): Date => new Date(utcMs(day) + 15 * 3_600_000);

const utcMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
