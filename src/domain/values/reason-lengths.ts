/** The longest reason for a decision: a paragraph, read on a page, in an e-mail or in the audit. */
export const REASON_LENGTH_MAX = 1_000;

/**
 * The longest reason of an operator's action on an account: a sentence that its members read in a
 * message.
 */
export const OPERATOR_REASON_LENGTH_MAX = 500;
