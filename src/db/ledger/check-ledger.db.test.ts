import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { AUDIT_DISCREPANCIES, AUDIT_HEAD_DISCREPANCIES } from '../testing/audit-discrepancies.ts';
import {
  DISCREPANCIES,
  fillLedger,
  type LedgerIds,
  plantDiscrepancy,
  withIds,
} from '../testing/ledger-discrepancies.ts';
import { fund, NOW } from '../testing/ledger-fixture.ts';
import { PROOF_DISCREPANCIES } from '../testing/proof-discrepancies.ts';
import { saveRows } from '../testing/save-rows.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { checkLedger, checkLedgerSince, type LedgerReport } from './check-ledger.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const masterKeys = generateMasterKeys();
const NODE = join(CHECKOUT, 'node_modules/.bin/node');

/** What fillLedger writes; the platform's 10 ledger accounts, and 3 of each account. */
const COUNTS = { transfers: 18, entries: 41, accounts: 10 + 3 * 3 };

let database: TestDatabase;
let db: Database;
let ids: LedgerIds;
let home: string;
let restoreRows: () => Promise<void>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'trilho-home-'));
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
  ids = await fillLedger(db.pool);
  restoreRows = await saveRows(db.pool);
});
afterEach(() => restoreRows());
afterAll(async () => {
  await db.close();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

test('a sound ledger has no discrepancies, and everything in it is counted', async () => {
  expect(await checkLedger(db.pool)).toEqual({ ...COUNTS, since: null, rules: expect.any(Array), discrepancies: [] });
});

test.each(DISCREPANCIES)('the ledger check finds and names a discrepancy: %s', async (_, plant, found) => {
  await plantDiscrepancy(
    db.pool,
    withIds(plant, ids, (id) => `'${id}'`),
  );
  const { discrepancies } = await checkLedger(db.pool);
  const expected = Object.entries(found).map(([rule, detail]) => ({
    rule,
    detail: expect.stringContaining(withIds(detail, ids, String)),
  }));
  expect(discrepancies).toHaveLength(expected.length);
  expect(discrepancies).toEqual(expect.arrayContaining(expected));
});

test.each(DISCREPANCIES)('a check since a checkpoint before all rows finds a discrepancy: %s', async (_, plant) => {
  await remember({ transfer: 0, entry: 0, at: '2000-01-01' });
  await plantDiscrepancy(
    db.pool,
    withIds(plant, ids, (id) => `'${id}'`),
  );
  const { since, discrepancies } = await checkLedgerSince(db.pool, NOW);
  expect([since, discrepancies.length]).toEqual([new Date('2000-01-01'), expect.any(Number)]);
  expect(discrepancies).not.toEqual([]);
});

describe('a check since the one before', () => {
  it('has nothing to do where nothing was written, and finds what is wrong with what was', async () => {
    expect(await checkLedgerSince(db.pool, NOW)).toMatchObject({ since: null, ...COUNTS, discrepancies: [] });
    const later = new Date(NOW.getTime() + 2 * 3_600_000);
    expect(await checkLedgerSince(db.pool, later)).toMatchObject({
      since: NOW,
      transfers: 0,
      entries: 0,
      discrepancies: [],
    });

    const { id } = await fund(db.pool, { id: String(ids.account), mode: 'live' }, 700n);
    expect(await checkLedgerSince(db.pool, later)).toMatchObject({
      since: later,
      transfers: 1,
      entries: 2,
      discrepancies: [],
    });
    const { id: wrong } = await fund(db.pool, { id: String(ids.account), mode: 'live' }, 900n);
    await plantDiscrepancy(
      db.pool,
      `UPDATE ledger_transfers SET gross_centavos = 901 WHERE transaction_id = '${wrong}'`,
    );
    expect((await checkLedgerSince(db.pool, later)).discrepancies).toMatchObject([
      { rule: 'every transfer’s figures are what its entries come to' },
    ]);
    expect(id).not.toBe(wrong);
    // What was found is found again: nothing is proved by a check that found something.
    expect((await checkLedgerSince(db.pool, later)).discrepancies).toHaveLength(1);
  });

  it('does not look again at what is proved: a full check finds a change there', async () => {
    await checkLedgerSince(db.pool, new Date(NOW.getTime() + 2 * 3_600_000));
    await plantDiscrepancy(
      db.pool,
      `UPDATE ledger_transfers SET fee_centavos = fee_centavos + 1 WHERE kind = 'charge_paid'`,
    );
    expect((await checkLedgerSince(db.pool, NOW)).discrepancies).toEqual([]);
    expect((await checkLedger(db.pool)).discrepancies).not.toEqual([]);
  });

  it('finds what has lost its task since it was proved', async () => {
    const later = new Date(NOW.getTime() + 2 * 3_600_000);
    await checkLedgerSince(db.pool, later);
    await db.pool.query('DELETE FROM tasks WHERE subject_id = ANY ($1)', [[ids.openWithdrawal, ids.openRefund]]);
    const { discrepancies } = await checkLedgerSince(db.pool, later);
    expect(discrepancies.map(({ rule }) => rule)).toEqual(Array(2).fill('what is under way has its task'));
  });

  it('stores no checkpoint for the next one where the role may not write it', async () => {
    const service = openDatabase(database.url, { max: 1 });
    expect(await checkLedgerSince(service.pool, NOW)).toMatchObject({ since: null, discrepancies: [] });
    expect(await checkLedgerSince(service.pool, NOW)).toMatchObject({ since: null, discrepancies: [] });
    await service.close();
  });
});

const remember = ({ transfer, entry, at }: { transfer: number; entry: number; at: string }) =>
  db.pool.query('INSERT INTO ledger_checkpoints (transfer_id, entry_id, checked_at) VALUES ($1, $2, $3)', [
    transfer,
    entry,
    `${at}T00:00:00Z`,
  ]);

test('every rule of the check has a discrepancy that it finds, and no discrepancy is found by a rule that is not there', async () => {
  const found = new Set([
    ...DISCREPANCIES.flatMap(([, , rules]) => Object.keys(rules)),
    ...PROOF_DISCREPANCIES.map(({ rule }) => rule),
    ...[...AUDIT_DISCREPANCIES, ...AUDIT_HEAD_DISCREPANCIES].map(([, , rule]) => rule),
  ]);
  const { rules } = await checkLedger(db.pool);
  expect([...found].sort()).toEqual(rules.toSorted());
});

test('of a ledger with thousands of discrepancies the first hundred of each kind are reported', async () => {
  await plantDiscrepancy(
    db.pool,
    `INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos)
    SELECT n, -1, 1 FROM generate_series(1000, 3000) AS n`,
  );
  await plantDiscrepancy(
    db.pool,
    `INSERT INTO ledger_transfers (id, transaction_id, kind, created_at, account_id, type)
    SELECT n, '${ids.charge}', 'refund-' || n, '${NOW.toISOString()}', '${ids.account}', 'pix_in' FROM generate_series(1000, 3000) AS n`,
  );
  const { discrepancies, transfers } = await checkLedger(db.pool);
  expect(transfers).toBe(COUNTS.transfers + 2001);
  expect(discrepancies.filter(({ rule }) => rule === 'every transfer sums to zero')).toHaveLength(100);
});

test('a check that breaks off leaves the pool’s connections as they were', async () => {
  const one = openDatabase(database.ownerUrl, { max: 1 });
  try {
    await db.pool.query('ALTER TABLE reviews RENAME TO hidden');
    await expect(checkLedger(one.pool)).rejects.toMatchObject({ code: '42P01' });
    await db.pool.query('ALTER TABLE hidden RENAME TO reviews');
    expect((await checkLedger(one.pool)).discrepancies).toEqual([]);
  } finally {
    await one.close();
  }
});

test('the command `ledger check` exits with 0 on a sound ledger and with 1, naming the discrepancy, on another', async () => {
  const before = await ledgerCheck();
  expect(before).toEqual({
    exitCode: 0,
    report: { ok: true, ...COUNTS, since: null, rules: expect.any(Array), discrepancies: [] },
  });

  await plantDiscrepancy(db.pool, `UPDATE ledger_accounts SET balance_centavos = 7 WHERE id = '${ids.available}'`);
  const { exitCode, report } = await ledgerCheck();
  expect(exitCode).toBe(1);
  expect(report).toMatchObject({
    ok: false,
    discrepancies: [{ detail: expect.stringContaining(`account ${ids.account}) stores 7`) }],
  });
});

/**
 * Runs the command on the test's database, each time with the same data folder, where the master
 * key is.
 */
async function ledgerCheck(): Promise<{ exitCode: unknown; report: LedgerReport & { ok: boolean } }> {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = {
    NODE_ENV: 'test' as const,
    NODE_COMPILE_CACHE,
    DATABASE_URL: database.url,
    DEMO: 'true',
    TRILHO_HOME: home,
    MASTER_KEYS: masterKeys,
  };
  const command = ['src/cli/main.ts', 'ledger', 'check', '--json'];
  const { exitCode, stdout, stderr } = await new Promise<Record<'exitCode' | 'stdout' | 'stderr', unknown>>(
    (resolve) => {
      execFile(NODE, command, { cwd: CHECKOUT, env }, (error, stdout, stderr) =>
        resolve({ exitCode: error ? error.code : 0, stdout, stderr }),
      );
    },
  );
  if (stdout === '') throw new Error(`The command said nothing but: ${stderr}`);
  return { exitCode, report: JSON.parse(String(stdout)) };
}
