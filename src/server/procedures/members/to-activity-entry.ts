import type { ActivityEntry } from '#contract/members/security.ts';
import { toBrl } from '#domain/values/money.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { NotedAction } from '#services/members/list-security.ts';

/**
 * Who tried and failed is not known: the member whose sign-in it was need not be the one. What goes
 * to review nobody did.
 */
const NOBODYS = /[.](failed|locked|reset_requested)$|^review[.]/;

const isAboutTransaction = (action: string) => /^(withdrawal|refund|charge|review)[.]/.test(action);

/** An act as a member sees it who reads in this account. */
export function toActivityEntry(entry: NotedAction, reader: { memberId: string; accountId: string }): ActivityEntry {
  const { id, action, accountId, details, ipAddress, memberName, keyName, at } = entry;
  const { amount, received_centavos: received, subject } = details;
  const by = byWhom(entry, reader);
  return {
    id: String(id),
    action,
    by,
    name: by === 'key' ? keyName : by === 'member' ? memberName : null,
    ip_address: ipAddress,
    amount: typeof amount === 'number' ? amount : typeof received === 'number' ? toBrl(BigInt(received)) : null,
    transaction_id:
      isAboutTransaction(action) && accountId === reader.accountId && typeof subject === 'string' && isUuid(subject)
        ? subject
        : null,
    at: at.toISOString(),
  };
}

function byWhom(
  { action, memberId, ipAddress, details }: NotedAction,
  reader: { memberId: string },
): ActivityEntry['by'] {
  if (NOBODYS.test(action)) return 'unknown';
  if (memberId === reader.memberId) return 'you';
  if (memberId !== null) return 'member';
  // The operator's commands have no address.
  return ipAddress !== null && details.key_id !== undefined ? 'key' : 'operator';
}
