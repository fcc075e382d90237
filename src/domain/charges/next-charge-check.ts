import { EXPIRY_GRACE_MS } from './charge-settlement.ts';

/**
 * When a pending charge is looked up at the PSP although no callback came: callbacks get lost.
 * Measured from its creation; few enough for a PSP's rate limits, early enough that a payer who has
 * paid does not wait for long.
 */
const CHECKS_AFTER_MS = [30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];

/**
 * A PSP may call a charge paid and name no payment, and then it neither ends nor expires: from its
 * end on, each wait is as long as all before it, within these bounds.
 */
const LATE_CHECK_MS = { min: 1_000, max: 60 * 60_000 };

/**
 * The next time at which a charge must be checked: the next scheduled check, or its expiry; of one
 * that is pending after that a later time, so that it is not checked without a pause.
 */
export function nextChargeCheck(createdAt: Date, expiresAt: Date, now: Date): Date {
  const end = expiresAt.getTime() + EXPIRY_GRACE_MS;
  const lateMs = now.getTime() - end;
  if (lateMs >= 0) return new Date(now.getTime() + Math.min(Math.max(lateMs, LATE_CHECK_MS.min), LATE_CHECK_MS.max));
  const checks = CHECKS_AFTER_MS.map((after) => createdAt.getTime() + after);
  return new Date(Math.min(checks.find((check) => check > now.getTime()) ?? end, end));
}
