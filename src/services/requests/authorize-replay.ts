import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { withdrawalTerms } from '../withdrawals/withdrawal-terms.ts';

/** What an operation asks of the account besides the key's permission. */
export type ReplayNeeds = {
  approvedKyc: boolean;
  /** That its merchant may open accounts for others. */
  accountCreation: boolean;
};

/**
 * Whether the answer to an earlier request may be given again: only to an account that might send
 * the request now, by its current state in the database and not the cached one. Errors:
 * permission_denied, kyc_not_approved.
 */
export async function authorizeReplay(deps: Deps, accountId: string, needs: ReplayNeeds): Promise<void> {
  if (needs.approvedKyc) await withdrawalTerms(deps, accountId);
  if (!needs.accountCreation) return;
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms?.mayCreateAccounts) throw new DomainError('permission_denied');
}
