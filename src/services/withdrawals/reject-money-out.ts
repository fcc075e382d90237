import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findPauseEnd, type MoneyOutAsker } from '#db/withdrawals/find-pause-end.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Actor } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/** The requester, in the form that the SQL functions take. */
export const askerOf = (actor: Actor | null): MoneyOutAsker => ({
  keyId: actor?.kind === 'key' ? actor.keyId : null,
  memberId: actor?.kind === 'member' ? actor.memberId : null,
});

/**
 * Throws the error for an outcome that says that the account or the requester may send no money;
 * returns for every other outcome. Errors: account_suspended, kyc_not_approved (with `kyc_status`),
 * withdrawals_paused (with `paused_until`).
 */
export async function rejectMoneyOut(
  deps: Pick<Deps, 'db'>,
  outcome: string,
  { accountId, by, now }: { accountId: string; by: MoneyOutAsker; now: Date },
): Promise<void> {
  if (outcome === 'suspended') throw new DomainError('account_suspended');
  if (outcome === 'kyc') {
    const kycStatus = (await findAccountTerms(deps.db.pool, accountId, now))?.kycStatus ?? 'rejected';
    throw new DomainError('kyc_not_approved', { extra: { kyc_status: kycStatus } });
  }
  if (outcome === 'paused') {
    const until = await findPauseEnd(deps.db.pool, by, now);
    throw new DomainError('withdrawals_paused', { extra: { paused_until: (until ?? now).toISOString() } });
  }
}
