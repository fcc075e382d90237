import type pg from 'pg';
import type { Prisma } from '#prisma';

export const TASK_KINDS = [
  'process_callback',
  'sync_charge',
  'deliver_webhook',
  'payout',
  'sync_invoice',
  'refund',
  'send_mail',
  'sign_up',
  'invite_member',
  'notify_kyc_decision',
  'notify_withdrawal_failed',
  'check_endpoint_health',
  'send_held',
  'send_replayed',
  'end_deliveries',
  'return_payment',
  'dispute_reminder',
  'notify_dispute',
  'send_dispute_answer',
  'sweep',
  'reconcile_day',
  'notify_approval',
  'expire_approval',
  'apply_terms',
  'scheduled_payout',
  'payout_batch',
  'notify_batch',
  'notice_digest',
  'check_limits',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/**
 * A dead worker's tasks become due again after this; longer than a task may take that does not
 * extend its claim. A task that is due later than this is not claimed.
 */
export const LEASE_MS = 30_000;

/**
 * A claimed task. `leaseUntil` is the proof of the claim: a worker that has lost it changes
 * nothing. `attempts` counts this claim.
 */
export type Task = { kind: TaskKind; subjectId: string; attempts: number; leaseUntil: Date };

/**
 * Schedules a task; where one of this kind and subject waits already, nothing changes. One that a
 * worker has claimed runs again at `dueAt`: it may have read before what this one is for.
 */
export async function scheduleTask(
  db: pg.Pool,
  task: { kind: TaskKind; subjectId: string; dueAt: Date },
): Promise<void> {
  await db.query(
    // Looked for first: the conflict alone would lock one that waits, which is a write.
    `INSERT INTO tasks (kind, subject_id, due_at)
     SELECT $1, $2::uuid, $3::timestamptz
     WHERE NOT EXISTS (SELECT FROM tasks WHERE kind = $1 AND subject_id = $2 AND attempts = 0)
     ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0 WHERE tasks.attempts > 0`,
    [task.kind, task.subjectId, task.dueAt],
  );
}

/**
 * Writes a task as a part of a Prisma transaction that makes it necessary. One that is there still,
 * of a worker that has ended its work and has not removed it yet, is due again: it is removed only
 * where it is claimed.
 */
export async function insertTask(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  { kind, subjectId, dueAt }: { kind: TaskKind; subjectId: string; dueAt: Date },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO tasks (kind, subject_id, due_at) VALUES (${kind}, ${subjectId}::uuid, ${dueAt}::timestamptz)
    ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0`;
}

/** When the next task of a kind is due, if that is not after `until`. */
export async function findNextDue(db: pg.Pool, kind: TaskKind, until: Date): Promise<Date | null> {
  const { rows } = await db.query<{ dueAt: Date | null }>(
    'SELECT min(due_at) AS "dueAt" FROM tasks WHERE kind = $1 AND due_at <= $2',
    [kind, until],
  );
  return rows[0]?.dueAt ?? null;
}

/**
 * Claims due tasks for `leaseMs`, but for those that go by a test clock: their due time moves
 * forward, so that those of a worker that died come due again by themselves, and no other worker
 * sees them until then.
 */
export async function claimTasks(db: pg.Pool, claim: { now: Date; leaseMs: number; limit: number }): Promise<Task[]> {
  const { rows } = await db.query<Task>({
    name: 'claim-tasks',
    text: `WITH due AS (
        SELECT kind, subject_id FROM tasks WHERE clock_id IS NULL AND due_at <= $1
        ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      UPDATE tasks t SET due_at = $2, attempts = t.attempts + 1 FROM due
      WHERE t.kind = due.kind AND t.subject_id = due.subject_id
      RETURNING t.kind, t.subject_id AS "subjectId", t.attempts, t.due_at AS "leaseUntil"`,
    values: [claim.now, new Date(claim.now.getTime() + claim.leaseMs), claim.limit],
  });
  return rows;
}

/**
 * Brings tasks forward that are due later, those of the newest subjects first: the first of them is
 * due `everyMs` from now, the next after as long again. Leaves out those that a worker may have
 * claimed, and those that are due sooner by themselves. Returns how many were brought forward.
 */
export async function expediteTasks(
  db: pg.Pool,
  order: { kinds: readonly TaskKind[]; now: Date; everyMs: number; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `WITH newest AS (
        SELECT kind, subject_id FROM tasks
        WHERE kind = ANY ($1) AND due_at > $2 AND (attempts = 0 OR due_at > $3)
        ORDER BY subject_id DESC LIMIT $5 FOR UPDATE SKIP LOCKED),
      planned AS (
        SELECT *, $2::timestamptz + row_number() OVER (ORDER BY subject_id DESC) * $4 * interval '1 millisecond' AS due_at
        FROM newest)
      UPDATE tasks t SET due_at = planned.due_at FROM planned
      WHERE t.kind = planned.kind AND t.subject_id = planned.subject_id AND t.due_at > planned.due_at`,
    [order.kinds, order.now, new Date(order.now.getTime() + LEASE_MS), order.everyMs, order.limit],
  );
  return rowCount ?? 0;
}

/**
 * Claims a task again from `now` on, between two parts of its work, and notes it in `task`: the
 * lease is long enough for one part. False when another worker has claimed it since.
 */
export async function extendLease(db: pg.Pool, task: Task, now: Date): Promise<boolean> {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const { rowCount } = await db.query({
    name: 'extend-lease',
    text: 'UPDATE tasks SET due_at = $4 WHERE kind = $1 AND subject_id = $2 AND due_at = $3',
    values: [task.kind, task.subjectId, task.leaseUntil, leaseUntil],
  });
  if (rowCount !== 1) return false;
  task.leaseUntil = leaseUntil;
  return true;
}

/** Removes a task that is done, if the claim still holds. */
export async function finishTask(db: pg.Pool, task: Task): Promise<void> {
  await db.query({
    name: 'finish-task',
    text: 'DELETE FROM tasks WHERE kind = $1 AND subject_id = $2 AND due_at = $3',
    values: [task.kind, task.subjectId, task.leaseUntil],
  });
}

/**
 * What a run that did not fail leaves of the attempts: `count` this one as another of them, `keep`
 * those before it, `reset` all, so that the next failure is the first one: of a task that runs for
 * years each failure would else wait as long as the longest.
 */
export type AttemptsAfter = 'count' | 'keep' | 'reset';

/** Sets when a task comes due again, if the claim still holds. */
export async function rescheduleTask(db: pg.Pool, task: Task, dueAt: Date, attempts: AttemptsAfter): Promise<void> {
  await db.query({
    name: 'reschedule-task',
    text: `UPDATE tasks SET due_at = $4, last_error = NULL,
        attempts = CASE $5 WHEN 'count' THEN attempts WHEN 'keep' THEN attempts - 1 ELSE 0 END
      WHERE kind = $1 AND subject_id = $2 AND due_at = $3`,
    values: [task.kind, task.subjectId, task.leaseUntil, dueAt, attempts],
  });
}

/**
 * Gives a claimed task back that was not run, if the claim still holds: it comes due again as one
 * that was not claimed.
 */
export async function postponeTask(db: pg.Pool, task: Task, dueAt: Date): Promise<void> {
  await db.query({
    name: 'postpone-task',
    text: `UPDATE tasks SET due_at = $4, attempts = attempts - 1 WHERE kind = $1 AND subject_id = $2 AND due_at = $3`,
    values: [task.kind, task.subjectId, task.leaseUntil, dueAt],
  });
}

/** Notes why an attempt failed, and when the next one is, if the claim still holds. */
export async function failTask(db: pg.Pool, task: Task, dueAt: Date, error: string): Promise<void> {
  await db.query({
    name: 'fail-task',
    text: 'UPDATE tasks SET due_at = $4, last_error = $5 WHERE kind = $1 AND subject_id = $2 AND due_at = $3',
    values: [task.kind, task.subjectId, task.leaseUntil, dueAt, error],
  });
}

/** How many tasks are due and not claimed, counted up to `max`, and since when the oldest is. */
export async function countDueTasks(
  db: pg.Pool,
  now: Date,
  max: number,
): Promise<{ due: number; oldestDueAt: Date | null }> {
  const { rows } = await db.query<{ due: bigint; oldestDueAt: Date | null }>({
    name: 'count-due-tasks',
    text: `SELECT count(*) AS due, min(due_at) AS "oldestDueAt"
      FROM (SELECT due_at FROM tasks WHERE clock_id IS NULL AND due_at <= $1 ORDER BY due_at LIMIT $2) AS counted`,
    values: [now, max],
  });
  return { due: Number(rows[0]?.due ?? 0), oldestDueAt: rows[0]?.oldestDueAt ?? null };
}

export type QueueState = { kind: string; due: number; scheduled: number; oldestDueAt: Date | null };

/** Depth and age of the queue by kind, for the metrics. */
export async function queueState(db: pg.Pool, now: Date): Promise<QueueState[]> {
  const { rows } = await db.query<{ kind: string; due: bigint; scheduled: bigint; oldestDueAt: Date | null }>(
    `SELECT kind, count(*) FILTER (WHERE due_at <= $1) AS due, count(*) FILTER (WHERE due_at > $1) AS scheduled,
      min(due_at) FILTER (WHERE due_at <= $1) AS "oldestDueAt" FROM tasks GROUP BY kind`,
    [now],
  );
  return rows.map((row) => ({ ...row, due: Number(row.due), scheduled: Number(row.scheduled) }));
}
