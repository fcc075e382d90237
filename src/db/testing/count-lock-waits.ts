import type pg from 'pg';

/** How many sessions of this database wait for another's lock. */
export async function countLockWaits(db: pg.Pool): Promise<number> {
  const { rows } = await db.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}
