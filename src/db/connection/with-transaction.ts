import type pg from 'pg';

/**
 * Runs statements that belong together in one transaction: commits what `work` did, or nothing when
 * it throws. Not for money: see ledger.ts.
 */
export async function withTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that is cut fails its query and emits an event, which ends the process when it has
  // no listener; the pool listens to idle connections only.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    release(client);
    return result;
  } catch (error) {
    // A connection that can't even roll back is closed instead of going back to the pool inside a
    // transaction.
    await client.query('ROLLBACK').then(
      () => release(client),
      (broken: Error) => release(client, broken),
    );
    throw error;
  }
}

function ignore(): void {}

/** A broken connection keeps its listener: its event may still be to come. */
function release(client: pg.PoolClient, broken?: Error): void {
  if (!broken) client.off('error', ignore);
  client.release(broken);
}
