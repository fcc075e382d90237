import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { withdrawalTerms } from '../withdrawals/withdrawal-terms.ts';

/** What an operation requires of the account besides the permission of the key. */
export type ReplayNeeds = {
  approvedKyc: boolean;
  /** Its merchant may open accounts for others. */
  accountCreation: boolean;
};

/**
 * Throws unless the response to an earlier request may be replayed: the account must be one that
 * may send the request now, by its current state in the database and not the cached one. Errors:
 * permission_denied, account_suspended, kyc_not_approved.
 */
export async function authorizeReplay(deps: Deps, accountId: string, needs: ReplayNeeds): Promise<void> {
  if (needs.approvedKyc) await withdrawalTerms(deps, accountId);
  if (!needs.accountCreation) return;
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms?.mayCreateAccounts) throw new DomainError('permission_denied');
}
