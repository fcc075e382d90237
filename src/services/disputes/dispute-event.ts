import { encodeEventBody } from '#contract/webhooks/webhook-bodies.ts';
import type { ChargeRow } from '#db/charges/charges.ts';
import type { DisputeReason, DisputeState } from '#domain/disputes/dispute-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { externalIdOf, transactionView } from '#domain/webhooks/events.ts';
import { chargeDetails } from '../charges/charge-event.ts';
import { type EventDeps, sealEventBody } from '../webhooks/seal-event-body.ts';

export type DisputeEventType = 'dispute.opened' | 'dispute.due_soon' | 'dispute.closed';

/** What an event says of a case. */
export type DisputeFields = {
  id: string;
  reason: DisputeReason;
  centavos: bigint;
  state: DisputeState;
  answerBy: Date;
};

/** An event of a dispute: its id and, sealed, the exact bytes every delivery of it will carry. */
export function disputeEvent(
  deps: EventDeps,
  type: DisputeEventType,
  charge: ChargeRow,
  dispute: DisputeFields,
  now: Date,
): { eventId: string; eventBody: string } {
  const eventId = uuidv7(now);
  const fields = { ...charge, type: 'pix_in' as const, externalId: externalIdOf(charge) };
  const body = disputeEventBody(type, {
    eventId,
    now,
    livemode: charge.livemode,
    fields,
    charge,
    details: chargeDetails(deps, charge),
    dispute,
  });
  return { eventId, eventBody: sealEventBody(deps, eventId, body) };
}

/** The bytes alone, for the document's examples too. */
export function disputeEventBody(
  type: DisputeEventType,
  event: {
    eventId: string;
    now: Date;
    livemode: boolean;
    fields: Parameters<typeof transactionView>[0];
    charge: { netCentavos: bigint; status: string };
    details: ReturnType<typeof chargeDetails>;
    dispute: DisputeFields;
  },
): string {
  const { eventId, now, livemode, fields, charge, details, dispute } = event;
  return encodeEventBody('DisputeEvent', {
    id: eventId,
    type,
    timestamp: now,
    livemode,
    data: {
      ...transactionView(fields),
      type: 'pix_in',
      net_amount: charge.netCentavos,
      previous_status: charge.status,
      ...details,
      dispute_id: dispute.id,
      dispute_state: dispute.state,
      reason: dispute.reason,
      disputed_amount: dispute.centavos,
      answer_by: dispute.answerBy,
    },
  });
}
