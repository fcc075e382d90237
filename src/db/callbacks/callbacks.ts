import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';
import { batchArrays, batched, firstOfBatch, inOrderOf } from '../connection/batched.ts';
import type { Task } from '../tasks/tasks.ts';

type NewCallback = { id: string; rail: string; body: string; now: Date };

/**
 * Stores a provider's callback and the task that processes it, in one commit: from then on it can't
 * be lost.
 */
export const insertCallback = batched<NewCallback, void>(async (db, callbacks) => {
  await db.query({
    name: 'insert-callbacks',
    text: `WITH stored AS (
        INSERT INTO inbound_callbacks (id, rail, body, received_at)
        SELECT * FROM unnest(${batchArrays('uuid', 'text', 'text', 'timestamptz')}) RETURNING id, received_at)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'process_callback', id, received_at FROM stored`,
    values: [
      callbacks.map(({ id }) => id),
      callbacks.map(({ rail }) => rail),
      callbacks.map(({ body }) => body),
      callbacks.map(({ now }) => now),
    ],
  });
  return [];
});

/** A callback by its id, or null. */
export const findCallback = batched<string, { rail: string; body: string } | null>(async (db, ids) => {
  const { rows } = await db.query<{ id: string; rail: string; body: string }>({
    name: 'find-callbacks',
    // Planned as for one, as in find-charges.
    text: `SELECT callback.* FROM unnest(${batchArrays('uuid')}) AS asked (id) CROSS JOIN LATERAL (
      SELECT c.id, c.rail, c.body FROM inbound_callbacks c WHERE c.id = asked.id OFFSET 0) AS callback`,
    values: [ids],
  });
  return inOrderOf(ids, rows);
});

/**
 * Stores the outcome of a callback and, if the claim still holds, removes the task that processed
 * it.
 */
export const finishCallback = batched<{ task: Task; outcome: string; now: Date }, void>(async (db, done) => {
  await db.query({
    name: 'finish-callbacks',
    text: `WITH done AS (
        SELECT * FROM unnest(${batchArrays('uuid', 'timestamptz', 'timestamptz', 'text')})
          AS t (id, lease_until, processed_at, outcome)),
      processed AS (
        UPDATE inbound_callbacks c SET processed_at = done.processed_at, outcome = done.outcome
        FROM done WHERE c.id = done.id AND c.id = ANY (${firstOfBatch('uuid')}))
      DELETE FROM tasks t USING done WHERE t.kind = 'process_callback' AND t.subject_id = ANY (${firstOfBatch('uuid')})
        AND t.subject_id = done.id AND t.due_at = done.lease_until`,
    values: [
      done.map(({ task }) => task.subjectId),
      done.map(({ task }) => task.leaseUntil),
      done.map(({ now }) => now),
      done.map(({ outcome }) => outcome),
    ],
  });
  return [];
});

/** Deletes at most `limit` processed callbacks that came before an instant; returns how many. */
export async function deleteOldCallbacks(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM inbound_callbacks WHERE id IN (
      SELECT id FROM inbound_callbacks WHERE id < $1 AND processed_at IS NOT NULL
      ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [firstUuidAt(before), limit],
  );
  return rowCount ?? 0;
}
