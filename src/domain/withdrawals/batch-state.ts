/** The states of a batch as members see them. `done`: each of its rows was run or rejected. */
export const BATCH_STATES = ['pending_approval', 'expired', 'declined', 'running', 'done'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/**
 * The status that is stored. `expired`, `failed`: nothing of it was sent, and it was replaced by a
 * later batch of the same rows.
 */
export type BatchStatus = 'pending_approval' | 'running' | 'declined' | 'expired' | 'failed';

/** Returns the state of a batch at `now`. `toRun`: how many rows are still to be run. */
export function batchState(
  batch: { status: BatchStatus; decideUntil: Date | null; toRun: number },
  now: Date,
): BatchState {
  const { status, decideUntil, toRun } = batch;
  if (status === 'failed') return 'done';
  if (status === 'running') return toRun > 0 ? 'running' : 'done';
  if (status === 'pending_approval' && decideUntil !== null && decideUntil <= now) return 'expired';
  return status;
}
