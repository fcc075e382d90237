import { findDeliveriesOfEvent } from '#db/webhooks/event-log.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { getWebhookDelivery, type ShownDelivery } from './list-webhook-deliveries.ts';

/**
 * The deliveries of an account's event, each with its exact body and its attempts, oldest first;
 * there is one at least. `eventId` is null for what is no event's id. Errors: event_not_found, also
 * for another account's.
 */
export async function getEvent(
  deps: Deps,
  accountId: string,
  eventId: string | null,
): Promise<[ShownDelivery, ...ShownDelivery[]]> {
  const ids = eventId === null ? [] : await findDeliveriesOfEvent(deps.db.pool, accountId, eventId);
  const [first, ...others] = await Promise.all(ids.map((id) => getWebhookDelivery(deps, accountId, id)));
  if (!first) throw new DomainError('event_not_found');
  return [first, ...others];
}
