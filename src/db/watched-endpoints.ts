import type pg from 'pg';

export type WatchedEndpoint = {
  merchantId: string;
  mode: 'live' | 'test';
  topic: string;
  url: string;
  disabled: boolean;
  /** Since `since` nothing got through, and something waits or was given up. */
  failing: boolean;
};

/** An endpoint and whether it fails; null when there is no such endpoint. */
export async function findWatchedEndpoint(db: pg.Pool, id: string, since: Date): Promise<WatchedEndpoint | null> {
  const { rows } = await db.query<WatchedEndpoint>(
    `SELECT a.merchant_id AS "merchantId", a.mode, n.topic, n.url, n.disabled_at IS NOT NULL AS disabled,
        EXISTS (SELECT FROM deliveries d JOIN attempts t ON t.delivery_id = d.id
          WHERE d.endpoint_id = n.id AND d.url = n.url AND d.status IN ('pending', 'failed') AND t.started_at >= $2)
        AND NOT EXISTS (SELECT FROM deliveries d
          WHERE d.endpoint_id = n.id AND d.url = n.url AND d.status = 'delivered' AND d.finished_at >= $2) AS failing
      FROM endpoints n JOIN accounts a ON a.id = n.account_id WHERE n.id = $1`,
    [id, since],
  );
  return rows[0] ?? null;
}

/** Has an endpoint looked at later, once: while it is watched nothing changes. Not one that is disabled, or of play money. */
export async function watchEndpoint(db: pg.Pool, id: string, dueAt: Date): Promise<void> {
  await db.query({
    name: 'watch-endpoint',
    text: `INSERT INTO tasks (kind, subject_id, due_at)
      SELECT 'watch_endpoint', n.id, $2 FROM endpoints n JOIN accounts a ON a.id = n.account_id
      WHERE n.id = $1 AND n.disabled_at IS NULL AND a.mode = 'live'
      ON CONFLICT (kind, subject_id) DO NOTHING`,
    values: [id, dueAt],
  });
}

/** Has an endpoint that was just disabled looked at now. */
export async function watchDisabledEndpoint(db: pg.Pool, id: string, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO tasks (kind, subject_id, due_at)
     SELECT 'watch_endpoint', n.id, $2 FROM endpoints n JOIN accounts a ON a.id = n.account_id
     WHERE n.id = $1 AND n.disabled_at = $2 AND a.mode = 'live'
     ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at`,
    [id, now],
  );
}
