import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readEnvironment } from '#config/environment.ts';
import { openDatabase } from '#db/connection/database.ts';
import { applyMigrations } from '#db/connection/migrate.ts';
import { withClient } from '#db/connection/with-client.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { processesNamed, processFolder } from '#postgres/running-process.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { checkUpgrade } from './check-upgrade.ts';

const CHECKOUT = join(import.meta.dirname, '../..');

let trilho: TestService;
let old: TestDatabase;
/** Where the copies are made: other tests make theirs meanwhile. */
let temporary: string;
beforeAll(async () => {
  trilho = await startTestService();
  const { apiKey } = await trilho.openAccount();
  const id = transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 100 }));
  await trilho.pay(id);
  await trilho.until('it is paid', async () => {
    const { rowCount } = await trilho.deps.db.pool.query('SELECT FROM ledger_transfers');
    return rowCount === 1 || null;
  });
  old = await createTestDatabase();
  await withClient(old.ownerUrl, (client) => client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  await applyMigrations(old.ownerUrl, { only: (name) => name.endsWith('_initial') });
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'trilho-upgrade-')));
  // As root the copy's server runs as another user, who has to reach the folder.
  chmodSync(temporary, 0o755);
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
  await old.drop();
  await trilho.stop();
});
/** What the copies left behind. */
const left = () => ({
  folders: readdirSync(temporary),
  servers: processesNamed('postgres').filter((pid) => processFolder(pid)?.startsWith(temporary)),
});
afterEach(() => {
  expect(left()).toEqual({ folders: [], servers: [] });
});

/** Runs a command on the service's database, or on another one, as an operator does. */
function command(typed: readonly string[], database: { DATABASE_URL?: string; DATABASE_OWNER_URL?: string } = {}) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    ...{ NODE_ENV: 'production' as const, PATH, NODE_COMPILE_CACHE, TMPDIR: temporary },
    ...{ TRILHO_HOME: trilho.home, DEMO: 'true', MASTER_KEYS: trilho.masterKeys },
    ...{ DATABASE_URL: trilho.databaseUrl, DATABASE_OWNER_URL: trilho.ownerUrl, ...database },
  };
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [join(CHECKOUT, 'src/cli/main.ts'), ...typed], { env }, (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    );
  });
}

/** How many migrations the older database has. */
const appliedToOld = async () =>
  (await withClient(old.ownerUrl, (client) => client.query('SELECT FROM _prisma_migrations'))).rowCount;

/** The check of a database that only has the first migration. */
async function checkOld(
  options: { signal?: AbortSignal; onProgress?: (message: string) => void } = {},
): ReturnType<typeof checkUpgrade> {
  const db = openDatabase(old.ownerUrl, { max: 1 });
  const { secretBox, clock } = trilho.deps;
  const { signal = new AbortController().signal, onProgress = () => {} } = options;
  try {
    const context = { env: readEnvironment({}), secretBox, clock };
    return await checkUpgrade(context, { from: db, passphrase: null, signal, onProgress });
  } finally {
    await db.close();
  }
}

test('a check of an upgrade says yes where the copy balances, says no where it does not, and leaves nothing behind', async () => {
  expect(await command(['upgrade', '--check'])).toEqual({
    code: 0,
    out: expect.stringMatching(/^Yes: .* 1 transfer balanced\./),
  });
  await trilho.asOwner('UPDATE ledger_accounts SET balance_centavos = balance_centavos + 1 WHERE balance_centavos > 0');
  try {
    expect(await command(['upgrade', '--check'])).toEqual({
      code: 1,
      out: expect.stringMatching(/^DISCREPANCY: .*\n(.*\n)*NO: /),
    });
  } finally {
    await trilho.asOwner(
      'UPDATE ledger_accounts SET balance_centavos = balance_centavos - 1 WHERE balance_centavos > 0',
    );
  }
});

test('a database of an older version is brought to this one in the copy alone', async () => {
  const { migrated, ledger } = await checkOld();
  expect(migrated.length).toBeGreaterThan(1);
  expect(ledger.discrepancies).toEqual([]);
  expect(await appliedToOld()).toBe(1);
});

test('a backup that the new version takes before an upgrade leaves the database at the older version', async () => {
  const file = join(trilho.home, 'before-the-upgrade.backup');
  const database = { DATABASE_URL: old.ownerUrl, DATABASE_OWNER_URL: old.ownerUrl };
  expect(await command(['backup', file], database)).toEqual({ code: 0, out: expect.stringContaining(' tables as ') });
  expect(await appliedToOld()).toBe(1);
});

test('a migration that fails on the rows that are there is named, with what PostgreSQL says', async () => {
  const plant = (sql: string) => withClient(old.ownerUrl, (client) => client.query(sql));
  await plant(`INSERT INTO ledger_accounts (kind, mode, balance_centavos) VALUES ('fees', 'test', -1)`);
  try {
    await expect(checkOld()).rejects.toThrow(
      /^The migration \d+_ledger fails on the rows of the backup: .*"ledger_accounts_balance_not_negative"/,
    );
  } finally {
    await plant('DELETE FROM ledger_accounts');
  }
});

test('a check of an upgrade that is interrupted stops its server and leaves nothing behind', async () => {
  const interruption = new AbortController();
  const checking = checkOld({
    signal: interruption.signal,
    onProgress: (message) => {
      if (message === 'Bringing the copy to this version') interruption.abort();
    },
  });
  await expect(checking).rejects.toThrow();
});
