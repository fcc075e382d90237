import { type AccountOwner, findOwners, ownerOf } from '#db/accounts/find-owners.ts';
import { findAccountOf } from '#db/transactions/list-all-transactions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { getTransactionDetail, type TransactionDetail } from '../transactions/get-transaction-detail.ts';

/**
 * A transaction of any account, as its own members see it, with the owner of the account. Errors:
 * transaction_not_found.
 */
export async function getTransactionOfAnybody(
  deps: Deps,
  id: string,
): Promise<TransactionDetail & { owner: AccountOwner }> {
  const accountId = isUuid(id) ? await findAccountOf(deps.db.pool, id) : null;
  if (accountId === null) throw new DomainError('transaction_not_found');
  const [detail, owners] = await Promise.all([
    getTransactionDetail(deps, accountId, id),
    findOwners(deps.db, [accountId]),
  ]);
  return { ...detail, owner: ownerOf(owners, { accountId }) };
}
