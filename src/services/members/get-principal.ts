import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findAccountOf } from '#db/members/members.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import type { Member, Principal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * The principal of a member in a mode of their merchant, with every permission; null where the
 * merchant has no account in that mode.
 */
export async function getPrincipal(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  member: Member,
  mode: 'live' | 'test',
): Promise<Principal | null> {
  const accountId = await findAccountOf(db.pool, member.merchantId, mode);
  const terms = accountId ? await findAccountTerms(db.pool, accountId, clock()) : null;
  return terms && { ...terms, actor: member, permissions: PERMISSIONS };
}
