import { createHash } from 'node:crypto';
import type { TestService } from '../src/testing/test-service.ts';
import type { Tenant } from './tenants.ts';

/** Tables that change when a tenant itself is served, and not by an attack. */
const OWN_TRACES = new Set(['request_records', 'provider_calls', 'sessions']);
const VOLATILE = ['last_used_at', 'updated_at', 'due_at'];

/**
 * Returns a hash by table of all rows that belong to a tenant: an attack that changes one of them
 * got through.
 */
export async function stateOf(service: TestService, tenant: Tenant): Promise<Map<string, string>> {
  const { pool } = service.deps.db;
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.column_name IN ('account_id', 'merchant_id', 'member_id', 'transaction_id')
     ORDER BY 1, 2`,
  );
  const ids = [
    tenant.merchantId,
    ...Object.values(tenant.owned).flatMap((owned) => [
      owned.accountId,
      owned.paidCharge,
      owned.pendingCharge,
      owned.invoice,
      owned.pixWithdrawal,
    ]),
  ];
  const state = new Map<string, string>();
  for (const { table, column } of columns) {
    if (OWN_TRACES.has(table)) continue;
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE "${column}"::text = ANY($1)`,
      [ids],
    );
    const texts = rows.map(({ row }) => {
      for (const name of VOLATILE) delete row[name];
      return JSON.stringify(row);
    });
    state.set(`${table}.${column}`, createHash('sha256').update(texts.sort().join('\n')).digest('hex'));
  }
  return state;
}

/** The tables in which two states differ. */
export const changedTables = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before].filter(([table, hash]) => after.get(table) !== hash).map(([table]) => table);
