import type pg from 'pg';
import type { Topic } from '#domain/webhooks/events.ts';
import type { Task } from '../tasks/tasks.ts';

/**
 * Has the held deliveries of a topic's endpoint sent from `now` on, and says how many there are,
 * counted up to `max`. A task that a worker may have claimed is due again after that claim: it may
 * just have found nothing left. Null: the endpoint takes nothing.
 */
export async function startSendingHeld(
  db: pg.Pool | pg.PoolClient,
  wish: { accountId: string; topic: Topic; max: number; now: Date },
): Promise<number | null> {
  const { rows } = await db.query<{ count: number }>({
    name: 'start-sending-held',
    text: `WITH target AS (
        SELECT n.id, (SELECT count(*)::int FROM (${HELD} LIMIT $3) AS held) AS count
        FROM endpoints n WHERE n.account_id = $1 AND n.topic = $2::topic AND n.disabled_at IS NULL),
      task AS (
        INSERT INTO tasks (kind, subject_id, due_at) SELECT 'send_held', id, $4 FROM target WHERE count > 0
        ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = tasks.due_at + interval '1 millisecond'
        WHERE tasks.due_at > EXCLUDED.due_at)
      SELECT count FROM target`,
    values: [wish.accountId, wish.topic, wish.max, wish.now],
  });
  return rows[0]?.count ?? null;
}

/**
 * Takes the oldest held delivery of an endpoint, with a task as if a worker had claimed it until
 * `leaseUntil`: should the caller die, it is delivered then. Null: nothing is held, or the endpoint
 * takes nothing.
 */
export async function takeOldestHeld(db: pg.Pool, endpointId: string, leaseUntil: Date): Promise<Task | null> {
  const { rows } = await db.query<Task>({
    name: 'take-oldest-held',
    text: `WITH oldest AS (
        SELECT d.id FROM deliveries d JOIN endpoints n ON n.id = d.endpoint_id AND n.disabled_at IS NULL
        WHERE d.endpoint_id = $1 AND d.status = 'held' ORDER BY d.created_at, d.event_id LIMIT 1 FOR UPDATE OF d SKIP LOCKED),
      taken AS (UPDATE deliveries d SET status = 'pending' FROM oldest WHERE d.id = oldest.id RETURNING d.id)
      INSERT INTO tasks (kind, subject_id, due_at, attempts) SELECT 'deliver_webhook', id, $2, 1 FROM taken
      ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = EXCLUDED.attempts
      RETURNING kind, subject_id AS "subjectId", attempts, due_at AS "leaseUntil"`,
    values: [endpointId, leaseUntil],
  });
  return rows[0] ?? null;
}

export type HeldCount = {
  topic: Topic;
  /** Counted up to the maximum. */
  count: number;
  /** They are being sent. */
  isSending: boolean;
};

/** What each topic's endpoint of an account holds; a topic without any may be missing. */
export async function countHeld(db: pg.Pool, accountId: string, max: number): Promise<HeldCount[]> {
  const { rows } = await db.query<HeldCount>({
    name: 'count-held',
    text: `SELECT n.topic, (SELECT count(*)::int FROM (${HELD} LIMIT $2) AS held) AS count,
        EXISTS (SELECT FROM tasks t WHERE t.kind = 'send_held' AND t.subject_id = n.id) AS "isSending"
      FROM endpoints n WHERE n.account_id = $1 AND n.topic IS NOT NULL`,
    values: [accountId, max],
  });
  return rows;
}

/** What endpoint n holds. */
const HELD = `SELECT FROM deliveries d WHERE d.endpoint_id = n.id AND d.status = 'held'`;
