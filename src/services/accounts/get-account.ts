import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { type AccountProfile, findAccountProfile } from '#db/accounts/accounts.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { Deps } from '../deps.ts';
import { findActiveRails } from '../rails/find-active-rails.ts';
import { openMerchantDocument } from './merchant-document.ts';

/**
 * An account's terms in force now, its profile with the merchant's document readable, and which
 * operations it has a provider for.
 */
export async function getAccount(
  deps: Deps,
  accountId: string,
): Promise<{ terms: AccountTerms; profile: AccountProfile; activeRails: Record<TransactionType, boolean> }> {
  const [terms, profile] = await Promise.all([
    findAccountTerms(deps.db.pool, accountId, deps.clock()),
    findAccountProfile(deps.db, accountId),
  ]);
  if (!terms || !profile) throw new Error(`There is no account ${accountId}.`);
  return {
    terms,
    profile: openMerchantDocument(deps, terms.merchantId, profile),
    activeRails: await findActiveRails(deps, terms),
  };
}
