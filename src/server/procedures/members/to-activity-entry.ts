import type { z } from 'zod';
import type { activityOutput } from '#contract/members/security.ts';
import { auditChangesForMembers } from '#domain/audit/audit-changes.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { AuditListing, NotedAction } from '#services/members/list-security.ts';

type Entry = z.output<typeof activityOutput>['entries'][number];

/**
 * The author of a failed attempt is not known: it need not be the member of that login. A review
 * opens by itself.
 */
const WITHOUT_ACTOR = /[.](failed|locked|reset_requested)$|^review[.]opened$/;

const isAboutTransaction = (action: string) =>
  /^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]/.test(action);

/** An action of the audit as a member who reads in this account sees it. */
export function toActivityEntry(entry: NotedAction, reader: { memberId: string; accountId: string }): Entry {
  const { id, action, accountId, details, ipAddress, memberName, keyName, at } = entry;
  const { subject } = details;
  const actor = actorOf(entry);
  const by = actor === 'member' && entry.memberId === reader.memberId ? 'you' : actor;
  return {
    id,
    action,
    by,
    name: by === 'key' ? keyName : by === 'member' ? memberName : null,
    ip_address: ipAddress,
    amount: entry.amountCentavos,
    transaction_id:
      isAboutTransaction(action) && accountId === reader.accountId && typeof subject === 'string' && isUuid(subject)
        ? subject
        : null,
    changes: auditChangesForMembers(action, details),
    at,
  };
}

/** Whoever acted, as far as it is known. */
export function actorOf({
  action,
  memberId,
  ipAddress,
  details,
}: AuditListing): 'member' | 'key' | 'operator' | 'unknown' {
  if (WITHOUT_ACTOR.test(action)) return 'unknown';
  if (memberId !== null) return 'member';
  // The operator's commands have no address, and the console names who asked.
  return ipAddress !== null && details.key_id !== undefined && details.operator === undefined ? 'key' : 'operator';
}
