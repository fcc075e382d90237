import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { listTermsChanges, type StoredTermsChange } from '#db/accounts/terms-changes.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/** As many changes as a page shows; they go back years. */
const SHOWN_MAX = 200;

/** `in_force`: it has taken effect; a later change may have replaced what it set. */
export type TermsEntry = StoredTermsChange & { state: 'planned' | 'in_force' | 'cancelled' };

/**
 * The changes of an account's terms, planned ones too, the latest to take effect first. Errors:
 * not_found.
 */
export async function listTerms({ db, clock }: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<TermsEntry[]> {
  const now = clock();
  // Reading the terms applies what is due, which stores `before` of each change in force.
  if (!isUuid(accountId) || !(await findAccountTerms(db.pool, accountId, now))) throw new DomainError('not_found');
  const changes = await listTermsChanges(db, accountId, SHOWN_MAX);
  return changes.map((change) => ({ ...change, state: stateOf(change) }));
}

const stateOf = ({ before, cancelledAt }: StoredTermsChange): TermsEntry['state'] => {
  if (cancelledAt) return 'cancelled';
  return before === null ? 'planned' : 'in_force';
};
