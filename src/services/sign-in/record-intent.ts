import { insertAudit } from '#db/audit/audit.ts';
import { listMerchantsOf } from '#db/members/memberships.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * Records in the audit that a change to how a member signs in begins, in a commit of its own,
 * before better-auth makes the change; the change itself is recorded after it. Throws where that
 * fails, so that no change is made that the audit does not have. A record that no change follows is
 * of one that was rejected, or that ended with the process.
 */
export async function recordIntent(
  deps: Pick<Deps, 'db' | 'clock'>,
  { memberId, origin }: { memberId: string; origin: Origin },
  change: string,
): Promise<void> {
  const at = deps.clock();
  const noted = { memberId, accountId: null, action: 'sign_in.change_begun', details: { change }, ...origin, at };
  for (const { id } of await listMerchantsOf(deps.db, memberId))
    await insertAudit(deps.db, { merchantId: id, ...noted });
}
