import { instantOf, wallMs } from '../values/business-day.ts';

/** Of São Paulo: before a shop opens, after the night's comparisons of the books are over. */
const DIGEST_HOUR = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const digestOf = (now: Date, daysLater: number): Date =>
  instantOf((Math.floor(wallMs(now.getTime()) / DAY_MS) + daysLater) * DAY_MS + DIGEST_HOUR * HOUR_MS);

/** When the digest of the day that holds `now` is due. */
export const digestToday = (now: Date): Date => digestOf(now, 0);

/** When the next digest is due, after `now`. */
export function nextDigest(now: Date): Date {
  const today = digestToday(now);
  return today > now ? today : digestOf(now, 1);
}
