import { findCredentialOwner } from '#db/accounts/own-credentials.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';

/**
 * Whether a transaction was made with other credentials of the same account than those of this
 * rail. Both credentials may lead to one account at the provider, which then lists the payments of
 * both: such a payment is booked by the rail of its own transaction.
 */
export async function isBeside(
  deps: Pick<Deps, 'db'>,
  rail: string,
  transaction: { rail: string; accountId: string },
): Promise<boolean> {
  const railId = ownCredentialId(rail);
  if (railId === null || ownCredentialId(transaction.rail) === null) return false;
  return (await findCredentialOwner(deps.db, railId)) === transaction.accountId;
}
