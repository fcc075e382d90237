import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';
import type { Task } from '../tasks/tasks.ts';

/**
 * Stores a provider's callback and the task that processes it, in one commit: from then on it can't
 * be lost.
 */
export async function insertCallback(
  db: pg.Pool,
  callback: { id: string; rail: string; body: string; now: Date },
): Promise<void> {
  await db.query({
    name: 'insert-callback',
    text: `WITH stored AS (
        INSERT INTO inbound_callbacks (id, rail, body, received_at) VALUES ($1, $2, $3, $4) RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'process_callback', id, $4 FROM stored`,
    values: [callback.id, callback.rail, callback.body, callback.now],
  });
}

export async function findCallback(db: pg.Pool, id: string): Promise<{ rail: string; body: string } | null> {
  const { rows } = await db.query<{ rail: string; body: string }>({
    name: 'find-callback',
    text: 'SELECT rail, body FROM inbound_callbacks WHERE id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * Stores the outcome of a callback and, if the claim still holds, removes the task that processed
 * it.
 */
export async function finishCallback(db: pg.Pool, task: Task, outcome: string, now: Date): Promise<void> {
  await db.query({
    name: 'finish-callback',
    text: `WITH processed AS (UPDATE inbound_callbacks SET processed_at = $3, outcome = $4 WHERE id = $1)
      DELETE FROM tasks WHERE kind = 'process_callback' AND subject_id = $1 AND due_at = $2`,
    values: [task.subjectId, task.leaseUntil, now, outcome],
  });
}

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
