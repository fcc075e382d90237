import { findDeliveryOf } from '#db/webhooks/event-log.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { getWebhookDelivery, type ShownDelivery } from './list-webhook-deliveries.ts';

/**
 * An event of an account with its exact body and its attempts, oldest first. Errors:
 * event_not_found, also for another account's.
 */
export const getEvent = async (deps: Deps, accountId: string, eventId: string | null): Promise<ShownDelivery> =>
  getWebhookDelivery(deps, accountId, await deliveryOf(deps, accountId, eventId));

/** The delivery of an account's event; null is no event's id. Errors: event_not_found. */
export async function deliveryOf(deps: Deps, accountId: string, eventId: string | null): Promise<string> {
  const deliveryId = eventId === null ? null : await findDeliveryOf(deps.db.pool, accountId, eventId);
  if (deliveryId === null) throw new DomainError('event_not_found');
  return deliveryId;
}
