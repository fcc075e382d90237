import { applyDueTerms } from '#db/accounts/account-terms.ts';
import { findTermsChangeAccount } from '#db/accounts/terms-changes.ts';
import type { Deps } from '../deps.ts';

/**
 * Puts a planned change of terms in force where no one has read the terms since it took effect. No
 * process is notified: cached terms carry the time until which they hold.
 */
export async function applyPlannedTerms({ db, clock }: Pick<Deps, 'db' | 'clock'>, changeId: string): Promise<void> {
  const accountId = await findTermsChangeAccount(db, changeId);
  if (accountId) await applyDueTerms(db.pool, accountId, clock());
}
