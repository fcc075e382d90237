import { basename } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRowTypes, type DescribedStatement } from '../testing/check-row-types.ts';
import { readSources } from '../testing/db-sources.ts';
import { type DescribedColumn, describeStatement } from '../testing/describe-statement.ts';
import { STATEMENT_SAMPLES } from '../testing/statement-samples.ts';
import { copySources, evaluate, readStatements } from '../testing/statements.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/**
 * Files with statements that are made at run time: from what the database holds, from what callers
 * give, or from lists that other tests run.
 */
const MADE_AT_RUN_TIME = [
  'audit-rules.ts',
  'check-backup.ts',
  'check-ledger.ts',
  'find-rail-of-task.ts',
  'ledger-rules.ts',
  'migrate.ts',
  'proof-rules.ts',
  'reseal-table.ts',
  'restore-backup.ts',
  'sandbox-pool.ts',
  'sealed-values.ts',
  'write-backup.ts',
];

/** Texts that begin like a statement and are a part of one. */
const PARTS = ['SELECT, INSERT', "SELECT FROM deliveries d WHERE d.endpoint_id = n.id AND d.status = 'held'"];

/** Columns that may be NULL in their table, and are not in these rows, by why. */
const NEVER_NULL_HERE: Record<string, string[]> = {
  'Of this type of transaction only, which is never written without.': [
    'charges.ts: expiresAt',
    'invoices.ts: currency',
    'invoices.ts: expiresAt',
    'invoices.ts: feeBps',
    'invoices.ts: feeFixedCentavos',
    'invoices.ts: quotePrice',
    'invoices.ts: toleranceBps',
    'invoices.ts: units',
    'scheduled-payouts.ts: scheduledFor',
  ],
  'The condition of the statement rules it out.': [
    'api-endpoints.ts: secret',
    'customers.ts: document',
    'erase-personal-data.ts: body',
    'failed-tasks.ts: lastError',
    'find-entry-seal.ts: version',
    'disputes-at-psp.ts: endToEndId',
    'find-lost-payer.ts: closedAt',
    'held-deliveries.ts: topic',
    'ledger-seals.ts: balance',
    'ledger-seals.ts: credits',
    'ledger-seals.ts: version',
    'payouts.ts: id',
    'receivers.ts: paidAt',
    'receivers.ts: receiverName',
    'statement.ts: balanceAfterCentavos',
    'statement.ts: version',
  ],
};

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Planted statements: each row is declared with one mismatch. */
const PLANTED: { rowType: string; columns: DescribedColumn[]; mismatch: string }[] = [
  { rowType: '{}', columns: [{ name: 'key', type: 'string', null: 'no' }], mismatch: 'key: is not declared' },
  { rowType: '{ id: string }', columns: [], mismatch: '(one that is declared): is not selected' },
  {
    rowType: '{ id: number }',
    columns: [{ name: 'id', type: 'bigint', null: 'no' }],
    mismatch: 'id: is of another type',
  },
  { rowType: '{ at: Date }', columns: [{ name: 'at', type: 'Date', null: 'yes' }], mismatch: 'at: may be NULL' },
  {
    rowType: '{ at: Date | null }',
    columns: [{ name: 'at', type: 'Date', null: 'no' }],
    mismatch: 'at: is never NULL',
  },
];

test('every statement is one that the database takes, and its rows are declared as the database describes them', async () => {
  const statements = readStatements();
  // A reader that misses statements would find nothing wrong.
  const typed = readSources('db').flatMap(({ source }) => source.match(/\.(query|\$queryRaw)</g) ?? []);
  expect(statements.filter(({ rowType }) => rowType !== null)).toHaveLength(typed.length);

  const copy = copySources();
  try {
    const texts = evaluate(copy.folder, statements, STATEMENT_SAMPLES);
    const unmade = statements.filter((one) => texts.get(one)?.length === 0).map(({ path }) => basename(path));
    expect([...new Set(unmade)].sort()).toEqual(MADE_AT_RUN_TIME);

    const described: DescribedStatement[] = [];
    const rejected: string[] = [];
    for (const [statement, made] of texts) {
      const { columns, error } = await describeFirst(made);
      if (columns) described.push({ ...statement, columns });
      else if (error && !PARTS.includes(made[0] ?? '')) rejected.push(`${statement.at}: ${error}`);
    }
    expect(rejected).toEqual([]);

    const { path = '' } = described[0] ?? {};
    const planted = PLANTED.map((one, at) => ({ ...one, at: `planted ${at}`, path, expression: '' }));
    const mismatches = await checkRowTypes(copy.folder, [...described, ...planted]);
    const named = mismatches.map(({ at, column, what }) => ({ at, text: `${column}: ${what.replaceAll('"', '')}` }));
    expect(named.filter(({ at }) => at.startsWith('planted')).map(({ text }) => text)).toEqual(
      PLANTED.map(({ mismatch }) => mismatch),
    );
    const found = named
      .filter(({ at }) => !at.startsWith('planted'))
      .map(({ at, text }) => `${basename(at).replace(/:\d+$/, '')}: ${text}`);
    const accepted = Object.values(NEVER_NULL_HERE).flatMap((columns) => columns.map((one) => `${one}: may be NULL`));
    expect([...new Set(found)].sort()).toEqual(accepted.sort());
  } finally {
    copy.remove();
  }
});

/**
 * The columns of the first of these texts that the database takes; what it says when it takes none.
 */
async function describeFirst(texts: string[]): Promise<{ columns?: DescribedColumn[]; error?: string }> {
  let error: string | undefined;
  for (const text of texts) {
    try {
      return { columns: await describeStatement(client, text) };
    } catch (rejection) {
      error = String(rejection);
    }
  }
  return error === undefined ? {} : { error };
}
