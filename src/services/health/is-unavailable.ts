/**
 * Whether a use case failed because the database is away or overloaded, not by an internal error.
 */
export { isUnavailable } from '#db/connection/is-unavailable.ts';
