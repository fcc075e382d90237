import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { type AccountProfile, findAccountProfile } from '#db/accounts/accounts.ts';
import type { Deps } from '../deps.ts';
import { openMerchantDocument } from './merchant-document.ts';

/** An account's terms in force now, and its profile with the merchant's document readable. */
export async function getAccount(
  deps: Deps,
  accountId: string,
): Promise<{ terms: AccountTerms; profile: AccountProfile }> {
  const [terms, profile] = await Promise.all([
    findAccountTerms(deps.db.pool, accountId, deps.clock()),
    findAccountProfile(deps.db, accountId),
  ]);
  if (!terms || !profile) throw new Error(`There is no account ${accountId}.`);
  return { terms, profile: openMerchantDocument(deps, terms.merchantId, profile) };
}
