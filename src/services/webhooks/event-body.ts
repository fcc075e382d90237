import { type EventBody, type EventBodyName, encodeEventBody } from '#contract/webhooks/webhook-bodies.ts';
import {
  eventType,
  TEST_EVENT_TYPE,
  type Topic,
  type TransactionFields,
  transactionView,
} from '#domain/webhooks/events.ts';

/** The shapes of the events about a transaction. */
type BodyName = Exclude<EventBodyName, 'WebhookTestEvent' | 'DisputeEvent'>;

/** What the data of a shape has besides what all of them have. */
type Details<N extends BodyName> = Omit<
  EventBody<N>['data'],
  keyof ReturnType<typeof transactionView> | 'net_amount' | 'previous_status'
>;

/**
 * The exact bytes of a webhook. `shape` is its name in the contract, `fields` are those after the
 * change, `name` is what happened when that is not the status itself (`crypto_in.underpaid`).
 * Throws for a body that is not of its shape: that is an internal error, and nothing is written
 * then.
 */
export function eventBody<N extends BodyName>(
  shape: N,
  event: {
    eventId: string;
    now: Date;
    livemode: boolean;
    fields: TransactionFields;
    /** Null: there was nothing before. */
    previousStatus: string | null;
    name?: string;
    details: Details<N>;
  },
): string {
  return encodeEventBody(shape, {
    id: event.eventId,
    type: eventType(event.fields, event.name),
    timestamp: event.now,
    livemode: event.livemode,
    data: {
      ...transactionView(event.fields),
      net_amount: event.fields.netCentavos,
      previous_status: event.previousStatus,
      ...event.details,
    },
  } as unknown as EventBody<N>);
}

/**
 * The exact bytes of a test event: the envelope of all others; `data` names the topic whose
 * endpoint it goes to, or the endpoint that has none.
 */
export const testEventBody = (
  event: { eventId: string; now: Date; livemode: boolean } & (
    | { topic: Topic; endpointId: null }
    | { topic: null; endpointId: string }
  ),
): string =>
  encodeEventBody('WebhookTestEvent', {
    id: event.eventId,
    type: TEST_EVENT_TYPE,
    timestamp: event.now,
    livemode: event.livemode,
    data: { topic: event.topic, endpoint_id: event.endpointId, message: 'Evento de teste: nenhuma transação mudou.' },
  });
