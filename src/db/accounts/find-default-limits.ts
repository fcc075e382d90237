import type pg from 'pg';
import type { LimitName } from '#domain/accounts/limits.ts';

/** The installation's limits, in centavos, as they are in force; a name that is absent has none. */
export async function findDefaultLimits(db: pg.Pool): Promise<Partial<Record<LimitName, bigint>>> {
  const { rows } = await db.query<{ name: LimitName; centavos: bigint }>('SELECT name, centavos FROM default_limits');
  return Object.fromEntries(rows.map(({ name, centavos }) => [name, centavos]));
}
