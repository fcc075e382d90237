import { LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import { findDeliveryStatus } from '#db/webhooks/deliveries.ts';
import type { Deps } from '../deps.ts';
import { deliverWebhook } from './deliver-webhook.ts';

/** A receiver gets at most 20 a second this way, beside the events of the moment. */
const PAUSE_MS = 50;
/**
 * A run ends after this, or after so many: the rest of its lease is for a slow response, and other
 * tasks need the worker too.
 */
const RUN_MS = 5_000;
const RUN_EVENTS_MAX = 100;
/** The receiver has too many attempts under way. */
const BUSY_MS = 1_000;

/** Deliveries that wait to be sent one after the other. */
export type Waiting = {
  /** Takes the oldest one, claimed until `leaseUntil`; null: none is left. */
  takeOldest: (leaseUntil: Date) => Promise<Task | null>;
  /** Puts back one that was taken and not tried. */
  putBack: (delivery: Task) => Promise<void>;
  /** Whether the next one is sent although this one was not accepted. */
  goesOn?: boolean;
};

/**
 * Sends deliveries with the same `webhook-id` and bytes: the oldest first, and each when the one
 * before was accepted. `ended`: none is left. `stopped`: one was not accepted; it continues by the
 * schedule. With a time: the run goes on then.
 */
export async function sendInOrder(
  deps: Deps,
  { takeOldest, putBack, goesOn = false }: Waiting,
): Promise<'ended' | 'stopped' | { dueAt: Date; attempts: 'keep' }> {
  const startedAt = deps.clock().getTime();
  for (let sent = 0; sent < RUN_EVENTS_MAX && deps.clock().getTime() - startedAt < RUN_MS; sent++) {
    if (sent > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const delivery = await takeOldest(new Date(deps.clock().getTime() + LEASE_MS));
    if (!delivery) return 'ended';
    const result = await deliverWebhook(deps, delivery);
    if (typeof result === 'object') {
      await putBack(delivery);
      return { dueAt: new Date(deps.clock().getTime() + BUSY_MS), attempts: 'keep' };
    }
    if (!goesOn && (await findDeliveryStatus(deps.db.pool, delivery.subjectId)) !== 'delivered') return 'stopped';
  }
  return { dueAt: deps.clock(), attempts: 'keep' };
}
