import { findAccountProfile } from '#db/accounts/accounts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';

/** The name of the business behind an account. */
export async function getMerchantName({ db }: Pick<Deps, 'db'>, accountId: string): Promise<string> {
  const profile = await findAccountProfile(db, accountId);
  // An account has a merchant: this is an internal error.
  if (!profile) throw new DomainError('internal');
  return profile.name;
}
