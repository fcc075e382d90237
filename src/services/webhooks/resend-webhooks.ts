import { withAudit } from '#db/audit/with-audit.ts';
import { resendDelivery, resendFailed } from '#db/webhooks/resends.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/** Deliveries that one call sends again, so that its statement is short. */
export const RESEND_MAX = 1_000;

const DAY_MS = 86_400_000;
/**
 * An older event would confuse a receiver more than it helps; a single one can be sent again
 * whatever its age.
 */
export const RESENDABLE_DAYS = 30;
export const resendableSince = (now: Date): Date => new Date(now.getTime() - RESENDABLE_DAYS * DAY_MS);

/**
 * Sends a delivery again at once, also one that is held or waits for a later attempt, with the same
 * `webhook-id` and bytes. `under_way`: it is being sent already. Errors: not_found, also for
 * another account's, webhook_disabled, endpoint_disabled and endpoint_not_found (it goes to an
 * endpoint without a topic that is disabled, or was removed).
 */
export async function resendWebhook(deps: Deps, accountId: string, id: string): Promise<'due' | 'under_way'> {
  const resent = isUuid(id) ? await resendDelivery(deps.db.pool, accountId, id, deps.clock()) : null;
  if (resent === null) throw new DomainError('not_found');
  if (resent === 'topic_off') throw new DomainError('webhook_disabled');
  if (resent === 'endpoint_off') throw new DomainError('endpoint_disabled');
  if (resent === 'endpoint_removed') throw new DomainError('endpoint_not_found');
  deps.wakeWorkers();
  return resent;
}

/**
 * Sends again the deliveries that were given up, and at once those that wait after an attempt that
 * failed: the oldest first, at most RESEND_MAX of each per call, none older than RESENDABLE_DAYS.
 * `topic` null: all. `more`: call again for the rest.
 */
export async function resendFailedWebhooks(
  deps: Deps,
  who: ActingMember,
  topic: Topic | null,
): Promise<{ resent: number; more: boolean }> {
  const now = deps.clock();
  const wish = { accountId: who.accountId, topic, since: resendableSince(now), limit: RESEND_MAX, now };
  const result = await withAudit(
    deps.db.pool,
    (client) => resendFailed(client, wish),
    ({ resent }) => (resent > 0 ? memberEntry(deps, who, 'webhooks.resent', { topic, count: resent }) : null),
  );
  if (result.resent > 0) deps.wakeWorkers();
  return result;
}
