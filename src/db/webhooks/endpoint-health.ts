import type pg from 'pg';
import { isFailedAttempt } from './is-failed-attempt.ts';

export type EndpointHealth = {
  merchantId: string;
  accountId: string;
  url: string;
  /** Null: it is not. */
  disabledAt: Date | null;
  /** The merchant disabled it themselves, and needs no notification of that. */
  disabledByMerchant: boolean;
  /** Since when each attempt has failed, as the check before this one found. */
  failingSince: Date | null;
  /**
   * The delivery that waits longest after an attempt that failed; null where none does, and where
   * something got through since `since`.
   */
  failingId: string | null;
};

/** An endpoint and whether it fails; null when there is no such endpoint. */
export async function findEndpointHealth(db: pg.Pool, id: string, since: Date): Promise<EndpointHealth | null> {
  const { rows } = await db.query<EndpointHealth>(
    `SELECT a.merchant_id AS "merchantId", a.id AS "accountId", n.url, n.disabled_at AS "disabledAt", n.disabled_by_merchant AS "disabledByMerchant", n.failing_since AS "failingSince",
        (SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id = n.id
          AND EXISTS (SELECT FROM attempts t WHERE t.delivery_id = d.id AND ${isFailedAttempt('t')})
          AND NOT EXISTS (SELECT FROM deliveries o
            WHERE o.status = 'delivered' AND o.endpoint_id = n.id AND o.finished_at >= $2)
          ORDER BY d.created_at, d.id LIMIT 1) AS "failingId"
      FROM endpoints n JOIN accounts a ON a.id = n.account_id WHERE n.id = $1`,
    [id, since],
  );
  return rows[0] ?? null;
}

/**
 * Schedules an endpoint's health check for this time, unless an earlier one is scheduled. Not for a
 * disabled endpoint or a test account's: there is no notification of those. `url`: only while the
 * endpoint has this one; null: whichever it has.
 */
export async function scheduleHealthCheck(
  db: pg.Pool,
  { id, url, dueAt }: { id: string; url: string | null; dueAt: Date },
): Promise<void> {
  await db.query({
    name: 'schedule-health-check',
    text: `INSERT INTO tasks (kind, subject_id, due_at)
      SELECT 'check_endpoint_health', n.id, $2 FROM endpoints n JOIN accounts a ON a.id = n.account_id
      WHERE n.id = $1 AND n.disabled_at IS NULL AND a.mode = 'live' AND ($3::text IS NULL OR n.url = $3)
      ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at WHERE tasks.due_at > excluded.due_at`,
    values: [id, dueAt, url],
  });
}

/**
 * Notes that nothing has got through to an endpoint since then, where no check before has found it
 * failing. Not since the first attempt that failed, which may be from before it was enabled again.
 */
export async function noteFailing(db: pg.Pool, { id, since }: { id: string; since: Date }): Promise<void> {
  await db.query(
    'UPDATE endpoints SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL AND disabled_at IS NULL',
    [id, since],
  );
}

/** Notes that events arrive at an endpoint, or that none waits for it. */
export async function noteWorking(db: pg.Pool, id: string): Promise<void> {
  await db.query(
    'UPDATE endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL AND disabled_at IS NULL',
    [id],
  );
}
