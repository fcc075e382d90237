import { InvalidArgumentError } from 'commander';
import { isDay, startOfDay } from '#domain/reports/statement-period.ts';
import { isDate } from '#domain/withdrawals/payout-schedule.ts';

/** An instant as ISO 8601 with its offset, `2026-12-01T09:30:00-03:00`. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads an instant with its offset: without one the text would mean another instant on another
 * machine. Null for anything else, also for a day that its month does not have.
 */
export function parseInstant(text: string): Date | null {
  const instant = INSTANT.test(text) && isDate(text.slice(0, 10)) ? new Date(text) : null;
  return instant && !Number.isNaN(instant.getTime()) ? instant : null;
}

/**
 * Reads an instant, for an option. Throws InvalidArgumentError for anything else.
 */
export function readInstant(text: string): Date {
  const instant = parseInstant(text);
  if (!instant) throw new InvalidArgumentError('Give an instant with its zone, e.g. 2027-01-31T12:00:00Z.');
  return instant;
}

/**
 * Reads when something takes effect: the beginning of a day of São Paulo, or an instant. Throws
 * InvalidArgumentError for anything else.
 */
export function readEffectiveAt(text: string): Date {
  if (isDay(text)) return startOfDay(text);
  const instant = parseInstant(text);
  if (!instant) {
    throw new InvalidArgumentError('Give a day as 2026-12-01, or an instant as 2026-12-01T09:30:00-03:00.');
  }
  return instant;
}
