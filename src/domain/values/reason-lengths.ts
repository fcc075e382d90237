/** Why somebody decides as they do: a paragraph, read on a page, in an e-mail or in the audit. */
export const REASON_LENGTH_MAX = 1_000;

/** Why an operator did something to an account: a sentence that its members read in a message. */
export const OPERATOR_REASON_LENGTH_MAX = 500;
