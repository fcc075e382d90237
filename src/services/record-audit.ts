import { type AuditEntry, insertAudit } from '#db/audit.ts';
import type { Deps } from './deps.ts';
import type { Member, Origin } from './principal.ts';

/** Notes what a member did, where from. `details` are for reading; never a secret. */
export async function recordAudit(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { member: Member; origin: Origin; accountId?: string },
  action: string,
  details: AuditEntry['details'] = {},
): Promise<void> {
  const { member, origin, accountId = null } = who;
  const { memberId, merchantId } = member;
  await insertAudit(deps.db, { merchantId, memberId, accountId, action, details, ...origin, at: deps.clock() });
}
