import { LEASE_MS } from '#db/tasks/tasks.ts';
import { resendEventDeliveries } from '#db/webhooks/resends.ts';
import { ownTime, timeOfAccount } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';

/**
 * Sends the event of a split now where the charging account's test clock is ahead of the receiver's
 * time: `at`, the payment's time, is when its deliveries are due, and the receiver is not there
 * before days have passed.
 */
export async function expediteSplitEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'testClock' | 'wakeWorkers'>,
  { accountId, eventId, at }: { accountId: string; eventId: string; at: Date },
): Promise<void> {
  // Sooner than that a worker may have claimed them.
  const isFarAhead = (now: Date) => at.getTime() - now.getTime() > LEASE_MS;
  if (!isFarAhead(ownTime(deps))) return;
  const now = await timeOfAccount(deps, accountId);
  if (!isFarAhead(now)) return;
  await resendEventDeliveries(deps.db.pool, { accountId, eventId, endpointId: null, now });
  deps.wakeWorkers();
}
