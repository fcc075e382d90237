/**
 * The most endpoints without a topic that an account may have: each gets every event that it takes,
 * in the statement that changes the status.
 */
export const API_ENDPOINTS_MAX = 10;

/** The longest description of an endpoint: a line that distinguishes it from the others. */
export const ENDPOINT_DESCRIPTION_LENGTH_MAX = 200;
