import type { EventOutput, WholeEventOutput } from '#contract/webhooks/events.ts';
import { publicEventId } from '#domain/webhooks/events.ts';
import type { DeliveryListing, ShownDelivery } from '#services/webhooks/list-webhook-deliveries.ts';

/**
 * An event as the list shows it. An event goes to one URL at most; that it may go to several is in
 * the shape already.
 */
export const presentEvent = (delivery: DeliveryListing): EventOutput => ({
  ...eventFields(delivery),
  deliveries: [presentDelivery(delivery)],
});

/** An event with its body and its attempts. */
export const toEventJson = (delivery: ShownDelivery): WholeEventOutput => ({
  ...eventFields(delivery),
  body: delivery.body,
  deliveries: [
    {
      ...presentDelivery(delivery),
      attempts: delivery.tries.map((attempt) => ({ ...presentAttempt(attempt), answer: attempt.answer })),
    },
  ],
});

const eventFields = ({ eventId, type, transactionId, createdAt }: DeliveryListing) => ({
  event_id: publicEventId(eventId),
  type,
  transaction_id: transactionId,
  created_at: createdAt.toISOString(),
});

const presentDelivery = (delivery: DeliveryListing): EventOutput['deliveries'][number] => ({
  status: delivery.status,
  topic: delivery.topic,
  url: delivery.url,
  attempt_count: delivery.attempts,
  last_attempt: delivery.lastAttempt && presentAttempt(delivery.lastAttempt),
  next_attempt_at: delivery.nextTryAt?.toISOString() ?? null,
  finished_at: delivery.finishedAt?.toISOString() ?? null,
});

const presentAttempt = (attempt: NonNullable<DeliveryListing['lastAttempt']>) => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
});
