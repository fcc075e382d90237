import { InvalidArgumentError } from 'commander';
import { isDay, startOfDay } from '#domain/reports/statement-period.ts';

/** An instant as ISO 8601 with its offset, `2026-12-01T09:30:00-03:00`. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads when something takes effect: the beginning of a day of São Paulo, or an instant. Throws
 * InvalidArgumentError for anything else.
 */
export function readFrom(text: string): Date {
  if (isDay(text)) return startOfDay(text);
  const instant = INSTANT.test(text) ? new Date(text) : null;
  if (!instant || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError('Give a day as 2026-12-01, or an instant as 2026-12-01T09:30:00-03:00.');
  }
  return instant;
}
