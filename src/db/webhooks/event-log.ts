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

type Row = Parameters<typeof toListing>[0] & { scanned: number; last: string | null };

/**
 * Events of an account that are reported, each with its delivery, newest first: those that match
 * among the next `look` ones. `scanned` is how many there were, and `last` the oldest of them: the
 * search continues from there.
 */
export async function listEvents(
  db: pg.Pool,
  accountId: string,
  filter: EventFilter,
): Promise<{ events: DeliveryListing[]; scanned: number; last: string | null }> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const looked = ['account_id = $1'];
  if (filter.beforeEventId) looked.push(`id < ${bind(filter.beforeEventId)}::uuid`);
  if (filter.transactionId) looked.push(`transaction_id = ${bind(filter.transactionId)}::uuid`);
  // The id is made of the instant, and is in the index: it bounds how much of the account is read.
  if (filter.since)
    looked.push(`id >= ${bind(firstUuidAt(filter.since))}::uuid AND created_at >= ${bind(filter.since)}`);
  const found: string[] = [];
  if (filter.types.length > 0) found.push(`e.type = ANY (${bind(filter.types)}::text[])`);
  if (filter.statuses.length > 0) found.push(`d.status = ANY (${bind(filter.statuses)}::delivery_status[])`);
  const { rows } = await db.query<Row>(
    `WITH looked AS MATERIALIZED (
        SELECT id, type, transaction_id FROM events WHERE ${looked.join(' AND ')} ORDER BY id DESC LIMIT ${bind(filter.scan)}),
      page AS MATERIALIZED (
        SELECT ${DELIVERY_COLUMNS} FROM looked e JOIN deliveries d ON d.event_id = e.id
        WHERE ${['true', ...found].join(' AND ')} ORDER BY e.id DESC LIMIT ${bind(filter.limit)}),
      seen AS (SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1] AS last FROM looked)
      SELECT seen.count AS "scanned", seen.last, ${LISTED_COLUMNS}
      FROM seen LEFT JOIN page ON true ${LOOKED_UP} ORDER BY page."eventId" DESC`,
    values,
  );
  const [first] = rows;
  const events = rows.filter(({ id }) => id !== null).map(({ scanned: _, last: __, ...row }) => toListing(row));
  return { events, scanned: first?.scanned ?? 0, last: first?.last ?? null };
}

/**
 * The delivery of an account's event; null for another account's, for one that does not exist, and
 * for one that is not reported.
 */
export async function findDeliveryOf(db: pg.Pool, accountId: string, eventId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-delivery-of',
    text: `SELECT d.id FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.id = $2 AND e.account_id = $1`,
    values: [accountId, eventId],
  });
  return rows[0]?.id ?? null;
}
