import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import type { LimitPeriods } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { dayStart, nextDayStart, nightWindow } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';

/**
 * The terms of an account that wants to withdraw, as they are now and not as this process has them
 * cached: money out is not decided on what was agreed a minute ago. Errors: account_suspended,
 * kyc_not_approved.
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

/** In test mode there is no money, so nothing waits for a verification there. */
export const needsVerification = ({ mode, kycStatus }: Pick<AccountTerms, 'mode' | 'kycStatus'>): boolean =>
  mode === 'live' && kycStatus !== 'approved';

/** The day, and by night the night, whose withdrawals count: São Paulo's. */
export const limitPeriods = (now: Date): LimitPeriods => ({
  day: { start: dayStart(now), end: nextDayStart(now) },
  night: nightWindow(now),
});
