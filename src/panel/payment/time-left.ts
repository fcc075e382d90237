const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * What the countdown shows: a clock, or, when the end is days away, the date itself, or that
 * nothing is left.
 */
export type TimeLeft = { kind: 'clock'; text: string; urgent: boolean } | { kind: 'date' } | { kind: 'over' };

/**
 * `14:32` under an hour, `1:02:03` under a day. Seconds are rounded up, so that 00:01 is the last
 * thing to be seen.
 */
export function timeLeft(leftMs: number): TimeLeft {
  const seconds = Math.ceil(leftMs / SECOND_MS);
  if (seconds <= 0) return { kind: 'over' };
  if (seconds > DAY_S) return { kind: 'date' };
  const hours = Math.floor(seconds / HOUR_S);
  const clock = `${twoDigits(Math.floor((seconds % HOUR_S) / MINUTE_S))}:${twoDigits(seconds % MINUTE_S)}`;
  return { kind: 'clock', text: hours > 0 ? `${hours}:${clock}` : clock, urgent: seconds <= MINUTE_S };
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
