import type pg from 'pg';
import { expect } from 'vitest';
import { checkLedger } from '../ledger/check-ledger.ts';
import type { TestAccount } from './ledger-fixture.ts';

/** What happened to some accounts according to the tables, in the shape of the model. */
export type LedgerState = {
  /** Entries' sum and number by pocket; `stored` and `version` are null for the platform's. */
  pockets: Map<string, { centavos: bigint; entries: number; stored: bigint | null; version: bigint | null }>;
  /** Transaction, kind and reference of each transfer, sorted. */
  transfers: string[];
};

/**
 * Platform pockets count what came from the given accounts' transactions only: other tests share
 * the database.
 */
export async function readLedgerState(db: pg.Pool, accounts: TestAccount[]): Promise<LedgerState> {
  const ids = accounts.map((account) => account.id);
  const [{ rows: pockets }, { rows: transfers }] = await Promise.all([
    db.query<{ name: string; centavos: bigint; entries: bigint; stored: bigint | null; version: bigint | null }>(
      `WITH own AS (
        SELECT e.ledger_account_id, e.amount_centavos FROM transactions x
        JOIN ledger_transfers t ON t.transaction_id = x.id JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE x.account_id = ANY ($1))
      SELECT coalesce(a.account_id::text, a.mode::text) || ' ' || a.kind AS name, a.balance_centavos AS stored,
        CASE WHEN a.id > 0 THEN a.version END AS version, count(own) AS entries,
        coalesce(sum(own.amount_centavos), 0)::bigint AS centavos
      FROM ledger_accounts a LEFT JOIN own ON own.ledger_account_id = a.id
      WHERE a.account_id = ANY ($1) OR a.account_id IS NULL GROUP BY a.id`,
      [ids],
    ),
    db.query<{ key: string }>(
      `SELECT t.transaction_id || ' ' || t.kind || ' ' || t.reference AS key
      FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id WHERE x.account_id = ANY ($1)`,
      [ids],
    ),
  ]);
  return {
    pockets: new Map(pockets.map(({ name, ...pocket }) => [name, { ...pocket, entries: Number(pocket.entries) }])),
    transfers: transfers.map((transfer) => transfer.key).sort(),
  };
}

/**
 * The promises (invariants) of the ledger, each as a query for what breaks it. They are written
 * independently of checkLedger: otherwise they would prove nothing in its own tests.
 */
const PROMISES: Record<string, string> = {
  'a transfer sums to zero':
    'SELECT transfer_id FROM ledger_entries GROUP BY transfer_id HAVING sum(amount_centavos) <> 0',
  'no balance is negative but what is owed':
    "SELECT id FROM ledger_accounts WHERE CASE kind WHEN 'owed' THEN balance_centavos > 0 ELSE balance_centavos < 0 END",
  'no balance was negative but what was owed': `SELECT e.id FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
    WHERE CASE a.kind WHEN 'owed' THEN e.balance_after_centavos > 0 ELSE e.balance_after_centavos < 0 END`,
  'a stored balance is the sum of its entries': `SELECT a.id FROM ledger_accounts a WHERE a.id > 0 AND a.balance_centavos <>
    (SELECT coalesce(sum(e.amount_centavos), 0) FROM ledger_entries e WHERE e.ledger_account_id = a.id)`,
  'versions count from 1 without gap': `SELECT a.id FROM ledger_accounts a JOIN ledger_entries e ON e.ledger_account_id = a.id
    WHERE a.id > 0 GROUP BY a.id
    HAVING count(*) <> a.version OR min(e.version) <> 1 OR max(e.version) <> a.version OR count(DISTINCT e.version) <> count(*)`,
  'money stays in its mode': `SELECT e.id FROM ledger_entries e JOIN ledger_accounts l ON l.id = e.ledger_account_id
    JOIN ledger_transfers t ON t.id = e.transfer_id JOIN transactions x ON x.id = t.transaction_id
    JOIN accounts a ON a.id = x.account_id WHERE a.mode <> l.mode`,
  'all of one mode together is zero': `SELECT a.mode FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
    GROUP BY a.mode HAVING sum(e.amount_centavos) <> 0`,
};

/** Fails when the ledger of this database breaks a promise, or when its own check says so. */
export async function expectSound(db: pg.Pool): Promise<void> {
  expect(await brokenPromises(db)).toEqual([]);
  expect((await checkLedger(db)).discrepancies).toEqual([]);
}

/** The promises that the ledger of this database breaks; empty when it is sound. */
async function brokenPromises(db: pg.Pool): Promise<string[]> {
  const broken: string[] = [];
  for (const [promise, sql] of Object.entries(PROMISES)) {
    const { rows } = await db.query(sql);
    if (rows.length > 0) broken.push(`${promise}: ${rows.map((row) => Object.values(row)).join(', ')}`);
  }
  return broken;
}

/** How many deadlocks PostgreSQL has had to break up in this database. */
export async function deadlocks(db: pg.Pool): Promise<bigint | undefined> {
  const { rows } = await db.query<{ deadlocks: bigint }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks;
}

/** Runs a change that is rejected; fails when any row that money depends on has changed. */
export async function expectUnchanged(db: pg.Pool, rejection: () => Promise<unknown>): Promise<void> {
  const before = await readEverything(db);
  await rejection();
  expect(await readEverything(db)).toEqual(before);
}

const TABLES = [
  'transactions',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'events',
  'deliveries',
  'reviews',
  'tasks',
  'refunds',
  'idempotency_keys',
];

async function readEverything(db: pg.Pool): Promise<unknown> {
  const { rows } = await db.query(
    TABLES.map((name) => `SELECT '${name}' AS name, jsonb_agg(t ORDER BY t)::text AS rows FROM ${name} t`).join(
      ' UNION ALL ',
    ),
  );
  return rows;
}
