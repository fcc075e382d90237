import type pg from 'pg';

/** The types of a table’s columns, as a cast writes them. */
export async function typesOf(pool: pg.Pool, table: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}
