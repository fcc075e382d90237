import { resendEventDeliveries } from '#db/webhooks/resends.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { getEvent } from './get-event.ts';
import type { ShownDelivery } from './list-webhook-deliveries.ts';
import { requireApiEndpoint } from './manage-api-endpoints.ts';

/**
 * Sends an event of an account, held or sent before, with the same `webhook-id` and bytes, to
 * wherever it goes, or to one endpoint without a topic: as those are now. What is on its way is
 * tried at once; two requests send it once. Returns its deliveries then. Errors: event_not_found,
 * endpoint_not_found, webhook_disabled (it goes nowhere).
 */
export async function resendEvent(
  deps: Deps,
  accountId: string,
  { eventId, endpointId }: { eventId: string | null; endpointId: string | null },
): Promise<[ShownDelivery, ...ShownDelivery[]]> {
  if (eventId === null) throw new DomainError('event_not_found');
  if (endpointId !== null) await requireApiEndpoint(deps, accountId, endpointId);
  const resent = await resendEventDeliveries(deps.db.pool, { accountId, eventId, endpointId, now: deps.clock() });
  if (resent === null) throw new DomainError('event_not_found');
  if (resent === 'endpoint_off') throw new DomainError('webhook_disabled');
  deps.wakeWorkers();
  return getEvent(deps, accountId, eventId);
}
