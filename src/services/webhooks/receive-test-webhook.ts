import { sealContext } from '#db/encryption/sealed-columns.ts';
import { insertReceivedWebhook } from '#db/webhooks/received-webhooks.ts';
import { findWebhookSecrets } from '#db/webhooks/webhook-secrets.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { RECEIVED_HEADERS, RECEIVED_KEPT_MAX } from '#domain/webhooks/test-receiver.ts';
import { signingSecrets } from '#domain/webhooks/webhook-secrets.ts';
import { verifyWebhook } from '#domain/webhooks/webhook-signature.ts';
import type { Deps } from '../deps.ts';
import { openWebhookSecret } from './webhook-secret.ts';

export type ReceivedMessage = { headers: Record<string, string>; body: string };

/** The context in which a received webhook is sealed. */
export const receivedContext = (id: string) => sealContext('received_webhooks.sealed', { id });

/**
 * Receives a webhook instead of a test account's own system: checks its signature as that system
 * would, and keeps it for the account's members. Returns whether the signature is valid. Errors:
 * route_not_found (there is no test account of this id).
 */
export async function receiveTestWebhook(
  deps: Deps,
  accountId: string,
  { headers, body }: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string },
): Promise<boolean> {
  const sealed = await findWebhookSecrets(deps.db, accountId);
  if (!sealed) throw new DomainError('route_not_found');
  const now = deps.clock();
  const secrets = signingSecrets(sealed, now).map((secret) => openWebhookSecret(deps, accountId, secret));
  const message: ReceivedMessage = { headers: shownHeaders(headers), body };
  const verified = verifyWebhook(secrets, message.headers, body, now);
  const id = uuidv7(now);
  const received = {
    id,
    accountId,
    sealed: deps.secretBox.seal(JSON.stringify(message), receivedContext(id)),
    verified,
    receivedAt: now,
  };
  if (!(await insertReceivedWebhook(deps.db.pool, received, RECEIVED_KEPT_MAX))) {
    throw new DomainError('route_not_found');
  }
  return verified;
}

const shownHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    RECEIVED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
