import { isDay } from '#domain/reports/statement-period.ts';
import { isCalendarDay } from '#domain/values/is-calendar-day.ts';

const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/**
 * Reads a day as somebody types it, `31/1/2027` or `2027-01-31`, and returns it in the latter form;
 * null for any other text. `isOld`: it may be before 2000, when nothing of ours happened.
 */
export function readDay(typed: string, { isOld = false } = {}): string | null {
  const text = typed.trim();
  const [, day = '', month = '', year] = BRAZILIAN.exec(text) ?? [];
  const written = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  return (isOld ? isCalendarDay(written) : isDay(written)) ? written : null;
}

/** Returns a day as it is typed: `31/01/2027`. */
export const typedDay = (day: string): string => day.split('-').reverse().join('/');
