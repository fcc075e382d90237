import { createParser } from 'nuqs/server';
import { isDay } from '#domain/reports/statement-period.ts';

/** A parser of days, `YYYY-MM-DD`; null for one that the calendar does not have. */
export const parseAsDay = createParser({
  parse: (text) => (isDay(text) ? text : null),
  serialize: (day: string) => day,
});
