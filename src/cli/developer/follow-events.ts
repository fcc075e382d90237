import { setTimeout } from 'node:timers/promises';
import { type ApiClient, ApiUnavailable } from './api-client.ts';

/** An event as GET /events lists it. */
export type ListedEvent = { event_id: string; type: string; transaction_id: string | null; created_at: string };

/**
 * Up to where an account's events were handled: all before `since`, and of the later ones `seen`.
 * Null: from the beginning of what is kept.
 */
export type Position = { since: string | null; seen: readonly string[] };

/**
 * An event is committed this long after its instant at most, so that one which is older than the
 * newest may still come: what is asked for begins that long before the newest.
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
 * Gives each event of an account from a position on to `handle`, in the order of their instants,
 * one after the other, until `signal` is aborted; after each the position behind it to `save`.
 * Where the API is away it is asked again until it is back.
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
    /** Only these; null: all. */
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

/** What has happened since a position, oldest first. */
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

/** The position behind these events too; what is seen is kept as long as it may be listed again. */
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
