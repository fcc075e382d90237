import { createParser } from 'nuqs/server';

/** A parser of days, `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null),
  serialize: (day: string) => day,
});
