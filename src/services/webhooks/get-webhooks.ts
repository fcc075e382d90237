import { listTopicEndpoints, type TopicEndpointRow } from '#db/webhooks/endpoints.ts';
import { countHeld } from '#db/webhooks/held-deliveries.ts';
import { countFailed } from '#db/webhooks/resends.ts';
import { findWebhookSecrets } from '#db/webhooks/webhook-secrets.ts';
import { TOPICS, type Topic } from '#domain/webhooks/events.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { failingEndpoints } from './failing-endpoints.ts';
import { RESEND_MAX, resendableSince } from './resend-webhooks.ts';
import { HELD_COUNTED_MAX } from './send-held-webhooks.ts';

export type EndpointView = {
  topic: Topic;
  /** Null: the topic's events are held, unless a transaction has a callback URL of its own. */
  endpoint: TopicEndpointRow | null;
  /** Null: no event waits after an attempt that failed, and the endpoint is not disabled. */
  failing: { since: Date; waiting: number } | null;
  /**
   * Events that wait for a URL, or for a member who has them sent; counted up to HELD_COUNTED_MAX.
   */
  held: number;
  isSendingHeld: boolean;
};

export type WebhooksView = {
  endpoints: EndpointView[];
  /** Deliveries that were given up lately and may be sent again; counted up to RESEND_MAX. */
  failed: number;
  /** Until when the previous secret signs too; null: it does not. */
  secretOverlapUntil: Date | null;
};

/** Where each topic's events go, and which of them fail, are held or were given up. */
export async function getWebhooks(deps: Deps, accountId: string): Promise<WebhooksView> {
  const now = deps.clock();
  const { pool } = deps.db;
  const [endpoints, failing, held, secrets, failed] = await Promise.all([
    listTopicEndpoints(deps.db, accountId),
    failingEndpoints(deps, accountId),
    countHeld(pool, accountId, HELD_COUNTED_MAX),
    findWebhookSecrets(deps.db, accountId),
    countFailed(pool, { accountId, topic: null, since: resendableSince(now), limit: RESEND_MAX }),
  ]);
  const until = secrets?.previous ? secrets.until : null;
  return {
    endpoints: TOPICS.map((topic) => {
      const holds = held.find((one) => one.topic === topic);
      const fails = failing.find((one) => one.topic === topic);
      return {
        topic,
        endpoint: endpoints.find((one) => one.topic === topic) ?? null,
        failing: fails ? { since: fails.failingSince, waiting: fails.waiting } : null,
        held: holds?.count ?? 0,
        isSendingHeld: holds?.isSending ?? false,
      };
    }),
    failed,
    // Receivers change secrets by their own clock.
    secretOverlapUntil: until && until > ownTime(deps) ? until : null,
  };
}
