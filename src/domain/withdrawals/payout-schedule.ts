import { dateInSaoPaulo, instantOf, nextDayStart } from '../values/business-day.ts';

/**
 * When payouts that are scheduled run: at eight o'clock in São Paulo, on each date of the schedule,
 * whether banks are open on it or not.
 */

export const REPEAT_EVERY = ['week', 'month', 'year'] as const;
export type RepeatEvery = (typeof REPEAT_EVERY)[number];

/** Either ends it: after so many payouts, or with the last one up to a date. */
export type Repeat =
  | { every: RepeatEvery; count: number; until: null }
  | { every: RepeatEvery; count: null; until: string };

export type PayoutSchedule = {
  /** `YYYY-MM-DD`, in São Paulo, as are all dates here. */
  firstOn: string;
  /** `null`: it is paid once. */
  repeat: Repeat | null;
};

/**
 * What happens to a payout at whose time no worker ran and whose day has ended: it fails, or it is
 * still run on the day after.
 */
export const IF_MISSED = ['fail', 'run'] as const;
export type IfMissed = (typeof IF_MISSED)[number];

/** The hour of the day at which it begins: limits of the night are over, and the day has begun. */
const RUN_HOUR = 8;

/** How far ahead the first date may be: payments of a later year are not known yet. */
const FIRST_YEARS_MAX = 1;
/**
 * How far the last date may be from the first: every schedule ends, so that none runs on unnoticed.
 */
export const REPEAT_YEARS_MAX = 10;
/** The most payouts of a weekly schedule in that time. */
export const REPEAT_COUNT_MAX = 522;
/** A single payout is no repetition. */
export const REPEAT_COUNT_MIN = 2;

const HOUR_MS = 3_600_000;
/** How many times a payout is tried again when the balance is too low, an hour apart. */
const SHORT_TRIES = 3;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a date of the calendar, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const ms = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dateOf(ms) === text;
}

/** Returns the first and the last date on which a payout that is asked for now may begin. */
export function datesForFirst(now: Date): { from: string; to: string } {
  const today = dateInSaoPaulo(now);
  return { from: addDays(today, 1), to: addMonths(today, 12 * FIRST_YEARS_MAX) };
}

/**
 * Returns the date of the payout number `n` (from 1); `null` when the schedule has ended before it.
 * Months and years are counted from the first date, so that a date at the end of a short month does
 * not stay there: 31 January, 28 February, 31 March.
 */
export function dateOfOccurrence({ firstOn, repeat }: PayoutSchedule, n: number): string | null {
  if (n === 1) return firstOn;
  if (repeat === null || (repeat.count !== null && n > repeat.count)) return null;
  const date = addPeriods(firstOn, repeat.every, n - 1);
  return repeat.until !== null && date > repeat.until ? null : date;
}

/** Returns why a schedule can't be made now; `null`: it can. */
export function scheduleIssue(schedule: PayoutSchedule, now: Date): 'first' | 'repeat' | null {
  const { from, to } = datesForFirst(now);
  const { firstOn, repeat } = schedule;
  if (firstOn < from || firstOn > to) return 'first';
  if (repeat === null) return null;
  const last = addMonths(firstOn, 12 * REPEAT_YEARS_MAX);
  if (repeat.until !== null) return dateOfOccurrence(schedule, 2) !== null && repeat.until <= last ? null : 'repeat';
  return addPeriods(firstOn, repeat.every, repeat.count - 1) <= last ? null : 'repeat';
}

/** The instant at which a payout of a date begins. */
export const beginsAt = (date: string): Date => instantOf(Date.parse(`${date}T00:00:00Z`) + RUN_HOUR * HOUR_MS);

/**
 * Returns the instant up to which a payout of a date may still begin: the end of its day, or with
 * `run` the end of the day after.
 */
export function mayBeginUntil(date: string, ifMissed: IfMissed): Date {
  const end = nextDayStart(beginsAt(date));
  return ifMissed === 'run' ? nextDayStart(end) : end;
}

/**
 * Returns when a payout is tried again for which there was too little money, first at `shortSince`;
 * `null`: not again. Times that have passed while no worker ran are left out.
 */
export function nextTryAt(shortSince: Date, until: Date, now: Date): Date | null {
  for (let tries = 1; tries <= SHORT_TRIES; tries++) {
    const at = new Date(shortSince.getTime() + tries * HOUR_MS);
    if (at > now) return at < until ? at : null;
  }
  return null;
}

function addPeriods(date: string, every: RepeatEvery, periods: number): string {
  if (every === 'week') return addDays(date, 7 * periods);
  return addMonths(date, periods * (every === 'month' ? 1 : 12));
}

const addDays = (date: string, days: number): string => {
  const { year, month, day } = partsOf(date);
  return dateOf(Date.UTC(year, month, day + days));
};

/**
 * Returns the date so many months later, on the same day or, where that month is shorter, on its
 * last.
 */
function addMonths(date: string, months: number): string {
  const { year, month, day } = partsOf(date);
  // The day 0 of a month is the last one of the month before.
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month + months, Math.min(day, lastDay)));
}

/** `month` from 0. */
function partsOf(date: string): { year: number; month: number; day: number } {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = date.split('-').map(Number);
  return { year, month: month - 1, day };
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
