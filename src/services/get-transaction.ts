import { findTransaction } from '#db/transactions.ts';
import { DomainError } from '#domain/errors.ts';
import type { TransactionFacts } from '#domain/events.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import { isUuid } from '#domain/uuid.ts';
import { externalIdOf } from './charge-event.ts';
import type { Deps } from './deps.ts';

/** A transaction of this account. Errors: transaction_not_found, for another account's as for one that never was. */
export async function getTransaction(
  deps: Deps,
  accountId: string,
  query: { id: string; type: TransactionType },
): Promise<TransactionFacts> {
  const row = isUuid(query.id) ? await findTransaction(deps.db.pool, accountId, query.id, query.type) : null;
  if (!row) throw new DomainError('transaction_not_found');
  return { ...row, externalId: externalIdOf(row) };
}
