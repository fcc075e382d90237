import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';

/**
 * Deletes at most `limit` events that happened before an instant, with their deliveries and the
 * attempts; returns how many events. One that still has to be delivered stays, however old it is.
 * What another statement has locked is left for the next time, so that neither waits.
 */
export async function deleteOldEvents(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `WITH old AS MATERIALIZED (
        SELECT id FROM events e WHERE id < $1
          AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.status IN ('pending', 'held'))
        ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED),
      sent AS (
        DELETE FROM deliveries d USING old WHERE d.event_id = old.id),
      tried AS (
        DELETE FROM attempts a USING deliveries d, old WHERE a.delivery_id = d.id AND d.event_id = old.id)
      DELETE FROM events e USING old WHERE e.id = old.id`,
    [firstUuidAt(before), limit],
  );
  return rowCount ?? 0;
}
