import type pg from 'pg';
import type { Topic } from '#domain/events.ts';

/**
 * Milliseconds between held deliveries that are sent together: a receiver that has just come back gets 20 a second beside the events of
 * the moment, and gets them in order unless its answer takes longer than this.
 */
const SPACING_MS = 50;

export type ReleaseWish = {
  accountId: string;
  topic: Topic;
  /** At most so many, the oldest. */
  limit: number;
  now: Date;
};

/**
 * Makes the held deliveries of a topic's endpoint due from `now` on, in the order of their events and one after the other, behind those
 * that were released before and still wait for their first attempt. `more`: some are left. Null: the endpoint takes nothing.
 */
export async function releaseHeld(db: pg.Pool, wish: ReleaseWish): Promise<{ sent: number; more: boolean } | null> {
  const { rows } = await db.query<{ sent: number; more: boolean }>({
    name: 'release-held',
    // The endpoint's row is locked so that two calls do not mix their deliveries; events, which only refer to it, do not wait.
    text: `WITH target AS (
        SELECT id FROM endpoints WHERE account_id = $1 AND topic = $2::topic AND disabled_at IS NULL FOR NO KEY UPDATE),
      oldest AS (
        SELECT d.id, d.created_at, d.event_id FROM target JOIN deliveries d ON d.endpoint_id = target.id AND d.status = 'held'
        ORDER BY d.created_at, d.event_id LIMIT $3 FOR UPDATE OF d),
      placed AS (SELECT id, row_number() OVER (ORDER BY created_at, event_id) AS place FROM oldest),
      released AS (
        UPDATE deliveries d SET status = 'pending' FROM placed
        WHERE d.id = placed.id AND d.status = 'held' RETURNING d.id, placed.place),
      line AS (
        SELECT max(t.due_at) AS ends_at FROM target JOIN deliveries d ON d.endpoint_id = target.id AND d.status = 'pending'
          JOIN tasks t ON t.kind = 'deliver_webhook' AND t.subject_id = d.id AND t.attempts = 0),
      queued AS (
        INSERT INTO tasks (kind, subject_id, due_at)
        SELECT 'deliver_webhook', r.id, greatest($4, line.ends_at + $5::interval) + (r.place - 1) * $5::interval FROM released r, line
        ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = 0 RETURNING subject_id)
      SELECT (SELECT count(*) FROM queued)::int AS sent, (SELECT count(*) FROM oldest) = $3 AS more FROM target`,
    values: [wish.accountId, wish.topic, wish.limit, wish.now, `${SPACING_MS} ms`],
  });
  return rows[0] ?? null;
}

/** How many deliveries each topic's endpoint of an account holds, each counted up to `max`; one without any may be missing. */
export async function countHeld(db: pg.Pool, accountId: string, max: number): Promise<Map<Topic, number>> {
  const { rows } = await db.query<{ topic: Topic; count: number }>({
    name: 'count-held',
    text: `SELECT n.topic, (
        SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.endpoint_id = n.id AND d.status = 'held' LIMIT $2) AS held) AS count
      FROM endpoints n WHERE n.account_id = $1`,
    values: [accountId, max],
  });
  return new Map(rows.map(({ topic, count }) => [topic, count]));
}
