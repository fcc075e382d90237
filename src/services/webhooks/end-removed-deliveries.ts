import { LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import { endDeliveries, findRemovedAt } from '#db/webhooks/end-deliveries.ts';
import type { Deps } from '../deps.ts';

/** Deliveries that one statement ends, so that it is short. */
const BATCH = 1_000;
/**
 * By then no delivery that was being sent or made at the removal is in progress any more: a claim
 * lasts for one lease, and after it the delivery has ended or waits.
 */
const SETTLED_AFTER_MS = 2 * LEASE_MS;

/**
 * Gives up the deliveries of a removed endpoint that are held or wait, so that none waits for ever;
 * those that a worker may be sending at the removal, SETTLED_AFTER_MS later.
 */
export async function endRemovedDeliveries(
  deps: Deps,
  { subjectId }: Task,
): Promise<'done' | { dueAt: Date; attempts: 'keep' }> {
  const removedAt = await findRemovedAt(deps.db.pool, subjectId);
  if (removedAt === null) return 'done';
  const now = deps.clock();
  const settledAt = new Date(removedAt.getTime() + SETTLED_AFTER_MS);
  const claimed = now >= settledAt;
  const ended = await endDeliveries(deps.db.pool, { endpointId: subjectId, limit: BATCH, now, claimed });
  if (ended > 0) return { dueAt: now, attempts: 'keep' };
  return claimed ? 'done' : { dueAt: settledAt, attempts: 'keep' };
}
