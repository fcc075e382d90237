/** The state of a withdrawal that waits for a second person: beside `pending`, until it is sent. */
export type WithdrawalSubStatus = 'pending_approval';

/**
 * A withdrawal that nobody has decided about by then fails, so that its money is not held for
 * ever: a week has a working day of everybody who may decide.
 */
export const APPROVE_WITHIN_MS = 7 * 24 * 60 * 60_000;

/** Of the reason for which a withdrawal is declined, in characters: some sentences. */
export const DECLINE_REASON_LENGTH_MAX = 500;
