/**
 * How long after it was added a payee may not get money that goes to payees only: an intruder in a
 * login has to wait, and every member has been notified for a day. Exchanges ask the same of a new
 * address for withdrawals.
 */
export const PAYEE_WAIT_MS = 24 * 60 * 60_000;

/**
 * The most payees of an account: one answer holds them all, and the form of a withdrawal searches
 * among them.
 */
export const PAYEES_MAX = 500;

/** The longest label of a payee, in characters: it is one line of a list. */
export const PAYEE_LABEL_LENGTH_MAX = 60;
