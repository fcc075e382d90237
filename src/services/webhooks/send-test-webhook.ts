import { countTestEvents, insertTestEvent, type TestTarget } from '#db/webhooks/resends.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { firstUuidAt, uuidv7 } from '#domain/values/uuid.ts';
import { TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import type { Deps } from '../deps.ts';
import { testEventBody } from './event-body.ts';
import { sealEventBody } from './seal-event-body.ts';

/** For trying a receiver, not for loading it. */
const TEST_EVENTS_MAX = 20;
const TEST_EVENTS_WINDOW_MS = 60_000;

/**
 * Sends a test event to the URL of a topic, or to an endpoint without a topic, as every other event
 * is sent, but with one attempt only. Throws DomainError `invalid_state` when there is no URL or a
 * disabled one, `too_many_attempts` after TEST_EVENTS_MAX in a minute.
 */
export async function sendTestWebhook(
  deps: Deps,
  account: { accountId: string; mode: 'live' | 'test' },
  to: TestTarget,
  id: string = uuidv7(deps.clock()),
): Promise<{ deliveryId: string; eventId: string }> {
  const now = deps.clock();
  const { accountId, mode } = account;
  const since = firstUuidAt(new Date(now.getTime() - TEST_EVENTS_WINDOW_MS));
  const lately = await countTestEvents(deps.db.pool, accountId, TEST_EVENT_TYPE, since);
  if (lately >= TEST_EVENTS_MAX) throw new DomainError('too_many_attempts');
  const deliveryId = uuidv7(now);
  const body = sealEventBody(deps, id, testEventBody({ eventId: id, now, livemode: mode === 'live', ...to }));
  const event = { id, deliveryId, accountId, to, type: TEST_EVENT_TYPE, body, now };
  if (!(await insertTestEvent(deps.db.pool, event))) throw new DomainError('invalid_state');
  deps.wakeWorkers();
  return { deliveryId, eventId: id };
}
