import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillGrowingTables } from '../testing/fill-growing-tables.ts';
import { planStatement } from '../testing/plan-statement.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
  await fillGrowingTables(owner);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const DAY = ['2026-03-01T03:00:00Z', '2026-03-02T03:00:00Z'];
const RUN = '01900000-0001-7800-8000-000000001eef';

/** How the tables are read that grow the most. */
async function scansOf(text: string, values: readonly unknown[]): Promise<string[]> {
  const client = await owner.connect();
  try {
    const scans = (await planStatement(client, text, values)) ?? [];
    const large = scans.filter(({ table }) => table === 'ledger_transfers' || table === 'ledger_entries');
    return [...new Set(large.map(({ by }) => by))].sort();
  } finally {
    client.release();
  }
}

test('what the ledger has of a day is found by the time of its transfers, and nothing is read whole', async () => {
  const client = await owner.connect();
  // The rows of a page that a PSP lists.
  await client.query(
    `INSERT INTO listed_movements (run_id, kind, end_to_end_id, refund_id, own_id, amount, fee_amount, at, paid_at)
     SELECT $1, kind, 'E' || n, CASE WHEN kind = 'refund' THEN 'd' || n ELSE '' END, NULL, 1, 0, $2, $2
     FROM generate_series(1, 100) AS n, unnest('{payment,refund,payout}'::text[]) AS kind`,
    [RUN, DAY[0]],
  );
  await client.query('ANALYZE listed_movements');
  client.release();
  const compare = 'SELECT * FROM reconciliation_compare($1, $2, $3, $3, $4)';
  expect(await scansOf(compare, [RUN, 'sandbox', ...DAY])).toEqual([
    'ledger_entries_transfer_id_idx',
    'ledger_transfers_created_at_idx',
    'ledger_transfers_pkey',
    'ledger_transfers_transaction_id_kind_reference_key',
  ]);
});
