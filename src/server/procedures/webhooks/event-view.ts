import type { EventListing } from '#services/webhooks/list-own-events.ts';
import type { DeliveryListing, ShownDelivery } from '#services/webhooks/list-webhook-deliveries.ts';

/** An event as the list shows it. */
export const presentEvent = ({ deliveries, ...event }: EventListing) => ({
  ...eventFields(event),
  deliveries: deliveries.map(presentDelivery),
});

/** An event with its body, which all deliveries carry, and their attempts. */
export const toEventJson = (deliveries: readonly [ShownDelivery, ...ShownDelivery[]]) => ({
  ...eventFields(deliveries[0]),
  body: deliveries[0].body,
  deliveries: deliveries.map((delivery) => ({
    ...presentDelivery(delivery),
    attempts: delivery.tries.map((attempt) => ({ ...presentAttempt(attempt), answer: attempt.responseBody })),
  })),
});

const eventFields = ({ eventId, type, transactionId, createdAt }: Omit<EventListing, 'deliveries'>) => ({
  event_id: eventId,
  type,
  transaction_id: transactionId,
  created_at: createdAt,
});

const presentDelivery = (delivery: DeliveryListing) => ({
  status: delivery.status,
  topic: delivery.topic,
  endpoint_id: delivery.endpointId,
  url: delivery.url,
  attempt_count: delivery.attempts,
  last_attempt: delivery.lastAttempt && presentAttempt(delivery.lastAttempt),
  next_attempt_at: delivery.nextTryAt,
  finished_at: delivery.finishedAt,
});

const presentAttempt = (attempt: NonNullable<DeliveryListing['lastAttempt']>) => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
});
