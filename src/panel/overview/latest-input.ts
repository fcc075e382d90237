/** As many as fit beside the figures without scrolling far. */
export const LATEST = 8;

/** As transactions.list takes it. */
export const LATEST_INPUT = { limit: String(LATEST) };
