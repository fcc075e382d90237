/**
 * The version of the REST API, on every answer. Additions do not change it; what would is said at
 * /docs.
 */
export const API_VERSION = '2026-11-20';
