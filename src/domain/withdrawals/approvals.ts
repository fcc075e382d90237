/**
 * The state of a withdrawal that waits, beside `pending`: for a second person, or for the date on
 * which it begins.
 */
export const WITHDRAWAL_SUB_STATUSES = ['pending_approval', 'scheduled'] as const;
export type WithdrawalSubStatus = (typeof WITHDRAWAL_SUB_STATUSES)[number];

/**
 * A withdrawal that was not decided by then fails, so that its money is not held for ever. A week
 * includes a working day of every approver.
 */
export const APPROVE_WITHIN_MS = 7 * 24 * 60 * 60_000;

/** The longest reason for declining a withdrawal, in characters: some sentences. */
export const DECLINE_REASON_LENGTH_MAX = 500;
