import {
  type AttemptRow,
  type DeliveryDetails,
  type DeliveryFilter,
  type DeliveryListing,
  findDeliveryDetails,
  listDeliveries,
} from '#db/webhooks/delivery-log.ts';
import { findSecretsOfDelivery } from '#db/webhooks/webhook-secrets.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { publicEventId } from '#domain/webhooks/events.ts';
import { secretsThatSigned } from '#domain/webhooks/webhook-secrets.ts';
import { signWebhookWithEach } from '#domain/webhooks/webhook-signature.ts';
import type { Deps } from '../deps.ts';
import { attemptContext, DELIVERY_HEADERS } from './deliver-webhook.ts';
import { openEventBody } from './seal-event-body.ts';
import { openSecretOf } from './webhook-secret.ts';

export type { DeliveryListing } from '#db/webhooks/delivery-log.ts';

/** The schedule ends after ten; the rest are resends. */
const ATTEMPTS_SHOWN_MAX = 50;

/**
 * Deliveries of an account, the newest event first; `nextCursor` leads to the older ones, null
 * where there are none.
 */
export async function listWebhookDeliveries(
  deps: Deps,
  accountId: string,
  filter: DeliveryFilter,
): Promise<{ deliveries: DeliveryListing[]; nextCursor: string | null }> {
  // Only a UUID can be the id of a transaction.
  if (filter.transactionId !== null && !isUuid(filter.transactionId)) return { deliveries: [], nextCursor: null };
  const found = await listDeliveries(deps.db.pool, accountId, { ...filter, limit: filter.limit + 1 });
  const deliveries = found.slice(0, filter.limit);
  return { deliveries, nextCursor: found.length > filter.limit ? (deliveries.at(-1)?.id ?? null) : null };
}

export type ShownAttempt = AttemptRow & {
  /** The first bytes of the answer. */
  responseBody: string | null;
  /**
   * What it was sent with. The signature is computed again with the secrets of that time; null when
   * those may be gone. By a test clock the time of an attempt is the account's: the timestamp and
   * the signature, which are of real time, are left out.
   */
  headers: Record<string, string | null>;
};

export type ShownDelivery = Omit<DeliveryDetails, 'tries'> & { tries: ShownAttempt[] };

/**
 * A delivery with its exact body and its attempts, oldest first. Throws DomainError `not_found`,
 * also for another account's.
 */
export async function getWebhookDelivery(deps: Deps, accountId: string, id: string): Promise<ShownDelivery> {
  const delivery = isUuid(id) ? await findDeliveryDetails(deps.db.pool, accountId, id, ATTEMPTS_SHOWN_MAX) : null;
  if (!delivery) throw new DomainError('not_found');
  // The secrets after the attempts: a rotation between the two reads shows no signature, and one
  // before an attempt that is read would show a wrong one.
  const secrets = await findSecretsOfDelivery(deps.db.pool, accountId, id);
  const webhookId = publicEventId(delivery.eventId);
  const body = openEventBody(deps, delivery.eventId, delivery.body);
  const tries = delivery.tries.map((attempt) => {
    const timestamp = Math.floor(attempt.startedAt.getTime() / 1000);
    const signedWith =
      secrets &&
      secretsThatSigned(secrets, attempt.startedAt)?.map((sealed) => openSecretOf(deps, secrets.secretOf, sealed));
    const headers = {
      ...DELIVERY_HEADERS,
      'webhook-id': webhookId,
      ...(!deps.testClock && {
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signedWith ? signWebhookWithEach(signedWith, webhookId, timestamp, body) : null,
      }),
    };
    const responseBody =
      attempt.responseBody === null ? null : deps.secretBox.open(attempt.responseBody, attemptContext(delivery.id));
    return { ...attempt, responseBody, headers };
  });
  return { ...delivery, body, tries };
}
