import { OVERVIEW_PERIODS, type OverviewPeriod } from '#domain/overview-period.ts';

/** The period's name in the address; without one it is thirty days. */
export const PERIOD_PARAMETER = 'periodo';
const DEFAULT: OverviewPeriod = '30d';

export const readPeriod = (text: string | null): OverviewPeriod =>
  OVERVIEW_PERIODS.find((period) => period === text) ?? DEFAULT;

/** The page's address with a period in it. */
export const addressWith = (pathname: string, period: OverviewPeriod): string =>
  period === DEFAULT ? pathname : `${pathname}?${PERIOD_PARAMETER}=${period}`;
