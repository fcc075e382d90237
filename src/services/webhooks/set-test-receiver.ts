import { listTopicEndpoints, upsertEndpoint } from '#db/webhooks/endpoints.ts';
import { startSendingHeld } from '#db/webhooks/held-deliveries.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { TOPICS, type Topic } from '#domain/webhooks/events.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Sends the events of every topic without a URL to the built-in receiver, and those that are held.
 * A topic that has a URL keeps it, so that no webhook is diverted. Throws DomainError
 * `invalid_state` for a live account, and when every topic has a URL.
 */
export async function setTestReceiver(deps: Deps, who: ActingMember): Promise<void> {
  if (who.mode !== 'test') throw new DomainError('invalid_state');
  const endpoints = await listTopicEndpoints(deps.db, who.accountId);
  const without = TOPICS.filter((topic) => !endpoints.some((endpoint) => endpoint.topic === topic));
  if (without.length === 0) throw new DomainError('invalid_state');
  for (const topic of without) await setTopic(deps, who, topic);
  deps.wakeWorkers();
}

async function setTopic(deps: Deps, who: ActingMember, topic: Topic): Promise<void> {
  const now = deps.clock();
  const endpoint = { id: uuidv7(now), accountId: who.accountId, topic, url: TEST_RECEIVER_URL, isKept: true, now };
  const isSet = await upsertEndpoint(deps.db.pool, endpoint, (previousUrl) =>
    memberEntry(deps, who, 'webhook_endpoint.set', { topic, url: TEST_RECEIVER_URL, previous_url: previousUrl }),
  );
  if (isSet) await startSendingHeld(deps.db.pool, { accountId: who.accountId, topic, max: 1, now });
}
