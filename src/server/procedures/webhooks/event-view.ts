import type { DeliveryListing, ShownDelivery } from '#services/webhooks/list-webhook-deliveries.ts';

/**
 * An event as the list shows it. An event goes to one URL at most; that it may go to several is in
 * the shape already.
 */
export const presentEvent = (delivery: DeliveryListing) => ({
  ...eventFields(delivery),
  deliveries: [presentDelivery(delivery)],
});

/** An event with its body and its attempts. */
export const toEventJson = (delivery: ShownDelivery) => ({
  ...eventFields(delivery),
  body: delivery.body,
  deliveries: [
    {
      ...presentDelivery(delivery),
      attempts: delivery.tries.map((attempt) => ({ ...presentAttempt(attempt), answer: attempt.responseBody })),
    },
  ],
});

const eventFields = ({ eventId, type, transactionId, createdAt }: DeliveryListing) => ({
  event_id: eventId,
  type,
  transaction_id: transactionId,
  created_at: createdAt,
});

const presentDelivery = (delivery: DeliveryListing) => ({
  status: delivery.status,
  topic: delivery.topic,
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
