import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';
import { type DeliveryStatus, TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import type { Task } from '../tasks/tasks.ts';
import { HELD_OR_ACCEPTED } from './held-or-accepted.ts';
import { insertMissing } from './insert-missing.ts';

export type ReplayWish = {
  accountId: string;
  /** What happened at or after it, and before `until`. */
  since: Date;
  until: Date;
  /** e.g. `pix_in.paid`; empty: all. */
  types: readonly string[];
  statuses: readonly DeliveryStatus[];
  /** Only what goes to this endpoint; null: wherever it goes. */
  endpointId: string | null;
  /** Only events newer than this one. */
  afterEventId: string | null;
  /** How many events are searched for those that match, oldest first. */
  scan: number;
  now: Date;
};

/**
 * Marks deliveries to be sent again and writes the tasks that send them. Where `statuses` has
 * `held`, makes those that endpoints without a topic did not get then, because they were disabled
 * or not there. A task is of an endpoint, or of the account for what goes to the transactions' own
 * URLs. One that a worker may have claimed is due again after that claim: what it did not find is
 * then found. `last`: the newest event that was searched. A status is compared as text: by its
 * index all deliveries of this status would be read.
 */
export async function askReplay(
  db: pg.PoolClient,
  wish: ReplayWish,
): Promise<{ count: number; scanned: number; last: string | null }> {
  const { accountId, since, until, types, statuses, endpointId, afterEventId, scan, now } = wish;
  const looked = [accountId, firstUuidAt(since), afterEventId, since, until, scan, types, endpointId];
  // What was never sent to an endpoint counts as held.
  if (statuses.includes('held')) {
    const events = `SELECT * FROM (${LOOKED}) AS looked WHERE $7::text[] = '{}' OR type = ANY ($7::text[])`;
    await insertMissing(db, { name: 'insert-missing-of-replay', events, endpoint: '$8' }, looked);
  }
  const { rows } = await db.query<{ count: number; scanned: number; last: string | null }>({
    name: 'ask-replay',
    text: `WITH looked AS MATERIALIZED (${LOOKED}),
      asked AS (
        SELECT d.id FROM looked e JOIN deliveries d ON d.event_id = e.id LEFT JOIN endpoints n ON n.id = d.endpoint_id
        WHERE e.type <> '${TEST_EVENT_TYPE}' AND ($7::text[] = '{}' OR e.type = ANY ($7::text[]))
          AND ($8::uuid IS NULL OR d.endpoint_id = $8)
          AND d.status::text = ANY ($9::text[]) AND n.disabled_at IS NULL FOR UPDATE OF d SKIP LOCKED),
      marked AS (
        UPDATE deliveries d SET replay_subject_id = coalesce(d.endpoint_id, $1) FROM asked WHERE d.id = asked.id
        RETURNING d.replay_subject_id),
      task AS (
        INSERT INTO tasks (kind, subject_id, due_at)
        SELECT DISTINCT 'send_replayed', replay_subject_id, $10::timestamptz FROM marked
        ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = tasks.due_at + interval '1 millisecond'
        WHERE tasks.due_at > EXCLUDED.due_at)
      SELECT (SELECT count(*)::int FROM marked) AS count, (SELECT count(*)::int FROM looked) AS scanned,
        (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last`,
    values: [...looked, statuses, now],
  });
  return rows[0] ?? { count: 0, scanned: 0, last: null };
}

/** The events of account $1 that one call searches: after $3, from $4 (with the id $2) to $5. */
const LOOKED = `SELECT id, type, created_at FROM events
        WHERE account_id = $1 AND id >= $2 AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
          AND created_at >= $4 AND created_at < $5 ORDER BY id LIMIT $6`;

/**
 * Whether a task sends again to an endpoint, and not to the own URLs of an account's transactions.
 */
export async function isOfEndpoint(db: pg.Pool, subjectId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('SELECT EXISTS (SELECT FROM endpoints WHERE id = $1) AS found', [
    subjectId,
  ]);
  return rows[0]?.found ?? false;
}

/**
 * Takes the oldest delivery that a task sends again, with a task of its own as if a worker had
 * claimed it until `leaseUntil`: should the caller die, it is delivered then. One that is due until
 * then by itself, because it was sent again meanwhile, may be on its way and is left out. Null:
 * there is none, or its endpoint takes nothing.
 */
export async function takeOldestReplayed(db: pg.Pool, subjectId: string, leaseUntil: Date): Promise<Task | null> {
  const { rows } = await db.query<Task>({
    name: 'take-oldest-replayed',
    text: `WITH oldest AS (
        SELECT d.id FROM deliveries d LEFT JOIN endpoints n ON n.id = d.endpoint_id
        WHERE d.replay_subject_id = $1 AND n.disabled_at IS NULL
          AND NOT (d.status = 'pending' AND EXISTS (
            SELECT FROM tasks t WHERE t.kind = 'deliver_webhook' AND t.subject_id = d.id AND t.due_at <= $2))
        ORDER BY d.created_at, d.event_id LIMIT 1 FOR UPDATE OF d SKIP LOCKED),
      taken AS (
        UPDATE deliveries d SET status = 'pending', finished_at = NULL, replay_subject_id = NULL
        FROM oldest WHERE d.id = oldest.id RETURNING d.id)
      INSERT INTO tasks (kind, subject_id, due_at, attempts) SELECT 'deliver_webhook', id, $2, 1 FROM taken
      ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = EXCLUDED.attempts
      RETURNING kind, subject_id AS "subjectId", attempts, due_at AS "leaseUntil"`,
    values: [subjectId, leaseUntil],
  });
  return rows[0] ?? null;
}

/** Marks a delivery again that was taken and not tried; with a lost claim nothing changes. */
export async function putBackReplayed(db: pg.Pool, task: Task, subjectId: string): Promise<void> {
  await db.query({
    name: 'put-back-replayed',
    text: `WITH done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 RETURNING subject_id)
      UPDATE deliveries d SET ${HELD_OR_ACCEPTED}, replay_subject_id = $3 FROM done
      WHERE d.id = done.subject_id AND d.status = 'pending'`,
    values: [task.subjectId, task.leaseUntil, subjectId],
  });
}

/**
 * Sends nothing more of what a task was to send again. `onlyLeftOut`: only what it has left out,
 * since its endpoint takes nothing by now or it is on its way; the rest may have been asked for
 * again in the meantime.
 */
export async function endReplay(
  db: pg.Pool,
  subjectId: string,
  { onlyLeftOut }: { onlyLeftOut: boolean },
): Promise<void> {
  await db.query({
    name: 'end-replay',
    text: `UPDATE deliveries SET replay_subject_id = NULL WHERE replay_subject_id = $1
        AND (NOT $2 OR status = 'pending'
          OR EXISTS (SELECT FROM endpoints n WHERE n.id = $1 AND n.disabled_at IS NOT NULL))`,
    values: [subjectId, onlyLeftOut],
  });
}
