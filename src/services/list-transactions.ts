import { listTransactions, type TransactionListing } from '#db/transactions.ts';
import type { TransactionStatus, TransactionType } from '#domain/transaction-states.ts';
import { isUuid, txidToUuid } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';

export type ListInput = {
  types: readonly TransactionType[];
  statuses: readonly TransactionStatus[];
  from: Date | null;
  to: Date | null;
  text: string | null;
  /** The id of the last transaction of the page before. */
  cursor: string | null;
  limit: number;
};

/** A page of an account's transactions, newest first, and the cursor of the next one; null at the end. */
export async function listOwnTransactions(
  deps: Deps,
  accountId: string,
  input: ListInput,
): Promise<{ transactions: TransactionListing[]; nextCursor: string | null }> {
  const { text, cursor, limit, ...filter } = input;
  // One more than the page shows whether there is another one.
  const found = await listTransactions(deps.db.pool, accountId, {
    ...filter,
    text: text === null ? null : readText(deps, text.trim()),
    before: cursor,
    limit: limit + 1,
  });
  const transactions = found.slice(0, limit);
  return { transactions, nextCursor: found.length > limit ? (transactions.at(-1)?.id ?? null) : null };
}

function readText(deps: Deps, text: string) {
  return {
    contains: text,
    uuid: isUuid(text) ? text : txidToUuid(text),
    // Documents are stored as digits and capitals, and found by their fingerprint only.
    documentIndex: deps.secretBox.fingerprint(text.replace(/[^0-9A-Za-z]/g, '').toUpperCase(), 'customer-document'),
  };
}
