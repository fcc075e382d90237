import type { WebhooksView } from '#services/webhooks/get-webhooks.ts';
import type { DeliveryListing, ShownAttempt, ShownDelivery } from '#services/webhooks/list-webhook-deliveries.ts';
import { RESEND_MAX } from '#services/webhooks/resend-webhooks.ts';
import { HELD_COUNTED_MAX } from '#services/webhooks/send-held-webhooks.ts';

export const presentWebhooks = (view: WebhooksView) => ({
  endpoints: view.endpoints.map(({ topic, endpoint, failing, held, isSendingHeld }) => ({
    topic,
    url: endpoint?.url ?? null,
    disabled_at: endpoint?.disabledAt ?? null,
    disabled_reason: endpoint?.disabledReason ?? null,
    called: (endpoint?.calledAt ?? null) !== null,
    failing_since: failing?.since ?? null,
    waiting: failing?.waiting ?? 0,
    held,
    held_is_more: held === HELD_COUNTED_MAX,
    held_is_sending: isSendingHeld,
  })),
  failed: view.failed,
  failed_is_more: view.failed === RESEND_MAX,
  secret_overlap_until: view.secretOverlapUntil,
});

export const presentListItem = (delivery: DeliveryListing) => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  transaction_id: delivery.transactionId,
  topic: delivery.topic,
  url: delivery.url,
  status: delivery.status,
  created_at: delivery.createdAt,
  finished_at: delivery.finishedAt,
  endpoint_off: delivery.endpointOff,
  attempts: delivery.attempts,
  last_attempt: delivery.lastAttempt && presentAttempt(delivery.lastAttempt),
  next_try_at: delivery.nextTryAt,
});

export const presentDelivery = (delivery: ShownDelivery) => ({
  ...presentListItem(delivery),
  body: delivery.body,
  tries: delivery.tries.map((attempt) => ({
    ...presentAttempt(attempt),
    answer: attempt.responseBody,
    headers: attempt.headers,
  })),
});

const presentAttempt = (attempt: Omit<ShownAttempt, 'responseBody' | 'headers'>) => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
});
