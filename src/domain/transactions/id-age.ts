import { APPROVE_WITHIN_MS } from '../withdrawals/approvals.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * How long what is asked for again gets the id that it had: by its Idempotency-Key, or as the same
 * file after its batch has ended unsent. Longer than any outage after which a client still repeats
 * a withdrawal.
 */
export const ID_KEPT_MS = 30 * DAY_MS;

/**
 * How much older than its transaction an id may be: it is kept for so long, and then a batch may
 * wait for its approval; a day more for clocks and a busy worker. Whoever looks for transactions of
 * a time by their ids looks so far back. (Only that of a file which is made again each month, and
 * never approved before, can be older.)
 */
export const ID_OLDER_MAX_MS = ID_KEPT_MS + APPROVE_WITHIN_MS + DAY_MS;
