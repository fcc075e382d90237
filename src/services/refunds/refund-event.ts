import type { ChargeRow } from '#db/charges/charges.ts';
import type { RefundRow } from '#db/refunds/refunds.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { eventType, externalIdOf } from '#domain/webhooks/events.ts';
import { chargeDetails } from '../charges/charge-event.ts';
import { eventBody } from '../webhooks/event-body.ts';
import { type EventDeps, sealEventBody } from '../webhooks/seal-event-body.ts';
import { openRefund } from './refund-texts.ts';

/**
 * The event of a refund that has ended: its id, its type and, sealed, the exact bytes that every
 * delivery of it carries. `charge` is as it was before the refund ended.
 */
export function refundEvent(
  deps: EventDeps,
  charge: ChargeRow,
  refund: Pick<RefundRow, 'id' | 'centavos' | 'description' | 'reference' | 'metadata' | 'returnId'> & {
    done: boolean;
  },
  now: Date,
): { now: Date; eventId: string; eventType: string; eventBody: string } {
  const refunded = charge.refundedCentavos + (refund.done ? refund.centavos : 0n);
  const status = refunded >= charge.amountCentavos ? 'refunded' : charge.status;
  const fields = { ...charge, type: 'pix_in' as const, status, externalId: externalIdOf(charge) };
  const name = refund.done ? 'refunded' : 'refund_failed';
  const eventId = uuidv7(now);
  const opened = openRefund(deps, refund);
  const details = {
    ...chargeDetails(deps, charge),
    refund_id: refund.id,
    refund_amount: refund.centavos,
    refunded_amount: refunded,
    refund_reference: opened.reference,
    refund_metadata: readMetadata(opened.metadata),
    ...(refund.returnId === null ? {} : { return_id: refund.returnId }),
  };
  const body = eventBody('PixRefundEvent', {
    eventId,
    now,
    livemode: charge.livemode,
    fields,
    previousStatus: charge.status,
    name,
    details,
  });
  return { now, eventId, eventType: eventType(fields, name), eventBody: sealEventBody(deps, eventId, body) };
}
