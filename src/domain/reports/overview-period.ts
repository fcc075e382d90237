import { dayStart, instantOf, nextDayStart, wallMs } from '../values/business-day.ts';

/** The spans that the overview shows: São Paulo's days, today among them. */
export const OVERVIEW_PERIODS = ['today', '7d', '30d', '90d'] as const;
export type OverviewPeriod = (typeof OVERVIEW_PERIODS)[number];

const DAYS: Record<OverviewPeriod, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type PeriodSpan = {
  start: Date;
  /**
   * The span before it, of as many days, up to the same time of its last day: a morning is compared
   * with a morning.
   */
  before: { start: Date; end: Date };
  unit: 'hour' | 'day';
  /**
   * Where each bar of the chart begins; hours where the span is a day. The last ends with today.
   */
  steps: Date[];
};

/** Returns where a period and its parts begin. */
export function spanOf(period: OverviewPeriod, now: Date): PeriodSpan {
  const days = DAYS[period];
  // Noon to noon: a day may have 23 or 25 hours.
  const starts: Date[] = [dayStart(now)];
  for (let at = dayStart(now); starts.length < 2 * days; starts.push(at))
    at = dayStart(new Date(at.getTime() - 12 * HOUR_MS));
  starts.reverse();
  const start = starts[days] ?? dayStart(now);
  const beforeStart = starts[0] ?? start;
  // By what a clock shows: in the last hour of a day of 25 hours, 24 hours before would be today.
  const before = { start: beforeStart, end: instantOf(wallMs(now.getTime()) - days * DAY_MS) };
  if (period !== 'today') return { start, before, unit: 'day', steps: starts.slice(days) };
  const hours = Math.round((nextDayStart(now).getTime() - start.getTime()) / HOUR_MS);
  const steps = Array.from({ length: hours }, (_, hour) => new Date(start.getTime() + hour * HOUR_MS));
  return { start, before, unit: 'hour', steps };
}
