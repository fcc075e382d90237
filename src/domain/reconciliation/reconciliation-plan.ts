import { nextDayStart } from '../values/business-day.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** After the sweep of the night, which finds what no callback reported. */
export const CHECKED_AFTER_MS = 3.5 * HOUR_MS;
/**
 * A day that differs is compared again: first within hours, because payments that were on their way
 * arrive, and then each night for as long as a PSP or an operator may take to correct it.
 */
const AGAIN_AFTER_MS = 3 * HOUR_MS;
const CHECKED_AGAIN_DAYS = 30;
/** Days that were never compared are, for as long as a PSP lists them (see SWEEP_PLAN.quarter). */
export const OLDEST_DAYS = 90;
/** What was read of a day is discarded when a run takes longer. */
export const RUN_MAX_MS = 6 * HOUR_MS;
/**
 * How long after a day its balance is still known: the current one, less what has moved since then.
 */
export const BALANCE_KNOWN_MS = 24 * HOUR_MS;

/**
 * Returns when a day is compared again after a run of it; `null` when it agrees, or is too long
 * ago.
 */
export function nextCheckAt(run: { dayEnd: Date; readUntil: Date; isExplained: boolean }, now: Date): Date | null {
  const { dayEnd, readUntil, isExplained } = run;
  if (readUntil < dayEnd) return new Date(dayEnd.getTime() + CHECKED_AFTER_MS);
  if (isExplained) return null;
  const age = now.getTime() - dayEnd.getTime();
  if (age < DAY_MS) return new Date(now.getTime() + AGAIN_AFTER_MS);
  return age < CHECKED_AGAIN_DAYS * DAY_MS ? new Date(nextDayStart(now).getTime() + CHECKED_AFTER_MS) : null;
}
