import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_TRANSACTIONS } from '../testing/all-transactions.ts';
import { FILLED_ACCOUNT, fillGrowingTables, GROWING_TABLES } from '../testing/fill-growing-tables.ts';
import { planStatement, type Scan } from '../testing/plan-statement.ts';
import { QUERY_INDEXES } from '../testing/query-indexes.ts';
import { STATEMENT_SAMPLES } from '../testing/statement-samples.ts';
import { copySources, evaluate, readStatements } from '../testing/statements.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { listAllTransactions } from '../transactions/list-all-transactions.ts';
import { type SearchTerms, searchTransactions } from '../transactions/search-transactions.ts';
import type { TransactionFilter } from '../transactions/transaction-filter.ts';
import { countTransactions, listTransactions } from '../transactions/transactions.ts';
import { listDeliveries } from '../webhooks/delivery-log.ts';
import { listEvents } from '../webhooks/event-log.ts';

/** Partial indexes that hold few rows however large their table grows: they may be read whole. */
const SMALL_INDEXES = [
  'deliveries_failed',
  'disputes_open',
  'foreign_operations_open',
  'foreign_payouts_open',
  'refunds_pending',
  'reviews_contested',
  'reviews_open',
  'unmatched_payments_open',
];

/** They read everything, and say so, or the last row of all. */
const READ_EVERYTHING =
  /^db\/(audit\/audit-rules|backup|ledger\/(check-ledger|ledger-checkpoint|ledger-rules|proof-rules))/;

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

test('every query of a table that grows reads it by an index, and which one is known', async () => {
  const indexes: Record<string, string[]> = {};
  const whole: string[] = [];
  const note = (at: string, scans: readonly Scan[]) => {
    const file = at.replace(/:\d+$/, '');
    for (const { table, by } of scans.filter(({ table }) => GROWING_TABLES.has(table))) {
      const isSmall = SMALL_INDEXES.some((index) => by === `all of ${index}`);
      if (!isSmall && (by === 'every row' || by.startsWith('all of'))) whole.push(`${at}: ${table} by ${by}`);
      else indexes[file] = [...new Set([...(indexes[file] ?? []), by])].sort();
    }
  };
  const client = await owner.connect();
  try {
    for (const { at, text } of statementsOfSources()) note(at, (await planStatement(client, text)) ?? []);
    for (const { at, text, values } of await statementsOfFilters())
      note(at, (await planStatement(client, text, values)) ?? []);
    // Planted: a column without an index, alone and along another column's.
    for (const rest of ['failure_code = $1', `status <> 'expired' ORDER BY id LIMIT 1`])
      note('planted:1', (await planStatement(client, `SELECT id FROM transactions WHERE ${rest}`)) ?? []);
  } finally {
    client.release();
  }
  expect(whole.filter((one) => one.startsWith('planted'))).toEqual([
    'planted:1: transactions by every row',
    'planted:1: transactions by all of transactions_pkey',
  ]);
  expect(whole.filter((one) => !one.startsWith('planted'))).toEqual([]);
  expect(indexes).toEqual(QUERY_INDEXES);
});

function statementsOfSources(): { at: string; text: string }[] {
  const copy = copySources();
  try {
    const statements = readStatements().filter(({ path }) => !READ_EVERYTHING.test(path));
    return [...evaluate(copy.folder, statements, STATEMENT_SAMPLES)].flatMap(([{ at }, texts]) =>
      texts.map((text) => ({ at, text })),
    );
  } finally {
    copy.remove();
  }
}

/** The statements that lists and searches make of what they are asked, with their values. */
async function statementsOfFilters(): Promise<{ at: string; text: string; values: unknown[] }[]> {
  const asked: { at: string; text: string; values: unknown[] }[] = [];
  const noting = (at: string) =>
    ({
      query: async (text: string, values: unknown[]) => {
        asked.push({ at, text, values });
        return { rows: [] };
      },
    }) as unknown as pg.Pool;
  for (const [name, filter] of Object.entries(FILTERS)) {
    const whole = { ...ALL_TRANSACTIONS, limit: 21, ...filter };
    await listTransactions(noting(`db/transactions/transactions.ts, ${name}:1`), FILLED_ACCOUNT, whole);
    await countTransactions(
      noting(`db/transactions/transactions.ts, ${name}, counted:1`),
      FILLED_ACCOUNT,
      whole,
      1_000,
    );
  }
  await searchTransactions(
    noting('db/transactions/search-transactions.ts, of every account:1'),
    null,
    { ...NOTHING, ...TERMS['beginning of an id'], ...TERMS['end of an id'], ...TERMS.identifier },
    8,
  );
  await listAllTransactions(noting('db/transactions/list-all-transactions.ts:1'), {
    ...{ types: ['crypto_out'], displayStatuses: ['paid', 'late'], from: DAY.start, to: DAY.end },
    ...{ before: null, limit: 51, scan: 10_000 },
  });
  await listEvents(noting('db/webhooks/event-log.ts, of a status:1'), FILLED_ACCOUNT, {
    ...{ statuses: ['failed'], types: [], transactionId: null, since: null },
    ...{ beforeEventId: null, limit: 21, scan: 5_000 },
  });
  await listDeliveries(noting('db/webhooks/delivery-log.ts, of those that failed:1'), FILLED_ACCOUNT, {
    status: 'failed',
    topic: null,
    transactionId: null,
    afterDeliveryId: null,
    limit: 26,
  });
  for (const [name, terms] of Object.entries(TERMS))
    await searchTransactions(
      noting(`db/transactions/search-transactions.ts, ${name}:1`),
      FILLED_ACCOUNT,
      { ...NOTHING, ...terms },
      8,
    );
  return asked;
}

const DAY = { start: new Date('2026-03-01T03:00:00.000Z'), end: new Date('2026-03-02T03:00:00.000Z') };
const TEXT = {
  ...{ contains: 'E1', wallets: ['E1', 'e1'], tokens: [[10_001n]], uuid: null },
  documentIndexes: [Buffer.alloc(32)],
  referenceIndexes: [createHash('sha256').update('100').digest()],
};
const FILTERS: Record<string, Partial<TransactionFilter>> = {
  'of everything': {},
  'of a status': { statuses: ['review'] },
  'of a type': { types: ['crypto_out'] },
  'of a shown status': { displayStatuses: ['paid', 'late'] },
  'of what is in review': { displayStatuses: ['review'] },
  'of a day': { from: DAY.start, to: DAY.end },
  'paid on a day': { paidFrom: DAY.start, paidTo: DAY.end },
  'of an amount': { minCentavos: 1_234n, maxCentavos: 1_234n },
  'of a reference': { reference: [createHash('sha256').update('100').digest()] },
  'of a pair of metadata': { metadata: [[10_001n]] },
  'of a text': { text: TEXT },
  'of a text and a status': { text: TEXT, statuses: ['review'] },
  'of a text and an amount': { text: TEXT, minCentavos: 1_234n, maxCentavos: 1_234n },
  'of a text and a pair of metadata': { text: TEXT, metadata: [[10_001n]] },
};

const NOTHING: SearchTerms = {
  ids: null,
  idEnd: null,
  identifier: null,
  wallets: [],
  documentIndexes: null,
  centavos: null,
  tokens: [],
};
const TERMS: Record<string, Partial<SearchTerms>> = {
  'beginning of an id': {
    ids: { first: '01900000-0000-0000-0000-000000000000', last: '01900000-00ff-ffff-ffff-ffffffffffff' },
  },
  'end of an id': { idEnd: '001eef' },
  identifier: { identifier: 'E100', wallets: ['E100', 'e100'] },
  document: { documentIndexes: [Buffer.alloc(32)] },
  amount: { centavos: 1_234n },
  word: { tokens: [[10_001n]] },
};
