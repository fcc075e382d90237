import type pg from 'pg';
import type { DeliveryStatus } from '#domain/webhooks/events.ts';
import type { Task } from '../tasks/tasks.ts';
import { HELD_OR_ACCEPTED } from './held-or-accepted.ts';
import { SIGNING_SECRETS, type WebhookSecrets } from './webhook-secrets.ts';

export type DeliveryRow = {
  id: string;
  eventId: string;
  endpointId: string | null;
  accountId: string;
  /** Where it goes: where its endpoint is now, or the transaction's own callback URL. */
  url: string;
  /** Its endpoint was disabled or taken away: it goes nowhere. */
  endpointOff: boolean;
  /** Its endpoint, one without a topic, was removed for good. */
  endpointRemoved: boolean;
  status: DeliveryStatus;
  /** e.g. `pix_in.paid` */
  type: string;
  /** Sealed. */
  body: string;
  livemode: boolean;
  /** Sealed, as webhook-secrets.ts has them: of its endpoint, or of the account. */
  secrets: WebhookSecrets;
};

type Row = Omit<DeliveryRow, 'secrets'> & WebhookSecrets;

export async function findDelivery(db: pg.Pool, id: string): Promise<DeliveryRow | null> {
  const { rows } = await db.query<Row>({
    name: 'find-delivery',
    text: `SELECT d.id, d.event_id AS "eventId", d.endpoint_id AS "endpointId", e.account_id AS "accountId",
        coalesce(nullif(n.url, ''), d.url) AS url, n.disabled_at IS NOT NULL AS "endpointOff",
        n.removed_at IS NOT NULL AS "endpointRemoved", d.status, e.type, e.body, a.mode = 'live' AS livemode, ${SIGNING_SECRETS}
      FROM deliveries d JOIN events e ON e.id = d.event_id JOIN accounts a ON a.id = e.account_id
        LEFT JOIN endpoints n ON n.id = d.endpoint_id
      WHERE d.id = $1`,
    values: [id],
  });
  const [row] = rows;
  if (!row) return null;
  const { current, previous, until, secretOf, ...delivery } = row;
  return { ...delivery, secrets: { current, previous, until, secretOf } };
}

export type AttemptRecord = {
  /** Where it went: the delivery notes it. */
  url: string;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
};

/**
 * Records one attempt and what follows from it, in one commit: done (`delivered` or `failed`),
 * `held` until the merchant sends it, or due again at `retryAt`. With a lost claim the attempt is
 * recorded all the same, and the task is left to its new owner.
 */
export async function recordAttempt(
  db: pg.Pool,
  task: Task,
  attempt: AttemptRecord,
  result: { status: 'delivered' | 'failed' | 'held' } | { retryAt: Date },
): Promise<void> {
  const finished = 'status' in result ? result.status : null;
  await db.query({
    name: 'record-attempt',
    text: `WITH attempt AS (
        INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
        SELECT $1, count(*) + 1, $3, $4, $5, $6, $7 FROM attempts WHERE delivery_id = $1),
      delivery AS (
        UPDATE deliveries SET url = $10, status = coalesce($8::delivery_status, status),
          finished_at = CASE WHEN $8::delivery_status <> 'held' THEN $3 + make_interval(secs => $4 / 1000.0) END
        WHERE id = $1 AND ($8::delivery_status IS NOT NULL OR url <> $10) AND status = 'pending' AND $8::delivery_status IS DISTINCT FROM 'held'),
      held AS (
        UPDATE deliveries d SET url = $10, ${HELD_OR_ACCEPTED} WHERE id = $1 AND $8::delivery_status = 'held' AND status = 'pending'),
      done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 AND $8::delivery_status IS NOT NULL),
      called AS (
        UPDATE endpoints n SET called_at = $3 FROM deliveries d
        WHERE d.id = $1 AND n.id = d.endpoint_id AND n.url = $10 AND n.called_at IS NULL)
      UPDATE tasks SET due_at = $9, last_error = NULL
      WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 AND $9::timestamptz IS NOT NULL`,
    values: [
      task.subjectId,
      task.leaseUntil,
      attempt.startedAt,
      attempt.durationMs,
      attempt.statusCode,
      attempt.error,
      attempt.responseBody,
      finished,
      'retryAt' in result ? result.retryAt : null,
      attempt.url,
    ],
  });
}

export async function findDeliveryStatus(db: pg.Pool, id: string): Promise<DeliveryStatus | null> {
  const { rows } = await db.query<{ status: DeliveryStatus }>('SELECT status FROM deliveries WHERE id = $1', [id]);
  return rows[0]?.status ?? null;
}

/** Gives a delivery up whose endpoint is no more; with a lost claim nothing changes. */
export async function giveUpDelivery(db: pg.Pool, task: Task, now: Date): Promise<void> {
  await db.query({
    name: 'give-up-delivery',
    text: `WITH done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 RETURNING subject_id)
      UPDATE deliveries d SET status = 'failed', finished_at = $3 FROM done
      WHERE d.id = done.subject_id AND d.status = 'pending'`,
    values: [task.subjectId, task.leaseUntil, now],
  });
}

/**
 * Makes no further attempt until the merchant sends it: its endpoint takes nothing. One that was
 * accepted before it was sent again is delivered. With a lost claim nothing changes.
 */
export async function holdDelivery(db: pg.Pool, task: Task): Promise<void> {
  await db.query({
    name: 'hold-delivery',
    text: `WITH done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 RETURNING subject_id)
      UPDATE deliveries d SET ${HELD_OR_ACCEPTED} FROM done WHERE d.id = done.subject_id AND d.status = 'pending'`,
    values: [task.subjectId, task.leaseUntil],
  });
}
