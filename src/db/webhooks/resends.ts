import type pg from 'pg';
import type { Topic } from '#domain/webhooks/events.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { claimedUntil } from './endpoints.ts';
import { insertMissing } from './insert-missing.ts';

/**
 * The outcome of a resend: it is due now, a worker has claimed it or soon will, or it goes nowhere:
 * `topic_off`: the webhook of its topic is disabled, or has no URL. `endpoint_off`: its endpoint
 * without a topic is disabled. `endpoint_removed`: that was removed for good.
 */
export type Resent = 'due' | 'under_way' | 'topic_off' | 'endpoint_off' | 'endpoint_removed';

/**
 * Makes a delivery due at `now`, with the same event and bytes: one that has ended or is held
 * restarts its attempts, one that waits is tried at once and then continues by its schedule. Null
 * for another account's and for one that does not exist.
 */
export async function resendDelivery(db: pg.Pool, accountId: string, id: string, now: Date): Promise<Resent | null> {
  const { rows } = await db.query<{ off: boolean; due: boolean; why: Resent }>(
    `WITH found AS (
        SELECT d.id, d.status, coalesce(n.disabled_at IS NOT NULL, false) AS off,
          CASE WHEN n.topic IS NOT NULL THEN 'topic_off' WHEN n.removed_at IS NULL THEN 'endpoint_off' ELSE 'endpoint_removed' END AS why
        FROM deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN endpoints n ON n.id = d.endpoint_id
        WHERE d.id = $1 AND e.account_id = $2 FOR UPDATE OF d),
      ended AS (SELECT id FROM found WHERE status <> 'pending' AND NOT off),
      waiting AS (SELECT id FROM found WHERE status = 'pending' AND NOT off), ${makeDue('$3', '$4')}
      SELECT off, why, (EXISTS (SELECT FROM queued) OR EXISTS (SELECT FROM expedited)) AS due FROM found`,
    [id, accountId, now, claimedUntil(now)],
  );
  const [row] = rows;
  if (!row) return null;
  if (row.off) return row.why;
  return row.due ? 'due' : 'under_way';
}

/**
 * Makes all deliveries of an event due, or the one to `endpointId`: those that there are, and one
 * to each endpoint without a topic that takes it by now and had none. `endpoint_off`: it goes
 * nowhere but to endpoints without a topic that are disabled. `topic_off`: it goes nowhere. Null
 * for another account's event, and for one that does not exist or is not reported.
 */
export const resendEventDeliveries = (
  db: pg.Pool,
  { accountId, eventId, endpointId, now }: { accountId: string; eventId: string; endpointId: string | null; now: Date },
): Promise<Resent | null> =>
  withTransaction(db, async (client) => {
    const events = 'SELECT * FROM events WHERE id = $2 AND account_id = $1';
    const missing = { name: 'insert-missing-of-event', events, endpoint: '$3' };
    await insertMissing(client, missing, [accountId, eventId, endpointId]);
    const { rows } = await client.query<{ reported: boolean; on: boolean; alone: boolean; due: boolean }>(
      `WITH found AS (
        SELECT d.id, d.status, n.topic IS NOT NULL AND n.url <> '' AS has_topic, n.topic IS NULL AND n.removed_at IS NULL AS alone,
          d.endpoint_id = coalesce($5::uuid, d.endpoint_id) AS asked, coalesce(n.disabled_at IS NOT NULL, false) OR d.endpoint_id IS DISTINCT FROM coalesce($5::uuid, d.endpoint_id) AS off
        FROM deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN endpoints n ON n.id = d.endpoint_id
        WHERE d.event_id = $1 AND e.account_id = $2 FOR UPDATE OF d),
      ended AS (SELECT id FROM found WHERE status <> 'pending' AND NOT off),
      waiting AS (SELECT id FROM found WHERE status = 'pending' AND NOT off), ${makeDue('$3', '$4')}
      SELECT EXISTS (SELECT FROM found) AS reported, EXISTS (SELECT FROM found WHERE NOT off) AS on,
        EXISTS (SELECT FROM found WHERE asked AND alone) AND NOT EXISTS (SELECT FROM found WHERE asked AND has_topic) AS alone,
        (EXISTS (SELECT FROM queued) OR EXISTS (SELECT FROM expedited)) AS due`,
      [eventId, accountId, now, claimedUntil(now), endpointId],
    );
    const [row] = rows;
    if (!row?.reported) return null;
    if (!row.on) return row.alone ? 'endpoint_off' : 'topic_off';
    return row.due ? 'due' : 'under_way';
  });

export type ResendWish = {
  accountId: string;
  /** Only of this topic's endpoint; null: whatever failed. */
  topic: Topic | null;
  /** Only what happened since then. */
  since: Date;
  limit: number;
  now: Date;
};

/**
 * The deliveries of account $1, to the endpoint of topic $2 unless that is null, made since $3,
 * that have somewhere to go.
 */
const FAILED = `deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN endpoints n ON n.id = d.endpoint_id
        WHERE e.account_id = $1 AND ($2::topic IS NULL OR n.topic = $2::topic) AND d.created_at >= $3 AND n.disabled_at IS NULL`;

/**
 * Makes due at `now`, the oldest first and in one statement, up to `limit` deliveries that were
 * given up, and as many that wait for a later attempt. `more`: some are left.
 */
export async function resendFailed(
  db: pg.Pool | pg.PoolClient,
  wish: ResendWish,
): Promise<{ resent: number; more: boolean }> {
  const { rows } = await db.query<{ resent: number; more: boolean }>(
    `WITH ended AS (
        SELECT d.id FROM ${FAILED} AND d.status = 'failed' ORDER BY d.created_at LIMIT $6 FOR UPDATE OF d SKIP LOCKED),
      waiting AS (
        SELECT d.id FROM ${FAILED} AND d.status = 'pending' AND EXISTS (SELECT FROM attempts a WHERE a.delivery_id = d.id)
        ORDER BY d.created_at LIMIT $6), ${makeDue('$4', '$5')}
      SELECT ((SELECT count(*) FROM queued) + (SELECT count(*) FROM expedited))::int AS resent,
        ((SELECT count(*) FROM ended) = $6 OR (SELECT count(*) FROM waiting) = $6) AS more`,
    [wish.accountId, wish.topic, wish.since, wish.now, claimedUntil(wish.now), wish.limit],
  );
  return rows[0] ?? { resent: 0, more: false };
}

/** How many deliveries resendFailed would find given up, up to `limit`. */
export async function countFailed(db: pg.Pool, wish: Omit<ResendWish, 'now'>): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT d.id FROM ${FAILED} AND d.status = 'failed' LIMIT $4) AS failed`,
    [wish.accountId, wish.topic, wish.since, wish.limit],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Of the deliveries in `ended` and `waiting`: all are due now. One that is due until `claimed` may
 * be claimed by a worker already.
 */
const makeDue = (now: string, claimed: string) => `reopened AS (
        UPDATE deliveries d SET status = 'pending', finished_at = NULL FROM ended WHERE d.id = ended.id RETURNING d.id),
      queued AS (
        INSERT INTO tasks (kind, subject_id, due_at) SELECT 'deliver_webhook', id, ${now} FROM reopened
        ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = 0 RETURNING subject_id),
      expedited AS (
        UPDATE tasks t SET due_at = ${now} FROM waiting
        WHERE t.kind = 'deliver_webhook' AND t.subject_id = waiting.id AND t.due_at > ${claimed} RETURNING t.subject_id)`;

/** Where a test event goes: to the URL of a topic, or to an endpoint without a topic. */
export type TestTarget = { topic: Topic; endpointId: null } | { topic: null; endpointId: string };

/**
 * Writes a test event, its delivery to an endpoint, and the task that sends it. False when there is
 * no such endpoint that takes events.
 */
export async function insertTestEvent(
  db: pg.Pool,
  event: { id: string; deliveryId: string; accountId: string; to: TestTarget; type: string; body: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH target AS (
        SELECT id, url FROM endpoints
        WHERE account_id = $2 AND (topic = $3::topic OR topic IS NULL AND id = $8) AND disabled_at IS NULL),
      event AS (
        INSERT INTO events (id, account_id, type, body, created_at) SELECT $1, $2, $4, $5, $6 FROM target RETURNING id),
      delivery AS (
        INSERT INTO deliveries (id, event_id, endpoint_id, url, created_at)
        SELECT $7, event.id, target.id, target.url, $6 FROM event, target RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'deliver_webhook', id, $6 FROM delivery`,
    [
      event.id,
      event.accountId,
      event.to.topic,
      event.type,
      event.body,
      event.now,
      event.deliveryId,
      event.to.endpointId,
    ],
  );
  return rowCount === 1;
}

/** Whether an account has this event. */
export async function hasEvent(db: pg.Pool, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM events WHERE id = $1 AND account_id = $2', [id, accountId]);
  return rowCount === 1;
}

/** How many events of a type an account has whose id (a UUIDv7) is `sinceId` or later. */
export async function countTestEvents(db: pg.Pool, accountId: string, type: string, sinceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM events WHERE account_id = $1 AND id >= $2 AND type = $3',
    [accountId, sinceId, type],
  );
  return rows[0]?.count ?? 0;
}
