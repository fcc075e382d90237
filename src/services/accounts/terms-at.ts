import { type AccountTerms, areInForce, findAccountTerms } from '#db/accounts/account-terms.ts';
import type { Deps } from '../deps.ts';

/**
 * The terms in force at `now`: `terms` themselves, or read again where a planned change has taken
 * effect since they were read.
 */
export async function termsAt(deps: Pick<Deps, 'db'>, terms: AccountTerms, now: Date): Promise<AccountTerms> {
  if (areInForce(terms, now)) return terms;
  const current = await findAccountTerms(deps.db.pool, terms.accountId, now);
  if (!current) throw new Error(`There is no account ${terms.accountId}.`);
  return current;
}
