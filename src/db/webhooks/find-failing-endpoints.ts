import type pg from 'pg';
import { type DisabledReason, disabledReason } from '#domain/webhooks/disabled-reason.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { isFailedAttempt } from './is-failed-attempt.ts';

export type FailingEndpoint = {
  endpointId: string;
  /** Null: it has none. */
  topic: Topic | null;
  url: string;
  /**
   * The first attempt that failed of what waits longest; for a disabled one, when it was disabled.
   */
  failingSince: Date;
  /** Events that wait for their next attempt. */
  waiting: number;
  /** Why nothing is sent there until the merchant says so; null: it is sent. */
  disabledReason: DisabledReason | null;
};

/**
 * The endpoints of an account that have an event waiting after an attempt that failed, and those
 * that a 410, or days of failing, disabled. What waits is found by its status: it is little,
 * however long the history.
 */
export async function findFailingEndpoints(db: pg.Pool, accountId: string): Promise<FailingEndpoint[]> {
  const { rows } = await db.query<Found>({
    name: 'find-failing-endpoints',
    text: `SELECT n.id AS "endpointId", n.topic, n.url, coalesce(n.disabled_at, oldest.failed_at) AS "failingSince",
        waiting.count AS waiting, n.disabled_at AS "disabledAt", n.failing_since AS "foundFailingSince"
      FROM endpoints n
        CROSS JOIN LATERAL (
          SELECT count(*)::int AS count FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id = n.id) AS waiting
        LEFT JOIN LATERAL (
          SELECT a.started_at AS failed_at FROM deliveries d JOIN attempts a ON a.delivery_id = d.id
          WHERE d.status = 'pending' AND d.endpoint_id = n.id AND ${isFailedAttempt('a')}
          ORDER BY d.created_at, a.number LIMIT 1) AS oldest ON true
      WHERE n.account_id = $1 AND n.url <> '' AND NOT n.disabled_by_merchant AND (n.disabled_at IS NOT NULL OR oldest.failed_at IS NOT NULL)
      ORDER BY n.topic, n.created_at`,
    values: [accountId],
  });
  return rows.map(({ disabledAt, foundFailingSince: failingSince, ...row }) => ({
    ...row,
    disabledReason: disabledReason({ disabledAt, disabledByMerchant: false, failingSince }),
  }));
}

type Found = Omit<FailingEndpoint, 'disabledReason'> & { disabledAt: Date | null; foundFailingSince: Date | null };
