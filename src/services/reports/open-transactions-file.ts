import { countTransactions } from '#db/transactions/transactions.ts';
import type { Deps } from '../deps.ts';
import { type ListedTransaction, type ListInput, listOwnTransactions } from '../transactions/list-transactions.ts';

/** The transactions of one query, which are one chunk of the file. */
const CHUNK = 500;
/**
 * Counting this many takes some milliseconds, which the file's first row waits for; a file with
 * more is written without a known progress.
 */
const COUNT_MAX = 50_000;

export type TransactionFileFilter = Omit<ListInput, 'cursor' | 'limit'>;

/**
 * All transactions that a filter of the list finds, newest first, for a file. `total`: how many
 * there will be; null where there are too many to count first, or where the filter has a text.
 * Transactions that are created meanwhile are not in the file.
 */
export async function openTransactionsFile(
  deps: Deps,
  accountId: string,
  filter: TransactionFileFilter,
): Promise<{ total: number | null; chunks(): AsyncGenerator<ListedTransaction[]> }> {
  return {
    total: isByText(filter) ? null : await countOwn(deps, accountId, filter),
    chunks: () => readChunks(deps, accountId, filter),
  };
}

const NO_TEXTS = { text: null, reference: null, metadata: null };

const isByText = ({ text, reference, metadata }: TransactionFileFilter): boolean =>
  text !== null || reference !== null || metadata !== null;

async function countOwn(deps: Deps, accountId: string, filter: TransactionFileFilter): Promise<number | null> {
  const counted = await countTransactions(deps.db.pool, accountId, { ...filter, ...NO_TEXTS, before: null }, COUNT_MAX);
  return counted < COUNT_MAX ? counted : null;
}

async function* readChunks(
  deps: Deps,
  accountId: string,
  filter: TransactionFileFilter,
): AsyncGenerator<ListedTransaction[]> {
  let cursor: string | null = null;
  do {
    const page = await listOwnTransactions(deps, accountId, { ...filter, cursor, limit: CHUNK });
    yield page.transactions;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
