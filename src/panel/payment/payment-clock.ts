const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * Samples differ by the answer's travel time; a larger difference means that somebody has set the
 * phone's clock.
 */
const CLOCK_WAS_SET_MS = 3_000;

/**
 * How far the server's clock is ahead of this device's, in milliseconds, given one more answer that
 * carried the server's time. An answer's journey makes the server look early, so the largest sample
 * is the best one; keeping it also keeps the countdown from stuttering when answers take unequal
 * time.
 * @param known the offset so far, null before the first answer
 */
export function clockOffset(known: number | null, serverTimeMs: number, receivedAtMs: number): number {
  const sample = serverTimeMs - receivedAtMs;
  if (known === null || Math.abs(sample - known) > CLOCK_WAS_SET_MS) return sample;
  return Math.max(known, sample);
}

/**
 * What the countdown shows: a clock, the date itself when more than a day is left, or that nothing
 * is left.
 */
type TimeLeft = { kind: 'clock'; text: string; urgent: boolean } | { kind: 'date' } | { kind: 'over' };

/**
 * Returns `14:32` under an hour, `1:02:03` up to a day. Seconds are rounded up, so that 00:01 is
 * the last that is seen.
 */
export function timeLeft(leftMs: number): TimeLeft {
  const seconds = Math.ceil(leftMs / SECOND_MS);
  if (seconds <= 0) return { kind: 'over' };
  if (seconds > DAY_S) return { kind: 'date' };
  const twoDigits = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / HOUR_S);
  const clock = `${twoDigits(Math.floor((seconds % HOUR_S) / MINUTE_S))}:${twoDigits(seconds % MINUTE_S)}`;
  return { kind: 'clock', text: hours > 0 ? `${hours}:${clock}` : clock, urgent: seconds <= MINUTE_S };
}
