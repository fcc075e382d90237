import type { DeliveryDetails } from '#db/webhooks/delivery-log.ts';
import type { Deps } from '../deps.ts';
import { deliveryOf } from './get-event.ts';
import { getWebhookDelivery } from './list-webhook-deliveries.ts';
import { resendWebhook } from './resend-webhooks.ts';

/**
 * Sends an event of an account, held or sent before, with the same `webhook-id` and bytes; one that
 * is on its way is tried at once; two requests send it once. Returns its status then. Errors:
 * event_not_found, webhook_disabled.
 */
export async function resendEvent(deps: Deps, accountId: string, eventId: string | null): Promise<DeliveryDetails> {
  const deliveryId = await deliveryOf(deps, accountId, eventId);
  await resendWebhook(deps, accountId, deliveryId);
  return getWebhookDelivery(deps, accountId, deliveryId);
}
