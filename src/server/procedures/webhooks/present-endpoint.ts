import type { ApiEndpointRow } from '#services/webhooks/manage-api-endpoints.ts';

/** An endpoint as it is at `now`, by the service's own time, without its secret. */
export const presentEndpoint = (endpoint: ApiEndpointRow, now: Date) => ({
  endpoint_id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes.length === 0 ? null : endpoint.eventTypes,
  enabled: endpoint.disabledAt === null,
  disabled_reason: endpoint.disabledReason,
  disabled_at: endpoint.disabledAt,
  failing_since: endpoint.failingSince,
  last_delivered_at: endpoint.lastDeliveredAt,
  secret_overlap_until:
    endpoint.previousSecretUntil && endpoint.previousSecretUntil > now ? endpoint.previousSecretUntil : null,
  created_at: endpoint.createdAt,
});
