import { findRefunds, type RefundRow } from '#db/refunds.ts';
import {
  type EventRow,
  findEvents,
  findTransaction,
  findTransactionDetails,
  type TransactionDetails,
} from '#db/transactions.ts';
import { DomainError } from '#domain/errors.ts';
import { externalIdOf, type TransactionFacts } from '#domain/events.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import { isUuid } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';
import { openPixKey } from './request-pix-withdrawal.ts';

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

export type WholeTransaction = Omit<TransactionDetails, 'customerDocument' | 'pixKey'> & {
  externalId: string;
  /** In the clear: these are the account's own. */
  customerDocument: string | null;
  pixKey: string | null;
  refunds: RefundRow[];
  events: EventRow[];
};

/** Everything about a transaction of this account, with its history. Errors: transaction_not_found. */
export async function getWholeTransaction(deps: Deps, accountId: string, id: string): Promise<WholeTransaction> {
  const row = isUuid(id) ? await findTransactionDetails(deps.db.pool, accountId, id) : null;
  if (!row) throw new DomainError('transaction_not_found');
  const [refunds, events] = await Promise.all([findRefunds(deps.db.pool, row.id), findEvents(deps.db.pool, row.id)]);
  return {
    ...row,
    externalId: externalIdOf(row),
    customerDocument: row.customerDocument && deps.secretBox.open(row.customerDocument, 'customer-document'),
    pixKey: row.pixKey && openPixKey(deps, row),
    refunds,
    events,
  };
}
