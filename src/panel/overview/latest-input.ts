/** As many transactions as fit beside the figures without scrolling far. */
export const LATEST = 8;

/** The input of transactions.list. */
export const LATEST_INPUT = { limit: String(LATEST) };
