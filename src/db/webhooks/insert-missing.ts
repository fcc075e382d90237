import type pg from 'pg';
import { TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';

/**
 * Makes the deliveries that some events do not have yet: to the account's endpoints without a topic
 * as they are now, which were disabled or not there when it happened. They are held until the same
 * transaction sends them. An event without any delivery is not reported, and gets none. `events` is
 * SQL for the events (id, type, created_at) of account $1; `endpoint` is the parameter that names
 * the only endpoint they go to, or is null.
 */
export async function insertMissing(
  client: pg.PoolClient,
  { name, events, endpoint }: { name: string; events: string; endpoint: string },
  values: readonly unknown[],
): Promise<void> {
  await client.query({
    name,
    text: `INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
      SELECT gen_random_uuid(), e.id, n.id, n.url, 'held', e.created_at
      FROM (${events}) AS e JOIN endpoints n ON n.account_id = $1 AND n.topic IS NULL AND n.removed_at IS NULL
        AND n.disabled_at IS NULL AND (n.event_types = '{}' OR e.type = ANY (n.event_types))
      WHERE e.type <> '${TEST_EVENT_TYPE}' AND (${endpoint}::uuid IS NULL OR n.id = ${endpoint})
        AND EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)
      ON CONFLICT (event_id, endpoint_id) DO NOTHING`,
    values: [...values],
  });
}
