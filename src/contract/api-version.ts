/**
 * The version of the REST API, on every answer: the day on which it began. Additions do not change
 * it; what would is said at /docs.
 */
export const API_VERSION = '2026-11-20';

/** The versions that a request may ask for in x-api-version, the newest first. */
export const SERVED_VERSIONS: readonly string[] = [API_VERSION];

/**
 * For how long a version is served after a newer one began. Merchants change what works only when
 * they have to: two years hold two of their budgets.
 */
export const VERSION_SERVED_MONTHS = 24;
