import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one database transaction: commits what it did, or nothing when it throws. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  // A connection that is cut fails its query; it says so by an event too, which ends the process when nobody listens, and
  // the pool listens to idle connections only.
  db.on('error', ignore);
  try {
    await db.query('BEGIN');
    const result = await work(db);
    await db.query('COMMIT');
    release(db);
    return result;
  } catch (error) {
    // A connection that can't even roll back is thrown away instead of going back to the pool in the middle of work.
    await db.query('ROLLBACK').then(
      () => release(db),
      (broken: Error) => release(db, broken),
    );
    throw error;
  }
}

function ignore(): void {}

/** A broken connection keeps its listener: its event may still be to come. */
function release(db: PoolClient, broken?: Error): void {
  if (!broken) db.off('error', ignore);
  db.release(broken);
}
