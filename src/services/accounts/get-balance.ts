import { findBalances } from '#db/ledger/ledger.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { needsVerification } from '../withdrawals/withdrawal-terms.ts';

/**
 * The three balances of an account, in centavos. Errors: kyc_not_approved (live only; with
 * kyc_status).
 */
export async function getBalance(deps: Deps, accountId: string) {
  const balances = await findBalances(deps.db.pool, accountId);
  if (!balances) throw new Error(`Account ${accountId} has no ledger accounts.`);
  const { kycStatus, mode, ...centavos } = balances;
  if (needsVerification({ mode, kycStatus }))
    throw new DomainError('kyc_not_approved', { extra: { kyc_status: kycStatus } });
  return centavos;
}
