import type { DisputeRow } from '#db/disputes/disputes.ts';
import { type DisputeFilter, hasDisputes, listDisputes } from '#db/disputes/list-disputes.ts';
import type { Deps } from '../deps.ts';

/** A case without the words of its answer, which are sealed. */
export type ListedDispute = Omit<DisputeRow, 'answerText'>;

/**
 * A page of an account's cases, newest first, and the cursor of the next one; null at the end.
 */
export async function listOwnDisputes(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  filter: DisputeFilter,
): Promise<{ disputes: ListedDispute[]; nextCursor: string | null }> {
  // One more than the page shows whether there is another one.
  const found = await listDisputes(db.pool, accountId, { ...filter, limit: filter.limit + 1 });
  const disputes = found.slice(0, filter.limit);
  return { disputes, nextCursor: found.length > filter.limit ? (disputes.at(-1)?.id ?? null) : null };
}

/** Whether a payment of this account was ever contested. */
export const hasOwnDisputes = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<boolean> =>
  hasDisputes(db.pool, accountId);
