import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Task } from '#db/tasks/tasks.ts';
import {
  type DeliveryRow,
  findDelivery,
  giveUpDelivery,
  holdDelivery,
  recordAttempt,
} from '#db/webhooks/deliveries.ts';
import { disableEndpoint } from '#db/webhooks/endpoints.ts';
import { publicEventId, TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { nextAttemptDelayMs, WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { signingSecrets } from '#domain/webhooks/webhook-secrets.ts';
import { signWebhookWithEach } from '#domain/webhooks/webhook-signature.ts';
import type { WebhookAnswer } from '#rails/webhooks/sender.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { type Deps, urlPolicy } from '../deps.ts';
import { scheduleFailingCheck, scheduleGoneCheck } from './check-endpoint-health.ts';
import { createDeliveryPlaces } from './delivery-places.ts';
import { openEventBody } from './seal-event-body.ts';
import { openSecretOf } from './webhook-secret.ts';

/** The receiver asks never to be called again (Standard Webhooks). */
const GONE = 410;

/**
 * Shared by all deliveries of this process. A receiver is one account's at one origin: another
 * account at the same origin is another receiver.
 */
const places = createDeliveryPlaces();

/** The headers of every delivery, besides those of Standard Webhooks. */
export const DELIVERY_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Trilho-Webhooks/1',
} as const;

/**
 * `done`: the delivery had ended or was held. `kept`: the task was changed with the outcome, in one
 * commit. With a time: the receiver was busy, and nothing was tried.
 */
type DeliveryResult = 'done' | 'kept' | { dueAt: Date; attempts: 'keep' };

/**
 * Makes one attempt of a delivery and records it with what follows: delivered (2xx only), due again
 * by the schedule of Standard Webhooks, or failed for good (the last attempt; a test event is tried
 * once). The same bytes and `webhook-id` every time; a fresh timestamp and signature. It goes to
 * the current URL of its endpoint. When that answers 410, is disabled or has no URL, the delivery
 * is held until the merchant sends it; when it is one without a topic and was removed, the delivery
 * is given up.
 */
export async function deliverWebhook(deps: Deps, task: Task): Promise<DeliveryResult> {
  const delivery = await findDelivery(deps.db.pool, task.subjectId);
  if (delivery?.status !== 'pending') return 'done';
  if (delivery.endpointOff) {
    if (delivery.endpointRemoved) await giveUpDelivery(deps.db.pool, task, deps.clock());
    else await holdDelivery(deps.db.pool, task);
    return 'kept';
  }
  const to = { accountId: delivery.accountId, origin: new URL(delivery.url).origin };
  const place = places.enter(to, ownTime(deps).getTime());
  if ('stepBackMs' in place) {
    return { dueAt: new Date(deps.clock().getTime() + place.stepBackMs), attempts: 'keep' };
  }
  let answered = false;
  try {
    answered = await attempt(deps, task, delivery);
  } finally {
    place.leave(answered);
  }
  return 'kept';
}

/** The context in which a receiver's answer to an attempt is sealed. */
export const attemptContext = (deliveryId: string) =>
  sealContext('attempts.response_body', { delivery_id: deliveryId });

/** Makes one attempt and records it; returns whether the receiver answered without a 5xx. */
async function attempt(deps: Deps, task: Task, delivery: DeliveryRow): Promise<boolean> {
  const startedAt = deps.clock();
  const id = publicEventId(delivery.eventId);
  // The receiver compares it with its own clock, so it is real time, also on a test clock. Else it
  // is the instant that is kept, by which the panel computes again what was sent.
  const sentAt = deps.testClock ? ownTime(deps) : startedAt;
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const secrets = signingSecrets(delivery.secrets, sentAt).map((sealed) =>
    openSecretOf(deps, delivery.secrets.secretOf, sealed),
  );
  const body = openEventBody(deps, delivery.eventId, delivery.body);
  const answer = await deps.webhookSender.send({
    ...targetOf(deps, delivery),
    body,
    headers: {
      ...DELIVERY_HEADERS,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhookWithEach(secrets, id, timestamp, body),
    },
  });

  const { durationMs, statusCode, error, answer: text } = answer;
  const isTest = delivery.type === TEST_EVENT_TYPE;
  const isOff = statusCode === GONE && (await noteGone(deps, delivery));
  const attemptsMade = isTest ? WEBHOOK_ATTEMPTS_MAX : task.attempts;
  const result = whatFollows(answer, {
    attemptsMade,
    startedAt,
    isOff,
    isHeld: delivery.endpointId !== null && !isTest,
  });
  const sealed = text === null ? null : deps.secretBox.seal(text, attemptContext(delivery.id));
  const record = { url: delivery.url, startedAt, durationMs, statusCode, error, responseBody: sealed };
  await recordAttempt(deps.db.pool, { task, attempt: record, result });
  if (delivery.endpointId && !isOff && !isSuccess(statusCode)) await scheduleFailingCheck(deps, delivery.endpointId);
  deps.observe({ kind: 'webhook_attempt', outcome: error ?? `${Math.floor((statusCode ?? 0) / 100)}xx` });
  return statusCode !== null && statusCode < 500;
}

/**
 * The URL of a delivery, and the policy that it has to meet. The built-in receiver is for test
 * accounts alone.
 */
function targetOf(deps: Deps, { url, livemode, accountId }: DeliveryRow) {
  if (url === TEST_RECEIVER_URL && !livemode) {
    return { url: deps.settings.testReceiverUrl(accountId), policy: 'own' as const };
  }
  return { url, policy: urlPolicy(deps, livemode ? 'live' : 'test', url) };
}

/**
 * Disables the endpoint of a delivery that was answered with 410; its members are notified. False
 * where the endpoint has another URL by now, of which the answer says nothing. A transaction's own
 * URL has no endpoint, and never changes.
 */
async function noteGone(deps: Deps, { endpointId, url }: DeliveryRow): Promise<boolean> {
  if (endpointId === null) return true;
  const endpoint = { id: endpointId, url };
  await scheduleGoneCheck(deps, endpoint);
  return disableEndpoint(deps.db.pool, { ...endpoint, now: deps.clock() });
}

const isSuccess = (statusCode: number | null) => statusCode !== null && statusCode >= 200 && statusCode < 300;

/**
 * What an attempt leads to. A 410 (`isOff`) of a transaction's own URL is final. A delivery to an
 * endpoint is held (`isHeld`), since the endpoint may get another URL or be enabled again.
 */
function whatFollows(
  answer: WebhookAnswer,
  of: { attemptsMade: number; startedAt: Date; isOff: boolean; isHeld: boolean },
) {
  const { attemptsMade, startedAt, isOff, isHeld } = of;
  if (isSuccess(answer.statusCode)) return { status: 'delivered' as const };
  if (isOff) return { status: isHeld ? ('held' as const) : ('failed' as const) };
  const delayMs = nextAttemptDelayMs(attemptsMade, Math.random(), answer.retryAfterMs);
  if (delayMs === null) return { status: 'failed' as const };
  return { retryAt: new Date(startedAt.getTime() + answer.durationMs + delayMs) };
}
