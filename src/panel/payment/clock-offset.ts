/**
 * Samples differ by the answer's travel time; more than this and somebody has set the phone's
 * clock.
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
