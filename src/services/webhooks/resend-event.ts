import { resendEventDeliveries } from '#db/webhooks/resends.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { getEvent } from './get-event.ts';
import type { ShownDelivery } from './list-webhook-deliveries.ts';
import { requireApiEndpoint } from './manage-api-endpoints.ts';

/**
 * Sends an event of an account again, also one that is held, with the same `webhook-id` and bytes:
 * to each of its receivers at their current URLs, or to `endpointId` alone, an endpoint without a
 * topic. A delivery that waits is tried at once; two requests send it once. Returns the deliveries
 * of the event after that. Errors: event_not_found, endpoint_not_found, endpoint_disabled (it goes
 * to endpoints without a topic alone, which are disabled), webhook_disabled (it goes nowhere).
 */
export async function resendEvent(
  deps: Deps,
  accountId: string,
  { eventId, endpointId }: { eventId: string | null; endpointId: string | null },
): Promise<[ShownDelivery, ...ShownDelivery[]]> {
  if (eventId === null) throw new DomainError('event_not_found');
  const endpoint = endpointId === null ? null : await requireApiEndpoint(deps, accountId, endpointId);
  const resent = await resendEventDeliveries(deps.db.pool, { accountId, eventId, endpointId, now: deps.clock() });
  if (resent === null) throw new DomainError('event_not_found');
  if (resent === 'endpoint_off' || (resent === 'topic_off' && endpoint?.disabledAt)) {
    throw new DomainError('endpoint_disabled');
  }
  if (resent !== 'due' && resent !== 'under_way') throw new DomainError('webhook_disabled');
  deps.wakeWorkers();
  return getEvent(deps, accountId, eventId);
}
