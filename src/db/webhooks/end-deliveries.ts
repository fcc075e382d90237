import type pg from 'pg';
import { claimedUntil } from './endpoints.ts';
import { failedOrAccepted } from './held-or-accepted.ts';

/** When an endpoint was removed; null: it was not. */
export async function findRemovedAt(db: pg.Pool, endpointId: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>('SELECT removed_at AS at FROM endpoints WHERE id = $1', [
    endpointId,
  ]);
  return rows[0]?.at ?? null;
}

/**
 * Gives up what a removed endpoint holds, and what waits for it: of either at most `limit`, in one
 * statement; what was accepted before it was sent again is delivered. `claimed`: also what a worker
 * may be sending at `now`. Returns how many deliveries ended.
 */
export async function endDeliveries(
  db: pg.Pool,
  { endpointId, limit, now, claimed }: { endpointId: string; limit: number; now: Date; claimed: boolean },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `WITH held AS (
        SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'held'
        ORDER BY created_at, event_id LIMIT $2 FOR UPDATE SKIP LOCKED),
      waiting AS (
        SELECT d.id FROM deliveries d LEFT JOIN tasks t ON t.kind = 'deliver_webhook' AND t.subject_id = d.id
        WHERE d.endpoint_id = $1 AND d.status = 'pending' AND ($4 OR t.due_at > $5)
        LIMIT $2 FOR UPDATE OF d SKIP LOCKED),
      ended AS (
        UPDATE deliveries d SET ${failedOrAccepted('$3')}, replay_subject_id = NULL
        FROM (TABLE held UNION ALL TABLE waiting) AS one
        WHERE d.id = one.id RETURNING d.id),
      undone AS (DELETE FROM tasks t USING waiting WHERE t.kind = 'deliver_webhook' AND t.subject_id = waiting.id),
      unsent AS (DELETE FROM tasks WHERE kind IN ('send_held', 'send_replayed') AND subject_id = $1),
      unmarked AS (UPDATE deliveries d SET replay_subject_id = NULL WHERE d.replay_subject_id = $1
        AND NOT EXISTS (SELECT FROM held WHERE held.id = d.id) AND NOT EXISTS (SELECT FROM waiting WHERE waiting.id = d.id))
      SELECT count(*)::int AS count FROM ended`,
    [endpointId, limit, now, claimed, claimedUntil(now)],
  );
  return rows[0]?.count ?? 0;
}
