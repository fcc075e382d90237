import { insertAudit } from '#db/audit/audit.ts';
import { listMerchantsOf } from '#db/members/memberships.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * Notes that a change to how a member signs in begins, before better-auth is asked for it: it
 * commits by itself, and what was done is noted after that. Where this can't be noted, nothing is
 * done; one that is followed by nothing was rejected, or ended with the process.
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
