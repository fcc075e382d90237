/** Why somebody decides as they do: a paragraph, read on a page, in an e-mail or in the audit. */
export const REASON_LENGTH_MAX = 1_000;
