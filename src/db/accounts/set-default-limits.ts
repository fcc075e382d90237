import type pg from 'pg';
import type { DefaultLimits } from '#domain/accounts/default-limits.ts';

/** Makes these the limits of every account that has none of its own; writes only what differs. */
export async function setDefaultLimits(db: pg.Pool, limits: DefaultLimits): Promise<void> {
  const rows = Object.entries(limits).flatMap(([name, centavos]) =>
    centavos === null ? [] : [{ name, centavos: String(centavos) }],
  );
  await db.query(
    `WITH wanted AS (SELECT * FROM jsonb_to_recordset($1) AS wanted (name text, centavos bigint)),
        gone AS (DELETE FROM default_limits WHERE name NOT IN (SELECT name FROM wanted))
      INSERT INTO default_limits (name, centavos) SELECT name, centavos FROM wanted
      ON CONFLICT (name) DO UPDATE SET centavos = excluded.centavos WHERE default_limits.centavos <> excluded.centavos`,
    [JSON.stringify(rows)],
  );
}
