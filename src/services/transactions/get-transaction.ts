import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { findTransaction, findTransactionDetails, type TransactionRow } from '#db/transactions/transactions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { externalIdOf, type TransactionFields } from '#domain/webhooks/events.ts';
import type { Deps } from '../deps.ts';
import { openRefund } from '../refunds/refund-texts.ts';
import { openPixKey } from '../withdrawals/request-pix-withdrawal.ts';
import { withDestination } from './list-transactions.ts';

/**
 * A PIX transaction of this account. Errors: transaction_not_found, also for one of another
 * account.
 */
export async function getTransaction(
  deps: Deps,
  accountId: string,
  query: { id: string; type: 'pix_in' | 'pix_out' },
): Promise<TransactionFields & Pick<TransactionRow, 'reference' | 'metadata'>> {
  const row = isUuid(query.id) ? await findTransaction(deps.db.pool, accountId, query.id, query.type) : null;
  if (!row) throw new DomainError('transaction_not_found');
  return { ...openTransaction(deps.secretBox, row), externalId: externalIdOf(row) };
}

type Details = NonNullable<Awaited<ReturnType<typeof findTransactionDetails>>>;

export type WholeTransaction = Omit<Details, 'customerDocument' | 'pixKey'> & {
  externalId: string;
  /** In the clear: these are the account's own. */
  customerDocument: string | null;
  pixKey: string | null;
  /** Where a withdrawal goes, as lists show it: a PIX key has people's numbers masked. */
  destination: string | null;
};

/**
 * Everything about a transaction of this account, with its refunds, its reviews and its history.
 * Errors: transaction_not_found.
 */
export async function getWholeTransaction(deps: Deps, accountId: string, id: string): Promise<WholeTransaction> {
  const row = isUuid(id) ? await findTransactionDetails(deps.db.pool, accountId, id) : null;
  if (!row) throw new DomainError('transaction_not_found');
  return {
    ...withDestination(deps, openTransaction(deps.secretBox, row)),
    externalId: externalIdOf(row),
    refunds: row.refunds.map((refund) => openRefund(deps, refund)),
    pixKey: row.pixKey && openPixKey(deps, row),
  };
}
