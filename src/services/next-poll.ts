/** Polls of a payout, a refund or a return are half of its age apart, within these bounds. */
const POLL_AFTER_MS = { min: 1_000, max: 10 * 60_000 };

/** The next poll of what was sent at `sentAt`. */
export function nextPoll(sentAt: Date, now: Date): Date {
  const age = now.getTime() - sentAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age / 2, POLL_AFTER_MS.min), POLL_AFTER_MS.max));
}

/** The first poll of what was sent just now, by this process or another. */
export const firstPoll = (now: Date): Date => new Date(now.getTime() + POLL_AFTER_MS.min);
