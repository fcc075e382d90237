import { withAudit } from '#db/audit/with-audit.ts';
import { LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import { findDeliveryStatus, holdDelivery } from '#db/webhooks/deliveries.ts';
import { startSendingHeld, takeOldestHeld } from '#db/webhooks/held-deliveries.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { deliverWebhook } from './deliver-webhook.ts';

/** The count stops here: the panel shows that there are more. */
export const HELD_COUNTED_MAX = 1_000;

/** A receiver that has just come back gets at most 20 a second, beside the events of the moment. */
const PAUSE_MS = 50;
/**
 * A run ends after this, or after so many: the rest of its lease is for a slow response, and other
 * tasks need the worker too.
 */
const RUN_MS = 5_000;
const RUN_EVENTS_MAX = 100;
/** The receiver has too many attempts under way. */
const BUSY_MS = 1_000;

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
 * one continues by the schedule, and the rest is held until it is sent.
 */
export async function sendHeld(deps: Deps, task: Task): Promise<'done' | { dueAt: Date; countAttempt: false }> {
  const { pool } = deps.db;
  const startedAt = deps.clock().getTime();
  for (let sent = 0; sent < RUN_EVENTS_MAX && deps.clock().getTime() - startedAt < RUN_MS; sent++) {
    if (sent > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const delivery = await takeOldestHeld(pool, task.subjectId, new Date(deps.clock().getTime() + LEASE_MS));
    if (!delivery) return 'done';
    const result = await deliverWebhook(deps, delivery);
    if (typeof result === 'object') {
      await holdDelivery(pool, delivery);
      return { dueAt: new Date(deps.clock().getTime() + BUSY_MS), countAttempt: false };
    }
    if ((await findDeliveryStatus(pool, delivery.subjectId)) !== 'delivered') return 'done';
  }
  deps.wakeWorkers();
  return { dueAt: deps.clock(), countAttempt: false };
}
