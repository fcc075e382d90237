import pg from 'pg';

/** Money columns are bigint: a JavaScript number would round above 2^53. Everything else as `pg` has it. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format)) as never,
};

/** A hot row gets slower with more connections, not faster (2,400 postings/s with 8, 850 with 100). */
export const POOL_CONNECTIONS_DEFAULT = 10;

/** No statement of ours takes longer than milliseconds; one that does is stuck, and must not hold its locks. */
const SESSION_LIMITS = ['statement_timeout=10000', 'lock_timeout=5000', 'idle_in_transaction_session_timeout=15000'];

/** How long a request waits for a connection before it is told to come back later. */
const CONNECTION_WAIT_MS = 5_000;

/** The pool that hand-written SQL and the Prisma client share. */
export function createPool(databaseUrl: string, options: { max?: number; applicationName?: string } = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.max ?? POOL_CONNECTIONS_DEFAULT,
    types,
    application_name: options.applicationName ?? 'trilho',
    options: SESSION_LIMITS.map((limit) => `-c ${limit}`).join(' '),
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
  });
  // A connection that is cut fails its query; between two queries of a transaction, or while it is being closed, it says so by an event
  // that ends the process when nobody listens, and the pool listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Refuses a server that would forget what it acknowledged, or that can't write. Throws one line that says what to change.
 */
export async function assertDurable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string }>(
    `SELECT name, setting AS value FROM pg_settings
     WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'transaction_read_only')
     UNION ALL SELECT 'in_recovery', pg_is_in_recovery()::text`,
  );
  const value = new Map(rows.map((row) => [row.name, row.value]));
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if (value.get(name) === 'off') {
      throw new Error(`PostgreSQL runs with ${name}=off and may lose acknowledged payments: set it to on.`);
    }
  }
  if (value.get('in_recovery') === 'true' || value.get('transaction_read_only') === 'on') {
    throw new Error('PostgreSQL is read-only (a replica?): point DATABASE_URL at the primary.');
  }
}
