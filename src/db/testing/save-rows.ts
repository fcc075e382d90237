import type pg from 'pg';

/**
 * Keeps the rows of every table of the product as they are now, and returns what brings them back:
 * for tests that all begin with the same rows and spoil them. `db` is the owner's; triggers do not
 * fire and foreign keys are not checked.
 */
export async function saveRows(db: pg.Pool): Promise<() => Promise<void>> {
  const { rows } = await db.query<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY c.relname`,
  );
  await db.query(
    ['CREATE SCHEMA saved', ...rows.map(({ name }) => `CREATE TABLE saved.${name} AS TABLE public.${name}`)].join('; '),
  );
  const copies = rows.map(
    ({ name, columns }) =>
      `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM saved.${name}`,
  );
  // Not TRUNCATE, which makes new files for each table and each index: with few rows that was most
  // of a test's time.
  const removals = rows.map(({ name }) => `DELETE FROM public.${name}`);
  return async () => {
    await db.query(
      ['BEGIN', 'SET LOCAL session_replication_role = replica', ...removals, ...copies, 'COMMIT'].join('; '),
    );
  };
}
