/**
 * The most items in a list of what waits for the operator; further ones appear as these are
 * decided.
 */
export const SHOWN_MAX = 200;
