import type pg from 'pg';
import type { Task } from './tasks.ts';

export type DeliveryRow = {
  id: string;
  eventId: string;
  endpointId: string | null;
  accountId: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  body: string;
  livemode: boolean;
  /** Sealed. */
  webhookSecret: string;
};

export async function findDelivery(db: pg.Pool, id: string): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find-delivery',
    text: `SELECT d.id, d.event_id AS "eventId", d.endpoint_id AS "endpointId", e.account_id AS "accountId", d.url, d.status, e.body,
        a.mode = 'live' AS livemode, a.webhook_secret AS "webhookSecret"
      FROM deliveries d JOIN events e ON e.id = d.event_id JOIN accounts a ON a.id = e.account_id WHERE d.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export type AttemptRecord = {
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
};

/**
 * Records one attempt and what follows from it, in one commit: done (`delivered` or `failed`), or due again at `retryAt`.
 * With a lost claim the attempt is recorded all the same, and the task is left to its new owner.
 */
export async function recordAttempt(
  db: pg.Pool,
  task: Task,
  attempt: AttemptRecord,
  result: { status: 'delivered' | 'failed' } | { retryAt: Date },
): Promise<void> {
  const finished = 'status' in result ? result.status : null;
  await db.query({
    name: 'record-attempt',
    text: `WITH attempt AS (
        INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code, error, answer)
        SELECT $1, count(*) + 1, $3, $4, $5, $6, $7 FROM attempts WHERE delivery_id = $1),
      delivery AS (
        UPDATE deliveries SET status = $8::delivery_status, finished_at = $3 + make_interval(secs => $4 / 1000.0)
        WHERE id = $1 AND $8::delivery_status IS NOT NULL AND status = 'pending'),
      done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 AND $8::delivery_status IS NOT NULL)
      UPDATE tasks SET due_at = $9
      WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 AND $9::timestamptz IS NOT NULL`,
    values: [
      task.subjectId,
      task.leaseUntil,
      attempt.startedAt,
      attempt.durationMs,
      attempt.statusCode,
      attempt.error,
      attempt.answer,
      finished,
      'retryAt' in result ? result.retryAt : null,
    ],
  });
}

/** The receiver said 410 Gone: nothing more is sent there until the merchant sets the URL anew. */
export async function disableEndpoint(db: pg.Pool, endpointId: string, now: Date): Promise<void> {
  await db.query('UPDATE endpoints SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL', [endpointId, now]);
}
