import type pg from 'pg';
import type { DeliveryStatus } from '#domain/webhooks/events.ts';
import { batchArrays, batched, firstOfBatch, inOrderOf } from '../connection/batched.ts';
import type { Task } from '../tasks/tasks.ts';
import { failedOrAccepted, HELD_OR_ACCEPTED } from './held-or-accepted.ts';
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

/** A delivery by its id, or null. */
export const findDelivery = batched<string, DeliveryRow | null>(async (db, ids) => {
  const { rows } = await db.query<Row>({
    name: 'find-deliveries',
    // Planned as for one, as in find-charges.
    text: `SELECT delivery.* FROM unnest(${batchArrays('uuid')}) AS asked (id) CROSS JOIN LATERAL (
      SELECT d.id, d.event_id AS "eventId", d.endpoint_id AS "endpointId", e.account_id AS "accountId",
        coalesce(nullif(n.url, ''), d.url) AS url, n.disabled_at IS NOT NULL AS "endpointOff",
        n.removed_at IS NOT NULL AS "endpointRemoved", d.status, e.type, e.body, a.mode = 'live' AS livemode, ${SIGNING_SECRETS}
      FROM deliveries d JOIN events e ON e.id = d.event_id JOIN accounts a ON a.id = e.account_id
        LEFT JOIN endpoints n ON n.id = d.endpoint_id
      WHERE d.id = asked.id OFFSET 0) AS delivery`,
    values: [ids],
  });
  return inOrderOf(ids, rows.map(toDelivery));
});

const toDelivery = ({ current, previous, until, secretOf, ...delivery }: Row): DeliveryRow => ({
  ...delivery,
  secrets: { current, previous, until, secretOf },
});

export type AttemptRecord = {
  /** Where it went: the delivery notes it. */
  url: string;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
};

/** An attempt of a claimed delivery, and what follows from it. */
type Tried = {
  task: Task;
  attempt: AttemptRecord;
  result: { status: 'delivered' | 'failed' | 'held' } | { retryAt: Date };
};

/**
 * Records one attempt and what follows from it, in one commit: done (`delivered` or `failed`),
 * `held` until the merchant sends it, or due again at `retryAt`. With a lost claim the attempt is
 * recorded all the same, and the task is left to its new owner.
 */
export const recordAttempt = batched<Tried, void>(async (db, tried) => {
  await db.query({
    name: 'record-attempts',
    // As a text the status is compared row by row: the index of those that are pending has all that
    // were delivered lately, too.
    text: `WITH tried AS (
        SELECT * FROM unnest(${batchArrays('uuid', 'timestamptz', 'timestamptz', 'integer', 'integer', 'text', 'text', 'delivery_status', 'timestamptz', 'text')})
          AS t (id, lease_until, started_at, duration_ms, status_code, error, response_body, status, retry_at, url)),
      attempt AS (
        INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
        SELECT id, (SELECT count(*) + 1 FROM attempts a WHERE a.delivery_id = tried.id), started_at, duration_ms,
          status_code, error, response_body FROM tried),
      delivery AS (
        UPDATE deliveries d SET url = t.url, status = coalesce(t.status, d.status),
          finished_at = CASE WHEN t.status <> 'held' THEN t.started_at + make_interval(secs => t.duration_ms / 1000.0) END
        FROM tried t WHERE d.id = t.id AND d.id = ANY (${firstOfBatch('uuid')}) AND (t.status IS NOT NULL OR d.url <> t.url)
          AND d.status::text = 'pending' AND t.status IS DISTINCT FROM 'held'),
      held AS (
        UPDATE deliveries d SET url = t.url, ${HELD_OR_ACCEPTED}
        FROM tried t WHERE d.id = t.id AND d.id = ANY (${firstOfBatch('uuid')}) AND t.status = 'held' AND d.status::text = 'pending'),
      done AS (
        DELETE FROM tasks k USING tried t WHERE k.kind = 'deliver_webhook' AND k.subject_id = ANY (${firstOfBatch('uuid')})
          AND k.subject_id = t.id AND k.due_at = t.lease_until AND t.status IS NOT NULL),
      called AS (
        UPDATE endpoints n SET called_at = t.started_at FROM deliveries d JOIN tried t ON t.id = d.id
        WHERE d.id = ANY (${firstOfBatch('uuid')}) AND n.id = d.endpoint_id AND n.url = t.url AND n.called_at IS NULL)
      UPDATE tasks k SET due_at = t.retry_at, last_error = NULL FROM tried t
      WHERE k.kind = 'deliver_webhook' AND k.subject_id = ANY (${firstOfBatch('uuid')}) AND k.subject_id = t.id
        AND k.due_at = t.lease_until AND t.retry_at IS NOT NULL`,
    values: [
      tried.map(({ task }) => task.subjectId),
      tried.map(({ task }) => task.leaseUntil),
      tried.map(({ attempt }) => attempt.startedAt),
      tried.map(({ attempt }) => attempt.durationMs),
      tried.map(({ attempt }) => attempt.statusCode),
      tried.map(({ attempt }) => attempt.error),
      tried.map(({ attempt }) => attempt.responseBody),
      tried.map(({ result }) => ('status' in result ? result.status : null)),
      tried.map(({ result }) => ('retryAt' in result ? result.retryAt : null)),
      tried.map(({ attempt }) => attempt.url),
    ],
  });
  return [];
});

export async function findDeliveryStatus(db: pg.Pool, id: string): Promise<DeliveryStatus | null> {
  const { rows } = await db.query<{ status: DeliveryStatus }>('SELECT status FROM deliveries WHERE id = $1', [id]);
  return rows[0]?.status ?? null;
}

/**
 * Gives a delivery up whose endpoint is no more, unless it was accepted before it was sent again;
 * with a lost claim nothing changes.
 */
export async function giveUpDelivery(db: pg.Pool, task: Task, now: Date): Promise<void> {
  await db.query({
    name: 'give-up-delivery',
    text: `WITH done AS (
        DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 AND due_at = $2 RETURNING subject_id)
      UPDATE deliveries d SET ${failedOrAccepted('$3')} FROM done
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
