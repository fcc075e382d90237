import { isDay } from '#domain/reports/statement-period.ts';

const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const ISO = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads a day as somebody types it, `31/1/2027` or `2027-01-31`, and returns it in the latter form;
 * null for any other text. `isOld`: it may be before 2000, when nothing of ours happened.
 */
export function readDay(typed: string, { isOld = false } = {}): string | null {
  const text = typed.trim();
  const [, day = '', month = '', year] = BRAZILIAN.exec(text) ?? [];
  const written = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  return (isOld ? exists(written) : isDay(written)) ? written : null;
}

function exists(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`);
  // Some engines read the 31st of a short month as the first days of the next one.
  return ISO.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day;
}

/** Returns a day as it is typed: `31/01/2027`. */
export const typedDay = (day: string): string => day.split('-').reverse().join('/');
