/**
 * Input for the cases that have not ended: all of them at once, because they are few and ordered by
 * urgency.
 */
export const OPEN_INPUT = { state: 'open,answered,lost', limit: '100' };

/** Input for the cases that have ended: page by page, newest first. */
export const ENDED_INPUT = { state: 'won,cancelled,returned' };
