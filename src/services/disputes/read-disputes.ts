import { findLostPayments, findOldestContested } from '#db/disputes/disputes-at-psp.ts';
import { DISPUTABLE_MS } from '#domain/disputes/dispute-states.ts';
import type { PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookAll } from '../sweeps/book-all.ts';
import { bookPayment } from '../unmatched/book-payment.ts';
import { bookDispute } from './book-dispute.ts';

/** The devolução of a lost case comes within a day; the payments' own sweeps find a later one. */
const RETURNS_WITHIN_MS = 3 * 86_400_000;
/** Each costs one call to the PSP, and a task has 30 seconds. */
const RETURNS_MAX = 20;

/**
 * Books what a page of a PSP's cases has that is not in the books; after the last page it looks for
 * the devoluções of those that are lost. `attempt` counts those at this page. `denied`: the
 * credentials may not ask. Throws ProviderUnavailable when the PSP can't say.
 */
export async function readDisputes(
  deps: Deps,
  rail: PixRail,
  { attempt, ...period }: { from: Date; to: Date; page: number; attempt: number },
): Promise<{ unreadable: number; hasMore: boolean } | 'denied'> {
  // Credentials that lost the permission change nothing: known cases stay as they are.
  if (!rail.disputes) return { unreadable: 0, hasMore: false };
  const listed = await rail.disputes.listDisputes(period);
  if (listed.outcome === 'unknown') throw new ProviderUnavailable(listed.reason);
  if (listed.outcome === 'rejected') {
    deps.log.warn({ rail: rail.name, reason: listed.reason }, 'A PSP lists no disputes for these credentials.');
    return 'denied';
  }
  for (const dispute of listed.value.disputes) {
    // One case that can't be booked holds up no other: the next sweep finds it again.
    try {
      await bookDispute(deps, rail.name, dispute);
    } catch (error) {
      const { providerId } = dispute;
      deps.log.error({ err: error, providerId }, 'A dispute could not be booked; the next sweep finds it again.');
    }
  }
  if (!listed.value.hasMore) await bookReturns(deps, rail, attempt);
  return listed.value;
}

/**
 * Where a sweep begins: at the payment of the oldest open case if that is before `from`, but at
 * most DISPUTABLE_MS ago; else at `from`.
 */
export async function reachBack(deps: Pick<Deps, 'db' | 'clock'>, rail: string, from: Date): Promise<Date> {
  const oldest = await findOldestContested(deps.db.pool, rail);
  const earliest = deps.clock().getTime() - DISPUTABLE_MS;
  return oldest && oldest < from ? new Date(Math.max(oldest.getTime(), earliest)) : from;
}

async function bookReturns(deps: Deps, rail: PixRail, attempt: number): Promise<void> {
  const since = new Date(deps.clock().getTime() - RETURNS_WITHIN_MS);
  const lost = await findLostPayments(deps.db.pool, { rail: rail.name, since, limit: RETURNS_MAX });
  await bookAll(deps, lost, {
    nameOf: (endToEndId) => ({ endToEndId }),
    async book(endToEndId) {
      const found = await rail.findPayment(endToEndId);
      if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
      if (found.value) await bookPayment(deps, rail, found.value);
    },
    attempt,
  });
}
