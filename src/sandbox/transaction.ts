import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one database transaction: commits what it did, or nothing when it throws. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  try {
    await db.query('BEGIN');
    const result = await work(db);
    await db.query('COMMIT');
    db.release();
    return result;
  } catch (error) {
    // A connection that can't even roll back is thrown away instead of going back to the pool in the middle of work.
    await db.query('ROLLBACK').then(
      () => db.release(),
      (broken: Error) => db.release(broken),
    );
    throw error;
  }
}
