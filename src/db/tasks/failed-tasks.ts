import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { LEASE_MS } from './tasks.ts';

export type FailedTask = {
  kind: string;
  subjectId: string;
  attempts: number;
  dueAt: Date;
  lastError: string;
};

/** After every kind. */
const LAST_KIND = '~';

/**
 * Tasks whose last attempt failed, those of the newest subjects first; `before` is the last one of
 * the page before. A task never ends by failing: each of them is tried again by itself.
 */
export async function listFailedTasks(
  db: pg.Pool,
  filter: { kind: string | null; before: Pick<FailedTask, 'kind' | 'subjectId'> | null; limit: number },
): Promise<FailedTask[]> {
  const { kind, before, limit } = filter;
  const { rows } = await db.query<FailedTask>(
    `SELECT kind, subject_id AS "subjectId", attempts, due_at AS "dueAt", last_error AS "lastError" FROM tasks
     WHERE last_error IS NOT NULL AND (subject_id, kind) < ($1::uuid, $2) AND ($3::text IS NULL OR kind = $3)
     ORDER BY subject_id DESC, kind DESC LIMIT $4`,
    [before?.subjectId ?? LAST_UUID, before?.kind ?? LAST_KIND, kind, limit],
  );
  return rows;
}

/**
 * `due`: it is running, or due within LEASE_MS, so that nothing is to be done; its row does not say
 * which of the two. `unknown`: there is no such task that has failed, and no such payout.
 */
export type RunOutcome = 'expedited' | 'due' | 'unknown';

/**
 * Makes a task that failed due now, with the audit in one commit. Of tasks that have not failed
 * only payouts can be made due: they ask their provider. Others, like the end of an approval, rely
 * on being run at their time.
 */
export async function expediteTask(
  db: pg.Pool,
  task: { kind: string; subjectId: string },
  now: Date,
  audit: AuditEntry,
): Promise<RunOutcome> {
  return withTransaction(db, async (client) => {
    const { rows } = await client.query<{ dueAt: Date }>(
      `SELECT due_at AS "dueAt" FROM tasks
       WHERE kind = $1 AND subject_id = $2 AND (last_error IS NOT NULL OR kind = 'payout') FOR UPDATE`,
      [task.kind, task.subjectId],
    );
    const [found] = rows;
    if (!found) return 'unknown';
    if (found.dueAt.getTime() <= now.getTime() + LEASE_MS) return 'due';
    await client.query('UPDATE tasks SET due_at = $3 WHERE kind = $1 AND subject_id = $2', [
      task.kind,
      task.subjectId,
      now,
    ]);
    await insertAuditOn(client, audit);
    return 'expedited';
  });
}
