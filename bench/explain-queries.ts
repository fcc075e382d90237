import type pg from 'pg';

type Query = { text: string; values: unknown[] };

/** Returns the statements that a call sends through the pool's own `query`, in their order. */
export async function recordQueries(pool: pg.Pool, call: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const query = pool.query;
  pool.query = ((...given: unknown[]) => {
    const [first, values] = given as [string | Query, unknown[] | undefined];
    const text = typeof first === 'string' ? first : first.text;
    queries.push({ text, values: (typeof first === 'string' ? values : first.values) ?? [] });
    return Reflect.apply(query, pool, given);
  }) as typeof pool.query;
  try {
    await call();
  } finally {
    pool.query = query;
  }
  return queries;
}

/**
 * Runs each statement and returns its plan, with the rows, the buffers and the time of every step.
 */
export async function explainQueries(pool: pg.Pool, queries: readonly Query[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { text, values } of queries) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values);
    plans.push(`${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`);
  }
  return plans;
}
