import { enableEndpoint, removeEndpoint, upsertEndpoint } from '#db/webhooks/endpoints.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';
import { requireCallable, withoutQuery } from './require-callable.ts';

/**
 * Sends a topic's events to this URL from now on, also those that wait, and enables an endpoint
 * that was disabled. Held events stay held until they are sent (sendHeldWebhooks). Throws
 * DomainError `invalid_input` with the rule that the URL breaks.
 */
export async function setWebhookEndpoint(
  deps: Deps,
  who: ActingMember,
  { topic, url }: { topic: Topic; url: string },
): Promise<void> {
  await requireCallable(deps, who.mode, url);
  const now = deps.clock();
  const endpoint = { id: uuidv7(now), accountId: who.accountId, topic, url, now };
  const notices = await prepareOwnChangeNotices(deps, who);
  await upsertEndpoint(deps.db.pool, endpoint, (previousUrl) => ({
    ...memberEntry(deps, who, 'webhook_endpoint.set', {
      topic,
      url: withoutQuery(url),
      previous_url: previousUrl && withoutQuery(previousUrl),
    }),
    notices: notices('endpoint_set', describeEndpoint(topic, url)),
  }));
  deps.wakeWorkers();
}

/**
 * Sends nothing more for a topic; what waits, and every further event, is held. Throws DomainError
 * `invalid_state` when the topic has no URL.
 */
export async function removeWebhookEndpoint(deps: Deps, who: ActingMember, topic: Topic): Promise<void> {
  const notices = await prepareOwnChangeNotices(deps, who);
  const audit = (url: string) => ({
    ...memberEntry(deps, who, 'webhook_endpoint.removed', { topic, url: withoutQuery(url) }),
    notices: notices('endpoint_removed', describeEndpoint(topic, url)),
  });
  const { accountId } = who;
  const url = await removeEndpoint(deps.db.pool, { accountId, topic, now: deps.clock(), audit });
  if (url === null) throw new DomainError('invalid_state');
  deps.wakeWorkers();
}

/**
 * Sends events again to a URL that answered 410 Gone, or took nothing for days. Held events stay
 * held until they are sent (sendHeldWebhooks). Throws DomainError `invalid_state` when the topic's
 * URL is not disabled.
 */
export async function enableWebhookEndpoint(deps: Deps, who: ActingMember, topic: Topic): Promise<void> {
  const notices = await prepareOwnChangeNotices(deps, who);
  const audit = (url: string) => ({
    ...memberEntry(deps, who, 'webhook_endpoint.enabled', { topic, url: withoutQuery(url) }),
    notices: notices('endpoint_enabled', describeEndpoint(topic, url)),
  });
  const url = await enableEndpoint(deps.db, { accountId: who.accountId, topic, audit });
  if (url === null) throw new DomainError('invalid_state');
  deps.wakeWorkers();
}

/**
 * For members: the topic and the host; receivers keep secrets in paths, and a whole address would
 * be a link.
 */
const describeEndpoint = (topic: Topic, url: string): string => `${topic}, ${new URL(url).host || url}`;
