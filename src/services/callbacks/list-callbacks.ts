import {
  type CallbackListing,
  type CallbackState,
  listCallbacks as findCallbacks,
} from '#db/callbacks/list-callbacks.ts';
import type { Deps } from '../deps.ts';

export type { CallbackListing, CallbackState };

/**
 * How many callbacks one search for unmatched ones reads, in some milliseconds; the next page
 * continues from there.
 */
const SCAN_MAX = 10_000;

/**
 * Providers' callbacks, newest first, page by page; `next` is null on the last page. A page may be
 * short although more follow: one call searches only SCAN_MAX callbacks.
 */
export async function listCallbacks(
  { db }: Pick<Deps, 'db'>,
  { limit, ...filter }: { state: CallbackState | null; before: string | null; limit: number },
): Promise<{ callbacks: CallbackListing[]; next: string | null }> {
  const { callbacks, scanned, last } = await findCallbacks(db.pool, { ...filter, limit: limit + 1, scan: SCAN_MAX });
  if (callbacks.length > limit) {
    const page = callbacks.slice(0, limit);
    return { callbacks: page, next: page.at(-1)?.id ?? null };
  }
  return { callbacks, next: scanned === SCAN_MAX ? last : null };
}
