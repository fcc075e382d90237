import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readCsv } from '#domain/testing/read-csv.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { planReconciliation } from '#services/reconciliation/plan-reconciliation.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createProgram } from './program.ts';

let trilho: TestService;
const folder = mkdtempSync(join(tmpdir(), 'trilho-files-'));
beforeAll(async () => {
  trilho = await startTestService();
  await trilho.until('the rail is planned', async () => {
    await planReconciliation(trilho.deps);
    const { rows } = await trilho.deps.db.pool.query('SELECT FROM reconciled_rails');
    return rows[0];
  });
});
afterAll(async () => {
  await trilho.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What the command prints, typed beside the running service. */
async function typed(...args: string[]): Promise<string> {
  const variables = { DATABASE_URL: trilho.databaseUrl, DATABASE_OWNER_URL: trilho.ownerUrl, DEMO: 'true' };
  for (const [name, value] of Object.entries({
    ...variables,
    TRILHO_HOME: trilho.home,
    MASTER_KEYS: trilho.masterKeys,
  }))
    vi.stubEnv(name, value);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  await createProgram().parseAsync(['reconcile', ...args], { from: 'user' });
  return String(print.mock.calls.at(-1)?.[0]);
}

/** The day of the sandbox's clock, which is the machine's. */
const today = () => dateInSaoPaulo(trilho.deps.clock());

test('a day that agrees is printed with its figures, and one that differs with its items, exit code 1, and files that only the operator may read', async () => {
  const { apiKey } = await trilho.openAccount();
  const created = await trilho.post('/payments/transactions', apiKey ?? '', { amount: 12.34 });
  const id = transactionIdOf(created);
  const paid = await trilho.pay(id);
  await trilho.until('it is credited', async () => {
    const { rows } = await trilho.deps.db.pool.query("SELECT FROM transactions WHERE id = $1 AND status = 'paid'", [
      id,
    ]);
    return rows[0];
  });
  const agreed = await typed('--day', today());
  expect(agreed).toMatch(/sandbox {2}\(up to now\)\n +provider +ledger +difference\n/);
  expect(agreed).toMatch(/received +12\.34 +12\.34 +0\.00\n/);
  expect(agreed).toMatch(/balance said +12\.34\n/);
  expect(process.exitCode).toBeUndefined();

  await trilho.asOwner(`UPDATE sandbox.payments SET amount_centavos = 1200 WHERE end_to_end_id = '${paid.endToEndId}'`);
  const [days, items] = [join(folder, 'days.csv'), join(folder, 'items.csv')];
  // Everybody may read what is there under that name.
  writeFileSync(items, 'x'.repeat(10_000), { mode: 0o644 });
  const [differing] = JSON.parse(await typed('--day', today(), '--json', '--csv', days, '--items-csv', items));
  expect(differing).toMatchObject({ rail: 'sandbox', difference: '-0.34', unexplained: '0.34', item_count: 1 });
  expect(differing.items).toMatchObject([
    { reason: 'other_amount', kind: 'payment', end_to_end_id: paid.endToEndId, transaction_id: id },
  ]);
  expect(process.exitCode).toBe(1);
  expect([days, items].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  const [head = [], row = []] = readCsv(readFileSync(days, 'utf8'), ',');
  expect(row[head.indexOf('psp_received')]).toBe('12.00');
  expect(row[head.indexOf('ledger_received')]).toBe('12.34');
  expect(readCsv(readFileSync(items, 'utf8'), ',')[1]).toContain(paid.endToEndId);
  expect(await typed('--day', today())).toMatch(
    new RegExp(`other amount +payment +12\\.00 +12\\.34 {2}${paid.endToEndId} {2}${id}`),
  );
  process.exitCode = undefined;
  const acknowledge = ['--day', today(), '--acknowledge', 'Known to the bank'];
  await expect(typed(...acknowledge)).rejects.toThrow('--rail');
  expect(await typed(...acknowledge, '--rail', 'sandbox')).toMatch(/not explained +-0\.34\n +acknowledged \S+: Known/);
  expect(await typed('--day', today())).toContain('Known to the bank');
  expect(process.exitCode).toBeUndefined();
});

test('a day of a crypto processor is printed in coins, with what the ledger has for them and the fees', async () => {
  const { apiKey } = await trilho.openAccount({ currency: 'USDT_BSC', kycStatus: 'approved' });
  const created = await trilho.post('/payments/deposits/crypto', apiKey ?? '', { amount: 10.8 });
  const id = transactionIdOf(created);
  await trilho.pay(id);
  await trilho.until('it is credited', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      "SELECT FROM transactions WHERE id = $1 AND status = 'completed'",
      [id],
    );
    return rows[0];
  });
  const agreed = await typed('--day', today(), '--rail', 'sandbox-crypto');
  expect(agreed).toMatch(/sandbox-crypto {2}USDT_BSC {2}\(up to now\)\n/);
  expect(agreed).toMatch(/received +2 +2 +0\n/);
  expect(agreed).toMatch(/fees it names +0\.01\n +in the ledger for BRL 10\.80 received, BRL 0\.00 sent\n/);
  expect(process.exitCode).toBeUndefined();
});

test('a day is printed also where its files can’t be written, which is said', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  for (const option of ['--csv', '--items-csv']) {
    print.mockClear();
    for (const file of ['', join(folder, 'none', 'x.csv')])
      await expect(typed('--day', today(), option, file), `${option} ${file}`).rejects.toThrow('ENOENT');
    expect(print).toHaveBeenCalledTimes(2);
  }
});

test.each([
  ['a day to come', ['--day', '2999-01-01'], /it is to come/],
  ['a rail that is not there', ['--day', 'today', '--rail', 'psp9'], /there is no such rail/],
  ['an invalid day', ['--day', '2026-02-30'], /is no day/],
])('reconcile rejects %s, and says why', async (_, args, message) => {
  await expect(typed(...args.map((one) => (one === 'today' ? today() : one)))).rejects.toThrow(message);
});
