import { setTimeout } from 'node:timers/promises';
import { type ApiClient, ApiUnavailable } from './api-client.ts';

/** An event as GET /events lists it. */
export type ListedEvent = { event_id: string; type: string; transaction_id: string | null; created_at: string };

/**
 * How far an account's events were handled: all before `since`, and `seen` of the later ones.
 * `since` null: none is handled yet.
 */
export type Position = { since: string | null; seen: readonly string[] };

/**
 * The longest time from an event's instant to its commit. An event older than the newest may still
 * appear within it, so a query begins this long before the newest.
 */
const COMMITTED_AFTER_MS = 60_000;
const PAGE_SIZE = 100;
const POLL_MS = 1_000;
/** A service that restarts is back within seconds. */
const RETRY_MS_MAX = 10_000;

type EventPage = { data: ListedEvent[]; next_cursor: string | null };

/** The position behind everything that has happened so far. */
export async function endOfEvents(api: ApiClient): Promise<Position> {
  const { data } = await api.get<EventPage>('/events', { limit: String(PAGE_SIZE) });
  return after({ since: null, seen: [] }, data);
}

/**
 * Passes each event of an account after a position to `handle`, in the order of their instants, one
 * after the other, until `signal` is aborted, and the new position to `save` after each. While the
 * API is unavailable it asks again. Throws CommandError for a rejected request.
 */
export async function followEvents(
  api: ApiClient,
  {
    from,
    types,
    signal,
    handle,
    save,
    say,
  }: {
    from: Position;
    /** Only these types, separated by commas; null: all. */
    types: string | null;
    signal: AbortSignal;
    handle: (event: ListedEvent) => Promise<void>;
    save: (position: Position) => void;
    say: (line: string) => void;
  },
): Promise<void> {
  let position = from;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for (const event of await eventsAfter(api, position, types)) {
        if (signal.aborted) return;
        await handle(event);
        position = after(position, [event]);
        save(position);
      }
      if (failures > 0) say('The connection is back.');
      failures = 0;
      await pause(POLL_MS, signal);
    } catch (error) {
      if (!(error instanceof ApiUnavailable)) throw error;
      if (failures === 0) say(`${error.message}; trying again.`);
      failures++;
      await pause(error.retryAfterMs ?? Math.min(POLL_MS * failures, RETRY_MS_MAX), signal);
    }
  }
}

/** The events since a position, oldest first. */
async function eventsAfter(api: ApiClient, { since, seen }: Position, types: string | null): Promise<ListedEvent[]> {
  const found: ListedEvent[] = [];
  const known = new Set(seen);
  const query = { limit: String(PAGE_SIZE), ...(since !== null && { since }), ...(types !== null && { type: types }) };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: EventPage = await api.get('/events', { ...query, ...(cursor && { cursor }) });
    found.push(...page.data.filter(({ event_id: id }) => !known.has(id)));
    cursor = page.next_cursor;
  }
  return found.reverse();
}

/**
 * The position behind these events too; an id stays in `seen` as long as it may be listed again.
 */
function after({ since, seen }: Position, events: readonly ListedEvent[]): Position {
  const newest = Math.max(...events.map(({ created_at: at }) => Date.parse(at)));
  if (events.length === 0) return { since, seen };
  const start = Math.max(newest - COMMITTED_AFTER_MS, since === null ? 0 : Date.parse(since));
  return {
    since: new Date(start).toISOString(),
    seen: [...seen, ...events.map(({ event_id: id }) => id)].slice(-SEEN_MAX),
  };
}

/** More than happen on a test account within COMMITTED_AFTER_MS. */
const SEEN_MAX = 10_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
