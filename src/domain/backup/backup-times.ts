import { instantOf, wallMs } from '../values/business-day.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** At most one an hour. */
const TIMES_MAX = 24;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Parses a list of times in São Paulo such as `03:00, 15:00` into minutes after midnight; `null`
 * for any other text.
 */
export function parseBackupTimes(text: string): number[] | null {
  const times = text.split(',').map((part) => {
    const [, hours, minutes] = TIME.exec(part.trim()) ?? [];
    return Number(hours) * 60 + Number(minutes);
  });
  return times.length <= TIMES_MAX && times.every((time) => !Number.isNaN(time)) ? times : null;
}

/**
 * The last instant, not after `now`, at which the clock in São Paulo showed one of these times (in
 * minutes after midnight, one at least).
 */
export function lastBackupTime(now: Date, times: readonly number[]): Date {
  const midnight = Math.floor(wallMs(now.getTime()) / DAY_MS) * DAY_MS;
  const instants = [midnight - DAY_MS, midnight].flatMap((day) =>
    times.map((time) => instantOf(day + time * MINUTE_MS).getTime()),
  );
  return new Date(Math.max(...instants.filter((instant) => instant <= now.getTime())));
}
