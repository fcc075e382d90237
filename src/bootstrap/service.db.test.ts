import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

test('a charge goes from REST to the ledger', async () => {
  const { apiKey } = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 99, fixedCentavos: 10n } }] });
  await makePaidCharge(trilho, apiKey, { amount: 100.5 });
  const balance = await trilho.get('/api/payments/balance', apiKey);
  // 100.50 - (0.99 % = 0.99495, half up 0.99; + 0.10)
  expect(balance.body).toEqual({
    success: true,
    data: { available_balance: 99.41, pending_balance: 0, blocked_balance: 0 },
  });
});

test('PostgreSQL distinguishes the connections of a process, of the sandbox and of the listener', async () => {
  const { rows } = await trilho.deps.db.pool.query<{ name: string }>(
    'SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database() ORDER BY name',
  );
  expect(rows.map(({ name }) => name)).toEqual(['trilho-listener', 'trilho-sandbox', 'trilho-web']);
});

test('the session that listens and holds locks is opened past the pooler', async () => {
  const direct = new URL(trilho.databaseUrl);
  direct.searchParams.set('application_name', 'past-the-pooler');
  const other = await startTestService({ beside: trilho, variables: { DATABASE_DIRECT_URL: direct.href } });
  try {
    await trilho.until('its locks are held by a session of that address', async () => {
      const { rows } = await trilho.deps.db.pool.query(
        `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE a.application_name = 'past-the-pooler' AND l.locktype = 'advisory'`,
      );
      return rows.length > 0 || null;
    });
  } finally {
    await other.stop();
  }
});
