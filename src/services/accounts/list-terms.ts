import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { listTermsChanges, type StoredTermsChange } from '#db/accounts/terms-changes.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/** As many changes as a page shows: years of them. */
const SHOWN_MAX = 200;

/** `planned`: it will take effect; `in_force`: it has; what it set may have changed again since. */
export type TermsEntry = StoredTermsChange & { state: 'planned' | 'in_force' | 'cancelled' };

/**
 * The changes of an account's terms, planned ones too, the latest to take effect first. Errors:
 * not_found.
 */
export async function listTerms({ db, clock }: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<TermsEntry[]> {
  const now = clock();
  // What has taken effect by now has its terms of before noted.
  if (!isUuid(accountId) || !(await findAccountTerms(db.pool, accountId, now))) throw new DomainError('not_found');
  const changes = await listTermsChanges(db, accountId, SHOWN_MAX);
  return changes.map((change) => ({ ...change, state: stateOf(change) }));
}

const stateOf = ({ before, cancelledAt }: StoredTermsChange): TermsEntry['state'] => {
  if (cancelledAt) return 'cancelled';
  return before === null ? 'planned' : 'in_force';
};
