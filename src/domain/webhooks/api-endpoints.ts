/**
 * How many endpoints without a topic an account has at most: each gets every event that it takes,
 * in the statement that changes the status.
 */
export const API_ENDPOINTS_MAX = 10;

/** What a merchant calls an endpoint: a line that distinguishes it from the others. */
export const ENDPOINT_DESCRIPTION_LENGTH_MAX = 200;
