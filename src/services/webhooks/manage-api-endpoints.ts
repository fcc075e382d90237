import { findKeyLabel } from '#db/api-keys/api-keys.ts';
import {
  type ApiEndpointChange,
  type ApiEndpointRow,
  changeApiEndpoint,
  insertApiEndpoint,
  isApiEndpointRemoved,
  listApiEndpoints,
  removeApiEndpoint,
  rotateApiEndpointSecret,
} from '#db/webhooks/api-endpoints.ts';
import { hasEvent } from '#db/webhooks/resends.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { instantOfUuid, isUuid } from '#domain/values/uuid.ts';
import { API_ENDPOINTS_MAX } from '#domain/webhooks/api-endpoints.ts';
import { SECRET_OVERLAP_MS } from '#domain/webhooks/webhook-secrets.ts';
import { generateWebhookSecret } from '#domain/webhooks/webhook-signature.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { describeKey } from '../api-keys/manage-api-keys.ts';
import type { ActingPrincipal } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { type ChangeNotices, prepareChangeNotices } from '../members/notify-change.ts';
import { requireCallable, withoutQuery } from './require-callable.ts';
import { sendTestWebhook } from './send-test-webhook.ts';
import { openSecretOf, sealSecretOf } from './webhook-secret.ts';

export type { ApiEndpointRow } from '#db/webhooks/api-endpoints.ts';

/** The endpoints of an account that are managed over REST, the oldest first. */
export const listOwnApiEndpoints = (deps: Deps, accountId: string): Promise<ApiEndpointRow[]> =>
  listApiEndpoints(deps.db.pool, accountId);

/** One of them by its id. Errors: endpoint_not_found, also for another account's, and for null. */
export async function requireApiEndpoint(deps: Deps, accountId: string, id: string | null): Promise<ApiEndpointRow> {
  const [endpoint] = id === null || !isUuid(id) ? [] : await listApiEndpoints(deps.db.pool, accountId, id);
  if (!endpoint) throw new DomainError('endpoint_not_found');
  return endpoint;
}

/** `eventTypes` empty: all. */
export type ApiEndpointInput = { url: string; description: string | null; eventTypes: string[]; enabled: boolean };

/**
 * Creates an endpoint, which gets every later event of its types, and its secret, which is shown
 * only here. When a call before this one died before it responded, the endpoint of the same `id`
 * exists already: it is returned with its secret. Errors: invalid_input with the rule that the URL
 * breaks, too_many_endpoints.
 */
export async function createApiEndpoint(
  deps: Deps,
  who: ActingPrincipal,
  { id, ...input }: ApiEndpointInput & { id: string },
): Promise<{ endpoint: ApiEndpointRow; secret: string }> {
  const { url, eventTypes, enabled } = input;
  await requireCallable(deps, who.mode, url);
  const { accountId } = who;
  const owner = { kind: 'endpoint' as const, id };
  const secret = sealSecretOf(deps, owner, generateWebhookSecret());
  const details = { endpoint_id: id, url: withoutQuery(url), event_types: eventTypes.join(' '), enabled };
  const notices = await prepare(deps, who);
  const entry = actorEntry(deps, who, 'webhook_endpoint.created', details);
  const audit = entry && { ...entry, notices: notices('endpoint_set', hostOf(url)) };
  const endpoint = { ...input, id, accountId, secret, now: deps.clock() };
  const made = await insertApiEndpoint(deps.db.pool, endpoint, API_ENDPOINTS_MAX, audit);
  if (made.outcome === 'full')
    throw new DomainError('too_many_endpoints', { params: { max: String(API_ENDPOINTS_MAX) } });
  deps.wakeWorkers();
  return { endpoint: await requireApiEndpoint(deps, accountId, id), secret: openSecretOf(deps, owner, made.secret) };
}

/**
 * Changes the given fields of an endpoint. Deliveries that wait go to its new URL, and are held
 * when it is disabled. It gets the events of the time when it was disabled only by replayEvents.
 * Errors: endpoint_not_found, invalid_input with the rule that the URL breaks.
 */
export async function updateApiEndpoint(
  deps: Deps,
  who: ActingPrincipal,
  id: string | null,
  change: ApiEndpointChange,
): Promise<ApiEndpointRow> {
  const { accountId } = who;
  const endpoint = await requireApiEndpoint(deps, accountId, id);
  const { url } = change;
  if (url !== undefined) await requireCallable(deps, who.mode, url);
  const notices = await prepare(deps, who);
  const before = await changeApiEndpoint(
    deps.db.pool,
    { accountId, id: endpoint.id, change, now: deps.clock() },
    (previous) => {
      const isMoved = url !== undefined && url !== previous.url;
      const entry = actorEntry(deps, who, 'webhook_endpoint.changed', {
        endpoint_id: endpoint.id,
        url: withoutQuery(url ?? previous.url),
        ...(isMoved && { previous_url: withoutQuery(previous.url) }),
        ...(change.eventTypes !== undefined && { event_types: change.eventTypes.join(' ') }),
        ...(change.enabled !== undefined && { enabled: change.enabled }),
      });
      const isEnabled = change.enabled === true && !previous.enabled;
      const host = hostOf(url ?? previous.url);
      const made = [
        ...(isMoved ? notices('endpoint_set', host) : []),
        ...(isEnabled ? notices('endpoint_enabled', host) : []),
      ];
      return entry && { ...entry, notices: made };
    },
  );
  if (before === null) throw new DomainError('endpoint_not_found');
  deps.wakeWorkers();
  return requireApiEndpoint(deps, accountId, endpoint.id);
}

/**
 * Removes an endpoint with its secret: it gets nothing more, and what waited for it is given up.
 * `resumed`: an attempt before this one may have removed it. Errors: endpoint_not_found.
 */
export async function deleteApiEndpoint(
  deps: Deps,
  who: ActingPrincipal,
  id: string | null,
  { resumed = false }: { resumed?: boolean | undefined } = {},
): Promise<void> {
  const { accountId } = who;
  if (resumed && id !== null && isUuid(id) && (await isApiEndpointRemoved(deps.db.pool, accountId, id))) return;
  const endpoint = await requireApiEndpoint(deps, accountId, id);
  const notices = await prepare(deps, who);
  const url = await removeApiEndpoint(deps.db.pool, { accountId, id: endpoint.id, now: deps.clock() }, (removed) => {
    const details = { endpoint_id: endpoint.id, url: withoutQuery(removed) };
    const entry = actorEntry(deps, who, 'webhook_endpoint.removed', details);
    return entry && { ...entry, notices: notices('endpoint_removed', hostOf(removed)) };
  });
  if (url === null) throw new DomainError('endpoint_not_found');
  deps.wakeWorkers();
}

/**
 * Replaces the secret of an endpoint and returns the new one. The previous one signs too for a day;
 * `overlap` false: it signs nothing from now on, because it is in wrong hands. There is no second
 * overlap within that day, since a receiver would be left with a secret that signs nothing.
 * `resumed`: when an attempt before this one, which began at the instant of `requestId`, made an
 * overlap, the secret that it wrote is returned. Errors: endpoint_not_found, secret_overlap.
 */
export async function rotateEndpointSecret(
  deps: Deps,
  who: ActingPrincipal,
  id: string | null,
  { overlap, requestId, resumed }: { overlap: boolean; requestId: string; resumed: boolean | undefined },
): Promise<{ endpoint: ApiEndpointRow; secret: string }> {
  const { accountId } = who;
  const { id: endpointId, url } = await requireApiEndpoint(deps, accountId, id);
  // Receivers change secrets by their own clock.
  const now = ownTime(deps);
  const owner = { kind: 'endpoint' as const, id: endpointId };
  const sealed = sealSecretOf(deps, owner, generateWebhookSecret());
  const until = overlap ? new Date(now.getTime() + SECRET_OVERLAP_MS) : null;
  const beganAt = instantOfUuid(requestId).getTime() - (deps.clock().getTime() - now.getTime());
  const doneUntil = resumed && overlap ? new Date(beganAt + SECRET_OVERLAP_MS) : null;
  const notices = await prepare(deps, who);
  const details = { endpoint_id: endpointId, overlap_until: until?.toISOString() ?? null };
  const entry = actorEntry(deps, who, 'webhook_secret.rotated', details);
  const rotated = await rotateApiEndpointSecret(
    deps.db.pool,
    { accountId, id: endpointId, sealed, until, doneUntil, now },
    entry && { ...entry, notices: notices('webhook_secret_rotated', hostOf(url)) },
  );
  if (rotated === null) throw new DomainError('endpoint_not_found');
  if (rotated.outcome === 'overlaps') throw new DomainError('secret_overlap');
  deps.wakeWorkers();
  const endpoint = await requireApiEndpoint(deps, accountId, endpointId);
  return { endpoint, secret: openSecretOf(deps, owner, rotated.secret) };
}

/**
 * Sends a test event to an endpoint, whatever types it takes, and returns the id of the event.
 * `eventId`: the one that it gets, made here where it is absent. `resumed`: an attempt before this
 * one may have sent it. Errors: endpoint_not_found, endpoint_disabled, too_many_test_events.
 */
export async function testApiEndpoint(
  deps: Deps,
  who: ActingPrincipal,
  id: string | null,
  { eventId, resumed }: { eventId: string | undefined; resumed: boolean | undefined },
): Promise<string> {
  if (resumed && eventId !== undefined && (await hasEvent(deps.db.pool, who.accountId, eventId))) return eventId;
  const { id: endpointId, disabledAt } = await requireApiEndpoint(deps, who.accountId, id);
  if (disabledAt !== null) throw new DomainError('endpoint_disabled');
  const sent = await sendTestWebhook(deps, who, { topic: null, endpointId }, eventId).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'too_many_attempts')
      throw new DomainError('too_many_test_events');
    // Disabled since it was read.
    if (error instanceof DomainError && error.code === 'invalid_state') throw new DomainError('endpoint_disabled');
    throw error;
  });
  return sent.eventId;
}

/** Members are notified, since the key may be used by somebody else. */
async function prepare(deps: Deps, { actor, merchantId, origin }: ActingPrincipal): Promise<ChangeNotices> {
  const by = actor?.kind === 'key' ? await keyAsActor(deps, actor.keyId) : actor;
  return prepareChangeNotices(deps, { merchantId, by, origin });
}

/**
 * Only the host of a URL is named to members: receivers keep secrets in paths, and a whole address
 * would be a link.
 */
const hostOf = (url: string): string => new URL(url).host;

const keyAsActor = async (deps: Deps, keyId: string) => {
  const key = await findKeyLabel(deps.db, keyId);
  return key && { name: `API: ${describeKey(key)}` };
};
