import { findBalances } from '#db/ledger.ts';
import { DomainError } from '#domain/errors.ts';
import type { Deps } from './deps.ts';

/** The three balances of an account, in centavos. Errors: kyc_not_approved (with kyc_status). */
export async function getBalance(deps: Deps, accountId: string) {
  const balances = await findBalances(deps.db.pool, accountId);
  if (!balances) throw new Error(`Account ${accountId} has no ledger accounts.`);
  const { kycStatus, ...centavos } = balances;
  if (kycStatus !== 'approved') throw new DomainError('kyc_not_approved', { extra: { kyc_status: kycStatus } });
  return centavos;
}
