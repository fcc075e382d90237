import { withAudit } from '#db/audit/with-audit.ts';
import type { Task } from '#db/tasks/tasks.ts';
import { holdDelivery } from '#db/webhooks/deliveries.ts';
import { startSendingHeld, takeOldestHeld } from '#db/webhooks/held-deliveries.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { sendInOrder } from './send-in-order.ts';

/** The count stops here: the panel shows that there are more. */
export const HELD_COUNTED_MAX = 1_000;

/**
 * Begins to send what was held for a topic while it had no URL or a disabled one, of whatever age:
 * no receiver has accepted any of it. Returns how many there are, counted up to HELD_COUNTED_MAX.
 * Errors: webhook_disabled, while the topic's endpoint is disabled.
 */
export async function sendHeldWebhooks(deps: Deps, acting: Acting, topic: Topic): Promise<number> {
  const wish = { accountId: acting.accountId, topic, max: HELD_COUNTED_MAX, now: deps.clock() };
  const count = await withAudit(
    deps.db.pool,
    (client) => startSendingHeld(client, wish),
    (count) => (count ? actorEntry(deps, acting, 'webhooks.held_sent', { topic, count }) : null),
  );
  if (count === null) throw new DomainError('webhook_disabled');
  if (count > 0) deps.wakeWorkers();
  return count;
}

/**
 * Sends what an endpoint holds, with the same `webhook-id` and bytes: the oldest first, and each
 * when its receiver has accepted the one before. Ends with the first that it does not accept: that
 * one continues by the schedule, and the rest stays held until the merchant sends it.
 */
export async function sendHeld(deps: Deps, task: Task): Promise<'done' | { dueAt: Date; attempts: 'keep' }> {
  const { pool } = deps.db;
  const result = await sendInOrder(deps, {
    takeOldest: (leaseUntil) => takeOldestHeld(pool, task.subjectId, leaseUntil),
    putBack: (delivery) => holdDelivery(pool, delivery),
  });
  return typeof result === 'object' ? result : 'done';
}
