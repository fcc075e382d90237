import { type EventFilter, type EventListing, listEvents } from '#db/webhooks/event-log.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

export type { EventListing } from '#db/webhooks/event-log.ts';

/**
 * A filter that matches little, and events that are not reported, must not make one call read an
 * account's whole history: so many events take the database some 30 ms.
 */
const SCAN_MAX = 5_000;

/**
 * An account's events that are reported, newest first. `nextCursor` leads to the older ones, null
 * where there are none; a page that is filtered may have fewer events than `limit`, or none, and be
 * followed by others.
 */
export async function listOwnEvents(
  deps: Deps,
  accountId: string,
  filter: Omit<EventFilter, 'scan'>,
): Promise<{ events: EventListing[]; nextCursor: string | null }> {
  // Only a UUID can be the id of a transaction.
  if (filter.transactionId !== null && !isUuid(filter.transactionId)) return { events: [], nextCursor: null };
  // One more than the page shows whether there is another one.
  const limit = filter.limit + 1;
  const look = async (scan: number) => {
    const found = await listEvents(deps.db.pool, accountId, { ...filter, limit, scan });
    return { ...found, isFull: found.events.length === limit, hasMore: found.scanned === scan };
  };
  const isFiltered = filter.statuses.length > 0 || filter.types.length > 0;
  const short = await look(isFiltered ? SCAN_MAX : limit);
  // Some of so few are not reported: of charges that the provider did not take.
  const looked = !isFiltered && !short.isFull && short.hasMore ? await look(SCAN_MAX) : short;
  const events = looked.events.slice(0, filter.limit);
  if (looked.isFull) return { events, nextCursor: events.at(-1)?.eventId ?? null };
  return { events, nextCursor: looked.hasMore ? looked.last : null };
}
