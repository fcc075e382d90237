/** When a delivery that failed is tried again: the schedule that Standard Webhooks recommends. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The wait before each attempt, counted from the one before: over three days in all, which outlasts
 * a weekend's outage.
 */
const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** After these (10) attempts the delivery is given up; it can be replayed by hand. */
export const WEBHOOK_ATTEMPTS_MAX = DELAYS_MS.length;

/** At most a tenth is added, so that deliveries which failed together do not come back together. */
const JITTER_MAX = 0.1;

/** A receiver may ask for more time, but can't put its events off for good. */
const RETRY_AFTER_MAX_MS = HOUR_MS;

/**
 * Returns the milliseconds from the last attempt to the next; `null` when there is none.
 * `attemptsMade` counts the attempts so far, `random` is in [0, 1), and `retryAfterMs` is what the
 * receiver asked for: it counts when it is later than the schedule, up to an hour.
 * @throws RangeError when attemptsMade is not a whole number of zero or more.
 */
export function nextAttemptDelayMs(attemptsMade: number, random: number, retryAfterMs: number | null): number | null {
  if (!Number.isInteger(attemptsMade) || attemptsMade < 0) throw new RangeError('Attempts are counted from zero.');
  const delayMs = DELAYS_MS[attemptsMade];
  if (delayMs === undefined) return null;
  const scheduledMs = delayMs + Math.floor(delayMs * JITTER_MAX * random);
  const askedMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return askedMs > scheduledMs ? askedMs : scheduledMs;
}
