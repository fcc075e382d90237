import { OVERVIEW_PERIODS, type OverviewPeriod } from '#domain/reports/overview-period.ts';

/** The period's name in the address, in the words of the list's own; without one it is thirty days. */
export const PERIOD_PARAMETER = 'periodo';
const DEFAULT: OverviewPeriod = '30d';
export const PERIOD_WORDS = { today: 'hoje', '7d': '7d', '30d': '30d', '90d': '90d' } as const;

export const readPeriod = (text: string | null): OverviewPeriod =>
  OVERVIEW_PERIODS.find((period) => PERIOD_WORDS[period] === text) ?? DEFAULT;

/** The page's address with a period in it. */
export const addressWith = (pathname: string, period: OverviewPeriod): string =>
  period === DEFAULT ? pathname : `${pathname}?${PERIOD_PARAMETER}=${PERIOD_WORDS[period]}`;
