import { LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import { endDeliveries, findRemovedAt } from '#db/webhooks/end-deliveries.ts';
import type { Deps } from '../deps.ts';

/** One short statement. */
const BATCH = 1_000;
/**
 * What was being sent or made when the endpoint was removed is over by then, and is not tried
 * again: a claim lasts for one lease, and ends in a state that waits at the latest.
 */
const SETTLED_AFTER_MS = 2 * LEASE_MS;

/**
 * Gives up what a removed endpoint holds and what waits for it; what a worker was just sending
 * then, a minute later. So that nothing waits for ever for what is no more.
 */
export async function endRemovedDeliveries(
  deps: Deps,
  { subjectId }: Task,
): Promise<'done' | { dueAt: Date; countAttempt: false }> {
  const removedAt = await findRemovedAt(deps.db.pool, subjectId);
  if (removedAt === null) return 'done';
  const now = deps.clock();
  const settledAt = new Date(removedAt.getTime() + SETTLED_AFTER_MS);
  const claimed = now >= settledAt;
  const ended = await endDeliveries(deps.db.pool, { endpointId: subjectId, limit: BATCH, now, claimed });
  if (ended > 0) return { dueAt: now, countAttempt: false };
  return claimed ? 'done' : { dueAt: settledAt, countAttempt: false };
}
