import type { Database } from '#db/connection/database.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';

/**
 * Returns which of the expected ids a restored database lacks, and where its ledger does not
 * balance.
 */
export async function compareWith(
  db: Database,
  expected: readonly string[],
): Promise<{ missing: string[]; discrepancies: string[] }> {
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM transactions UNION ALL SELECT id FROM refunds');
  const there = new Set(rows.map(({ id }) => id));
  const { discrepancies } = await checkLedger(db.pool);
  return {
    missing: expected.filter((id) => !there.has(id)),
    discrepancies: discrepancies.map(({ detail }) => detail),
  };
}
