import { dropPreviousWebhookSecret, findWebhookSecrets, replaceWebhookSecret } from '#db/webhooks/webhook-secrets.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { SECRET_OVERLAP_MS } from '#domain/webhooks/webhook-secrets.ts';
import { generateWebhookSecret } from '#domain/webhooks/webhook-signature.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry, recordAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { notifyOwnChange, prepareOwnChangeNotices } from '../members/notify-change.ts';
import { openWebhookSecret, sealWebhookSecret } from './webhook-secret.ts';

/**
 * The secret that signs an account's webhooks. The audit records who sees it before it is returned,
 * and the members are notified.
 */
export async function revealWebhookSecret(deps: Deps, who: ActingMember): Promise<string> {
  const secrets = await findWebhookSecrets(deps.db, who.accountId);
  if (!secrets) throw new Error(`There is no account ${who.accountId}.`);
  await recordAudit(deps, who, 'webhook_secret.revealed');
  await notifyOwnChange(deps, who, 'webhook_secret_revealed');
  return openWebhookSecret(deps, who.accountId, secrets.current);
}

/**
 * Replaces the secret. The previous one signs too for a day, so that a receiver with either
 * verifies every delivery. There is no second rotation within that day, since a receiver would be
 * left with a secret that signs nothing: throws DomainError `invalid_state`, with `until` among its
 * params. endWebhookSecretOverlap ends the day early.
 */
export async function rotateWebhookSecret(
  deps: Deps,
  who: ActingMember,
): Promise<{ secret: string; overlapUntil: Date }> {
  const now = ownTime(deps);
  const secret = generateWebhookSecret();
  const overlapUntil = new Date(now.getTime() + SECRET_OVERLAP_MS);
  const { accountId } = who;
  const sealed = sealWebhookSecret(deps, accountId, secret);
  const notices = await prepareOwnChangeNotices(deps, who);
  const audit = {
    ...memberEntry(deps, who, 'webhook_secret.rotated', { overlap_until: overlapUntil.toISOString() }),
    notices: notices('webhook_secret_rotated'),
  };
  if (!(await replaceWebhookSecret(deps.db.pool, { accountId, sealed, until: overlapUntil, now, audit }))) {
    const until = (await findWebhookSecrets(deps.db, accountId))?.until;
    throw new DomainError('invalid_state', { params: until ? { until: until.toISOString() } : {} });
  }
  deps.wakeWorkers();
  return { secret, overlapUntil };
}

/**
 * The previous secret signs nothing from now on: every receiver has the new one, or the old one is
 * in wrong hands. Throws DomainError `invalid_state` when none signs.
 */
export async function endWebhookSecretOverlap(deps: Deps, who: ActingMember): Promise<void> {
  const { accountId } = who;
  const audit = memberEntry(deps, who, 'webhook_secret.overlap_ended');
  if (!(await dropPreviousWebhookSecret(deps.db, { accountId, now: ownTime(deps), audit })))
    throw new DomainError('invalid_state');
}
