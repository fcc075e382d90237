import type { Database } from '#db/connection/database.ts';

/**
 * With memory each process counts for itself; with PostgreSQL all count together, in the table
 * `rate_limits`, by the database's clock.
 */
export type CounterStore = { kind: 'memory' } | SharedStore;
export type SharedStore = {
  kind: 'postgres';
  pool: Database['pool'];
  /** By how many ms the database's clock is ahead of this machine's. */
  aheadMs(): number;
};

type LimiterQuery = { text: string; values: unknown[] };
type CounterRow = { points: number; expire: number };

/** Points are an `integer` of the table; a larger number among a limiter's values is an instant. */
const POINTS_MAX = 2 ** 31 - 1;

/**
 * Both columns, points and expire, are numbers to the limiter; the pool's own reading of bigint
 * makes it fail on every row.
 */
const NUMBERS = { getTypeParser: () => Number } as never;

/**
 * The store as the limiters of rate-limiter-flexible query it. They read the clock of their own
 * machine: their instants are brought to the database's clock on the way there, and back.
 */
export function limiterQuery(store: SharedStore) {
  return async (query: LimiterQuery) => {
    const aheadMs = store.aheadMs();
    const values = query.values.map((value) =>
      typeof value === 'number' && value > POINTS_MAX ? value + aheadMs : value,
    );
    const result = await store.pool.query<CounterRow>({ ...query, values, types: NUMBERS });
    return { ...result, rows: result.rows.map((row) => ({ ...row, expire: row.expire - aheadMs })) };
  };
}
