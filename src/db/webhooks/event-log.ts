import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';
import type { DeliveryStatus } from '#domain/webhooks/events.ts';
import { DELIVERY_COLUMNS, type DeliveryListing, LISTED_COLUMNS, LOOKED_UP, toListing } from './delivery-log.ts';

export type EventFilter = {
  statuses: readonly DeliveryStatus[];
  /** e.g. `pix_in.paid` */
  types: readonly string[];
  transactionId: string | null;
  /** Only what happened at or after this instant. */
  since: Date | null;
  /** Only events older than this one. */
  beforeEventId: string | null;
  limit: number;
  /** How many events are searched for those that match. */
  scan: number;
};

/** What happened, and where it went. */
export type EventListing = Pick<DeliveryListing, 'eventId' | 'type' | 'transactionId' | 'createdAt'> & {
  /**
   * Of the transaction's own URL or the topic's first, then of the others, the oldest endpoint
   * first.
   */
  deliveries: DeliveryListing[];
};

/**
 * An account has a few endpoints at a time; those that were removed had some of its events too, and
 * are left out first.
 */
const DELIVERIES_SHOWN_MAX = 25;

type Row = Parameters<typeof toListing>[0] & { scanned: number; last: string | null };

/**
 * Events of an account that are reported, each with its deliveries, newest first: those that match
 * among the next `scan` ones, by their type or by the status of one of their deliveries. `scanned`
 * is how many there were, and `last` the oldest of them: the search continues from there.
 */
export async function listEvents(
  db: pg.Pool,
  accountId: string,
  filter: EventFilter,
): Promise<{ events: EventListing[]; scanned: number; last: string | null }> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const looked = ['account_id = $1'];
  if (filter.beforeEventId) looked.push(`id < ${bind(filter.beforeEventId)}::uuid`);
  if (filter.transactionId) looked.push(`transaction_id = ${bind(filter.transactionId)}::uuid`);
  // The id is made of the instant, and is in the index: it bounds how much of the account is read.
  if (filter.since)
    looked.push(`id >= ${bind(firstUuidAt(filter.since))}::uuid AND created_at >= ${bind(filter.since)}`);
  const sent = ['d.event_id = e.id'];
  if (filter.statuses.length > 0) {
    // Compared as text: by its index all deliveries of this status would be read, whosever they
    // are.
    sent.push(`d.status::text = ANY (${bind(filter.statuses)}::text[])`);
  }
  // A value for each event, by the index of its own deliveries: as EXISTS it becomes a join, for
  // which the deliveries of every account are read.
  const found = [`(SELECT true FROM deliveries d WHERE ${sent.join(' AND ')} LIMIT 1)`];
  if (filter.types.length > 0) found.push(`e.type = ANY (${bind(filter.types)}::text[])`);
  const { rows } = await db.query<Row>(
    `WITH looked AS MATERIALIZED (
        SELECT id, type, transaction_id FROM events WHERE ${looked.join(' AND ')} ORDER BY id DESC LIMIT ${bind(filter.scan)}),
      matched AS MATERIALIZED (
        SELECT * FROM looked e WHERE ${found.join(' AND ')} ORDER BY id DESC LIMIT ${bind(filter.limit)}),
      page AS MATERIALIZED (SELECT ${DELIVERY_COLUMNS} FROM matched e CROSS JOIN LATERAL (SELECT d.* FROM ${SHOWN}) d),
      seen AS (SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1] AS last FROM looked)
      SELECT seen.count AS "scanned", seen.last, ${LISTED_COLUMNS}
      FROM seen LEFT JOIN page ON true ${LOOKED_UP} ORDER BY page."eventId" DESC, ${AS_SHOWN}, page.id`,
    values,
  );
  const [first] = rows;
  const listed = rows.filter(({ id }) => id !== null).map(({ scanned: _, last: __, ...row }) => toListing(row));
  const events = [...Map.groupBy(listed, ({ eventId }) => eventId).values()].map(toEvent);
  return { events, scanned: first?.scanned ?? 0, last: first?.last ?? null };
}

/** The deliveries of one event, which has some. */
function toEvent(deliveries: DeliveryListing[]): EventListing {
  const { eventId, type, transactionId, createdAt } = deliveries[0] as DeliveryListing;
  return { eventId, type, transactionId, createdAt, deliveries };
}

/** The order of an event's deliveries. */
const AS_SHOWN = 'n.topic IS NULL AND n.id IS NOT NULL, n.removed_at IS NOT NULL, n.created_at';
/** The deliveries of event e that are shown. */
const SHOWN = `deliveries d LEFT JOIN endpoints n ON n.id = d.endpoint_id
          WHERE d.event_id = e.id ORDER BY ${AS_SHOWN} LIMIT ${DELIVERIES_SHOWN_MAX}`;

/**
 * The deliveries of an account's event, as many as are shown, in their order; none for another
 * account's, for one that does not exist, and for one that is not reported.
 */
export async function findDeliveriesOfEvent(db: pg.Pool, accountId: string, eventId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-deliveries-of-event',
    text: `SELECT d.id FROM events e CROSS JOIN LATERAL (SELECT d.* FROM ${SHOWN}) d WHERE e.id = $2 AND e.account_id = $1`,
    values: [accountId, eventId],
  });
  return rows.map(({ id }) => id);
}
