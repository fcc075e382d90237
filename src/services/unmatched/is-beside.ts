import { findCredentialOwner } from '#db/accounts/own-credentials.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';

/**
 * Whether a transaction is of other credentials of the account whose own ones a rail is over. Both
 * may lead to one account at the provider, which then lists the money of both: it is in the books
 * already, or comes into them by its transaction's own rail.
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
