/** The time of a test account, which can be moved forward (docs/adr/0069-test-clocks.md). */

const DAY_MS = 24 * 60 * 60_000;

/** The longest move: a clock can't be moved back, so 3650 typed for 365 must be rejected. */
export const TEST_CLOCK_MOVE_DAYS_MAX = 366;
/**
 * The most that all moves add up to: certificates, calendars and 32-bit times of other systems end
 * at some date.
 */
export const TEST_CLOCK_AHEAD_DAYS_MAX = 3_660;

/** Why a move ended before its target: it took too long, or the sandbox did not answer. */
export type ClockStop = 'too_long' | 'sandbox_silent';

const UNIT_MS = { s: 1_000, m: 60_000, h: 60 * 60_000, d: DAY_MS } as const;
const DURATION = /^(\d{1,8})([smhd])$/;

/**
 * Returns the milliseconds of a duration such as `90s`, `15m`, `12h` or `30d`; `null` for a
 * duration of zero and for any other text. There are no months and years, because their lengths
 * differ.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  const ms = match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : 0;
  return ms > 0 ? ms : null;
}

/** Returns why a clock can't be moved by `byMs` to be `aheadMs` ahead; null when it can. */
export function moveProblem(byMs: number, aheadMs: number): 'clock_too_far' | 'clock_too_far_ahead' | null {
  if (byMs > TEST_CLOCK_MOVE_DAYS_MAX * DAY_MS) return 'clock_too_far';
  return aheadMs > TEST_CLOCK_AHEAD_DAYS_MAX * DAY_MS ? 'clock_too_far_ahead' : null;
}
