/**
 * What an account asks of a withdrawal above an amount: that a second person approves it, or that
 * it goes to one of the account's payees.
 */
export const THRESHOLD_KINDS = ['approval', 'payees'] as const;
export type ThresholdKind = (typeof THRESHOLD_KINDS)[number];

/**
 * Where there is only one owner, a threshold is raised or removed only after this time: an intruder
 * in the owner's login has to wait, while every member has been notified for a day.
 */
export const LONE_OWNER_DELAY_MS = 24 * 60 * 60_000;
