import type pg from 'pg';
import { type DisabledReason, disabledReason } from '#domain/webhooks/disabled-reason.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { type AuditEntry, insertAuditIn, insertAuditOn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { LEASE_MS } from '../tasks/tasks.ts';
import { HELD_OR_ACCEPTED } from './held-or-accepted.ts';
import { isFailedAttempt } from './is-failed-attempt.ts';

/**
 * A merchant's URLs of topics, one each. One that was taken away keeps its row, disabled and
 * without URL: its deliveries name it. A topic that never had a URL gets such a row with its first
 * event.
 */

export type TopicEndpointRow = {
  id: string;
  topic: Topic;
  url: string;
  disabledAt: Date | null;
  /** Null: it is not disabled. */
  disabledReason: DisabledReason | null;
  /** When this URL was first called, whatever it answered. */
  calledAt: Date | null;
  createdAt: Date;
};

/**
 * What waits for an endpoint that is no more is held at once, as far as one statement does it in
 * good time; the worker holds the rest.
 */
const HELD_AT_ONCE_MAX = 10_000;

/** The URLs of topics that an account has. */
export async function listTopicEndpoints(db: Database, accountId: string): Promise<TopicEndpointRow[]> {
  const endpoints = await db.prisma.endpoint.findMany({
    where: { accountId, topic: { not: null }, url: { not: '' } },
    orderBy: { topic: 'asc' },
    select: {
      ...{ id: true, topic: true, url: true, calledAt: true, createdAt: true },
      ...{ disabledAt: true, disabledByMerchant: true, failingSince: true },
    },
  });
  return endpoints.flatMap(({ topic, disabledByMerchant, failingSince, ...endpoint }) => {
    const reason = disabledReason({ ...endpoint, disabledByMerchant, failingSince });
    return topic === null ? [] : [{ ...endpoint, topic, disabledReason: reason }];
  });
}

/**
 * Sets the URL of a topic and lets events go there, whatever was there before: also those that
 * wait. `isKept`: a URL that the topic has stays. Returns whether it was set. `audit` gets the URL
 * before it, null where there was none. In SQL: what is written depends on what was there, in one
 * statement.
 */
export async function upsertEndpoint(
  db: pg.Pool,
  endpoint: { id: string; accountId: string; topic: Topic; url: string; isKept?: boolean; now: Date },
  /** What the audit says of it, in the same commit; none where it is not a member's act. */
  audit?: (previousUrl: string | null) => AuditEntry,
): Promise<boolean> {
  return withTransaction(db, async (client) => {
    const { rows } = await client.query<{ previousUrl: string | null }>(
      `WITH before AS (SELECT url FROM endpoints WHERE account_id = $2 AND topic = $3::topic)
     INSERT INTO endpoints (id, account_id, topic, url, created_at) VALUES ($1, $2, $3::topic, $4, $5)
     ON CONFLICT (account_id, topic) DO UPDATE SET url = EXCLUDED.url, disabled_at = NULL,
       failing_since = CASE WHEN endpoints.url = EXCLUDED.url AND endpoints.disabled_at IS NULL THEN endpoints.failing_since END,
       called_at = CASE WHEN endpoints.url = EXCLUDED.url THEN endpoints.called_at END
       WHERE NOT $6 OR endpoints.url = ''
     RETURNING (SELECT nullif(url, '') FROM before) AS "previousUrl"`,
      [endpoint.id, endpoint.accountId, endpoint.topic, endpoint.url, endpoint.now, endpoint.isKept ?? false],
    );
    const [set] = rows;
    if (set && audit) await insertAuditOn(client, audit(set.previousUrl));
    return set !== undefined;
  });
}

/**
 * Lets events go to a disabled endpoint again, with the audit in one commit. Returns its URL; null
 * when the topic has no endpoint that is disabled.
 */
export async function enableEndpoint(
  db: Database,
  { accountId, topic, audit }: { accountId: string; topic: Topic; audit: (url: string) => AuditEntry },
): Promise<string | null> {
  return db.prisma.$transaction(async (tx) => {
    const [endpoint] = await tx.endpoint.updateManyAndReturn({
      where: { accountId, topic, disabledAt: { not: null }, url: { not: '' } },
      data: { disabledAt: null, failingSince: null },
      select: { url: true },
    });
    if (endpoint) await insertAuditIn(tx, audit(endpoint.url));
    return endpoint?.url ?? null;
  });
}

/**
 * The receiver at `url` said 410 Gone: nothing more is sent there until the merchant says so, and
 * what waits is held. False, and nothing is changed, when the endpoint has another URL by now.
 */
export async function disableEndpoint(
  db: pg.Pool,
  { id, url, now }: { id: string; url: string; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ gone: boolean }>(
    `WITH off AS (
        UPDATE endpoints SET disabled_at = $1, failing_since = NULL WHERE id = $4 AND url = $5 AND disabled_at IS NULL RETURNING id),
      ${HOLD} SELECT EXISTS (SELECT FROM off) OR EXISTS (SELECT FROM endpoints WHERE id = $4 AND url = $5) AS gone`,
    [now, claimedUntil(now), HELD_AT_ONCE_MAX, id, url],
  );
  return rows[0]?.gone ?? false;
}

/**
 * Disables an endpoint to which nothing got through for `forMs`, and holds what waits for it. An
 * attempt has to have failed after that time: where nothing was tried in it, the installation was
 * stopped, and the receiver may work. Returns when it was disabled; null: nothing is changed.
 */
export async function disableFailingEndpoint(
  db: pg.Pool,
  { id, forMs, now }: { id: string; forMs: number; now: Date },
): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>(
    `WITH off AS (
        UPDATE endpoints n SET disabled_at = $1 WHERE n.id = $4 AND n.url <> '' AND n.disabled_at IS NULL
          AND n.failing_since + $5::float8 * interval '1 millisecond' <= $1
          AND EXISTS (SELECT FROM deliveries d JOIN attempts t ON t.delivery_id = d.id
            WHERE d.status = 'pending' AND d.endpoint_id = n.id AND ${isFailedAttempt('t')}
              AND t.started_at >= n.failing_since + $5::float8 * interval '1 millisecond') RETURNING n.id),
      ${HOLD} SELECT $1::timestamptz AS at FROM off`,
    [now, claimedUntil(now), HELD_AT_ONCE_MAX, id, forMs],
  );
  return rows[0]?.at ?? null;
}

/**
 * Takes a topic's endpoint away, with the audit in one commit, and holds what waits for it. Returns
 * its URL; null when there is none.
 */
export async function removeEndpoint(
  db: pg.Pool,
  { accountId, topic, now, audit }: { accountId: string; topic: Topic; now: Date; audit: (url: string) => AuditEntry },
): Promise<string | null> {
  return withTransaction(db, async (client) => {
    const { rows } = await client.query<{ url: string }>(
      `WITH before AS (
        SELECT id, url FROM endpoints WHERE account_id = $4 AND topic = $5::topic AND url <> '' FOR NO KEY UPDATE),
      off AS (
        UPDATE endpoints n SET url = '', disabled_at = $1 FROM before WHERE n.id = before.id RETURNING n.id),
      ${HOLD} SELECT url FROM before`,
      [now, claimedUntil(now), HELD_AT_ONCE_MAX, accountId, topic],
    );
    if (rows[0]) await insertAuditOn(client, audit(rows[0].url));
    return rows[0]?.url ?? null;
  });
}

/**
 * Has what waits for an endpoint held, since it takes nothing any more: in the transaction that
 * disables it.
 */
export async function holdWaiting(client: pg.PoolClient, endpointId: string, now: Date): Promise<void> {
  await client.query(
    `WITH off AS (SELECT id FROM endpoints WHERE id = $4 AND disabled_at <= $1), ${HOLD} SELECT FROM held`,
    [now, claimedUntil(now), HELD_AT_ONCE_MAX, endpointId],
  );
}

/**
 * Of the endpoints in `off`, at $1: waiting deliveries are no longer tried. A delivery that a
 * worker has claimed ($2) is held by that worker. At most $3. One that was accepted before it was
 * sent again is delivered, and not held.
 */
const HOLD = `waiting AS (
        SELECT d.id FROM off JOIN deliveries d ON d.endpoint_id = off.id AND d.status = 'pending'
          JOIN tasks t ON t.kind = 'deliver_webhook' AND t.subject_id = d.id
        WHERE t.due_at > $2 LIMIT $3 FOR UPDATE OF t SKIP LOCKED),
      undone AS (
        DELETE FROM tasks t USING waiting WHERE t.kind = 'deliver_webhook' AND t.subject_id = waiting.id RETURNING t.subject_id),
      unsent AS (DELETE FROM tasks t USING off WHERE t.kind = 'send_held' AND t.subject_id = off.id),
      held AS (
        UPDATE deliveries d SET ${HELD_OR_ACCEPTED} FROM undone
        WHERE d.id = undone.subject_id AND d.status = 'pending' RETURNING d.id)`;

/** Tasks that are due until then may be claimed by a worker; later ones are not. */
export const claimedUntil = (now: Date) => new Date(now.getTime() + LEASE_MS);
