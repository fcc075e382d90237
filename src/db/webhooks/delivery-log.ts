import type pg from 'pg';
import { type DeliveryStatus, TEST_EVENT_TYPE, TOPIC_EVENTS, type Topic } from '#domain/webhooks/events.ts';

/** One try, as it was made and answered. */
export type AttemptRow = {
  /** From 1. */
  number: number;
  startedAt: Date;
  durationMs: number;
  /** Null when no answer came: `error` says why. */
  statusCode: number | null;
  error: string | null;
};

/** An event that was, is, or may be on its way to a URL. */
export type DeliveryListing = {
  id: string;
  eventId: string;
  /** e.g. `pix_in.paid` */
  type: string;
  /** Null: a test event. */
  transactionId: string | null;
  /**
   * Of its endpoint; null when it goes to the transaction's own callback URL, or to an endpoint
   * without a topic.
   */
  topic: Topic | null;
  /**
   * Of an endpoint without a topic; null: it goes to a topic's, or to the transaction's own URL.
   */
  endpointId: string | null;
  /**
   * Where it went last, or would go now. Null: it never went anywhere, and its topic has no URL.
   */
  url: string | null;
  status: DeliveryStatus;
  /** When its event happened. */
  createdAt: Date;
  finishedAt: Date | null;
  /** Its endpoint was disabled or taken away. */
  endpointOff: boolean;
  attempts: number;
  lastAttempt: AttemptRow | null;
  /** Null once it is delivered or given up, and while it is held. */
  nextTryAt: Date | null;
};

export type DeliveryFilter = {
  status: DeliveryStatus | null;
  /** Deliveries of this topic's events, whichever URL they go to. */
  topic: Topic | null;
  transactionId: string | null;
  /** Only what the list has after this delivery. */
  afterDeliveryId: string | null;
  limit: number;
};

/**
 * SQL for where a delivery goes now or went last, or null; of a delivery and its endpoint, by their
 * names in the query.
 */
export const deliveryUrl = (delivery: string, endpoint: string): string =>
  `nullif(CASE WHEN ${delivery}.status IN ('pending', 'held') THEN coalesce(nullif(${endpoint}.url, ''), ${delivery}.url)
        ELSE ${delivery}.url END, '')`;

/**
 * A row of `page`, which has to hold d.* and the event's members; what is looked up for each row is
 * looked up for these only.
 */
export const LISTED_COLUMNS = `page.id, page."eventId", page.type, page."transactionId", n.topic, CASE WHEN n.topic IS NULL THEN n.id END AS "endpointId", page.status,
      ${deliveryUrl('page', 'n')} AS url,
      page."createdAt", page."finishedAt", n.disabled_at IS NOT NULL AS "endpointOff", coalesce(last.number, 0) AS attempts,
      last.number, last.started_at AS "startedAt", last.duration_ms AS "durationMs", last.status_code AS "statusCode", last.error,
      CASE WHEN page.status = 'pending' THEN t.due_at END AS "nextTryAt"`;
export const LOOKED_UP = `LEFT JOIN endpoints n ON n.id = page."toEndpointId"
      LEFT JOIN tasks t ON t.kind = 'deliver_webhook' AND t.subject_id = page.id
      LEFT JOIN LATERAL (
        SELECT * FROM attempts a WHERE a.delivery_id = page.id ORDER BY a.number DESC LIMIT 1) AS last ON true`;
/** Of an event e with its delivery d: what LISTED_COLUMNS and LOOKED_UP expect of `page`. */
export const DELIVERY_COLUMNS = `d.id, e.id AS "eventId", e.type, e.transaction_id AS "transactionId", d.endpoint_id AS "toEndpointId", d.url, d.status,
      d.created_at AS "createdAt", d.finished_at AS "finishedAt"`;

type Row = Omit<DeliveryListing, 'lastAttempt'> & { [K in keyof AttemptRow]: AttemptRow[K] | null };

/**
 * Deliveries of an account, the newest event first: ids of events are UUIDv7. Those of one event
 * stand together.
 */
export async function listDeliveries(
  db: pg.Pool,
  accountId: string,
  filter: DeliveryFilter,
): Promise<DeliveryListing[]> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['e.account_id = $1'];
  if (filter.afterDeliveryId) {
    const after = `${bind(filter.afterDeliveryId)}::uuid`;
    const event = `(SELECT event_id FROM deliveries WHERE id = ${after})`;
    // Said of both tables: a join that reads either of them from its newest row would first read
    // all that was listed already.
    conditions.push(`e.id <= ${event} AND d.event_id <= ${event} AND (e.id < ${event} OR d.id < ${after})`);
  }
  if (filter.status) conditions.push(`d.status = ${bind(filter.status)}::delivery_status`);
  if (filter.transactionId) conditions.push(`e.transaction_id = ${bind(filter.transactionId)}::uuid`);
  if (filter.topic) {
    const family = `split_part(e.type, '.', 1) = ANY (${bind(TOPIC_EVENTS[filter.topic])}::text[])`;
    const test = `e.type = ${bind(TEST_EVENT_TYPE)}`;
    // The event alone rules most out, before its delivery is looked up; a test event has its topic
    // from where it goes.
    conditions.push(`(${family} OR ${test})`);
    const endpoint = `SELECT id FROM endpoints WHERE account_id = $1 AND topic = ${bind(filter.topic)}::topic`;
    conditions.push(`(${family} OR d.endpoint_id = (${endpoint}))`);
  }
  const { rows } = await db.query<Row>(
    `WITH page AS MATERIALIZED (
        SELECT ${DELIVERY_COLUMNS} FROM events e JOIN deliveries d ON d.event_id = e.id
        WHERE ${conditions.join(' AND ')} ORDER BY e.id DESC, d.id DESC LIMIT ${bind(filter.limit)})
      SELECT ${LISTED_COLUMNS} FROM page ${LOOKED_UP} ORDER BY page."eventId" DESC, page.id DESC`,
    values,
  );
  return rows.map(toListing);
}

export type DeliveryDetails = DeliveryListing & {
  /** The exact text that every attempt carries; sealed, where it comes from the database. */
  body: string;
  /** The newest last; at most as many as were asked for. */
  tries: (AttemptRow & { responseBody: string | null })[];
};

/**
 * A delivery of an account with its newest `attemptsMax` attempts; null for another account's and
 * for one that does not exist.
 */
export async function findDeliveryDetails(
  db: pg.Pool,
  accountId: string,
  id: string,
  attemptsMax: number,
): Promise<DeliveryDetails | null> {
  const { rows } = await db.query<Row & { body: string }>({
    name: 'find-delivery-details',
    text: `WITH page AS (
        SELECT ${DELIVERY_COLUMNS}, e.body FROM deliveries d JOIN events e ON e.id = d.event_id
        WHERE d.id = $2 AND e.account_id = $1)
      SELECT ${LISTED_COLUMNS}, page.body FROM page ${LOOKED_UP}`,
    values: [accountId, id],
  });
  const [row] = rows;
  if (!row) return null;
  // Not those that were made since: the delivery has its status of the earlier moment.
  const { rows: tries } = await db.query<DeliveryDetails['tries'][number]>({
    name: 'list-attempts',
    text: `SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", status_code AS "statusCode", error, response_body AS "responseBody"
      FROM attempts WHERE delivery_id = $1 AND number <= $3 ORDER BY number DESC LIMIT $2`,
    values: [id, attemptsMax, row.attempts],
  });
  return { ...toListing(row), body: row.body, tries: tries.reverse() };
}

/** A row of LISTED_COLUMNS. */
export function toListing(row: Row): DeliveryListing {
  const { number, startedAt, durationMs, statusCode, error, ...delivery } = row;
  const tried = number !== null && startedAt !== null && durationMs !== null;
  return { ...delivery, lastAttempt: tried ? { number, startedAt, durationMs, statusCode, error } : null };
}
