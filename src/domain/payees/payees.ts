/**
 * From then on after it was added, money that goes to payees only may go to a payee: whoever has
 * taken over a login waits, and every member has been notified for a day. What exchanges ask for a
 * new address of a withdrawal.
 */
export const PAYEE_WAIT_MS = 24 * 60 * 60_000;

/** Of an account: one answer holds them all, and the form of a withdrawal searches among them. */
export const PAYEES_MAX = 500;

/** Of what members call a payee, in characters: it is one line of a list. */
export const PAYEE_LABEL_LENGTH_MAX = 60;
