/**
 * Procedures in one request of a page. No page asks for more than eight things at once, and a
 * request must not be a way to ask for a hundred: it counts as one connection, one lookup of the
 * session and one answer that is held in memory.
 */
export const BATCH_CALLS_MAX = 10;
