import type { ListedTransaction } from '#contract/transactions/transactions.ts';

/**
 * Returns the shown transactions with one that was created or changed: in its place, at the top, or
 * left out when it is older than the first `most`.
 */
export function mergeTransaction(
  shown: readonly ListedTransaction[],
  changed: ListedTransaction,
  most: number,
): ListedTransaction[] {
  const others = shown.filter(({ transaction_id: id }) => id !== changed.transaction_id);
  // Ids are UUIDv7: their order is that of creation.
  return [...others, changed].sort((a, b) => (a.transaction_id < b.transaction_id ? 1 : -1)).slice(0, most);
}
