import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import type { LimitPeriods } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { dayStart, nextDayStart, nightWindow } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';

/**
 * The current terms of an account that wants to withdraw, from the database: cached ones may be
 * outdated, and no money leaves on those. Errors: account_suspended, kyc_not_approved.
 */
export async function withdrawalTerms(deps: Deps, accountId: string): Promise<AccountTerms> {
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  if (terms.suspendedAt) throw new DomainError('account_suspended');
  if (needsVerification(terms)) {
    throw new DomainError('kyc_not_approved', { extra: { kyc_status: terms.kycStatus } });
  }
  return terms;
}

/** Test accounts need no verification: their money is not real. */
export const needsVerification = ({ mode, kycStatus }: Pick<AccountTerms, 'mode' | 'kycStatus'>): boolean =>
  mode === 'live' && kycStatus !== 'approved';

/** The periods of the limits, in São Paulo: the current day, and by night the current night. */
export const limitPeriods = (now: Date): LimitPeriods => ({
  day: { start: dayStart(now), end: nextDayStart(now) },
  night: nightWindow(now),
});
