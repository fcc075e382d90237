import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOperatorOverview } from '#services/operators/get-operator-overview.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import type { ExportFile } from './export-file.ts';
import { openReconciliationCsv, openReconciliationItemsCsv } from './reconciliation-files.ts';

/** Three years of a processor with four currencies; the oldest day differs. */
const DAYS = 1_100;
const CURRENCIES = ['BTC', 'ETH', 'USDT_BSC', 'USDT_TRX'];

let trilho: TestService;
let accountId: string;
beforeAll(async () => {
  trilho = await startTestService({ variables: { ROLE: 'web' } });
  ({ accountId } = await trilho.openAccount({ mode: 'live' }));
  await trilho.asOwner(`INSERT INTO reconciled_rails (rail, currency, account_id, first_day, since, opening_amount)
    SELECT 'own', currency, '${accountId}', '2023-01-01', '2023-01-01T03:00:00Z', 0 FROM unnest('{${CURRENCIES}}'::text[]) AS currency`);
  await trilho.asOwner(`INSERT INTO reconciled_days (id, rail, currency, day, checked_at, read_until, unexplained_amount, item_count, items)
    SELECT gen_random_uuid(), 'own', currency, date '2023-01-01' + n, '2026-11-20', '2026-11-20', differing::int, differing::int,
      CASE WHEN differing THEN '[{"why":"missing_here","kind":"payment","key":"7","unexplained_amount":1}]'::jsonb ELSE '[]' END
    FROM unnest('{${CURRENCIES}}'::text[]) AS currency CROSS JOIN generate_series(0, ${DAYS - 1}) AS n
      CROSS JOIN LATERAL (SELECT n = 0 AND currency = 'BTC' AS differing) AS d`);
});
afterAll(() => trilho.stop());

const request = (query: string) => ({
  ...{ query: new URLSearchParams(query), accountId },
  ...{ mode: 'live' as const, language: 'en' as const },
});

async function rowsOf({ pieces }: ExportFile): Promise<string[]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text.split('\r\n').slice(1, -1);
}

test('the file of days has every day of every currency once, however many there are', async () => {
  const file = await openReconciliationCsv(trilho.deps, request('format=iso'));
  const days = (await rowsOf(file)).map((row) => row.split(',').slice(0, 3).join());
  expect([file.totalRows, days.length, new Set(days).size]).toEqual(Array(3).fill(DAYS * CURRENCIES.length));
});

test('the files of differences, of one day and of all, have what differs of the oldest day', async () => {
  const { rows } = await trilho.deps.db.pool.query('SELECT id FROM reconciled_days WHERE item_count > 0');
  for (const query of ['format=iso', `format=iso&day_id=${rows[0]?.id}`])
    expect(await rowsOf(await openReconciliationItemsCsv(trilho.deps, request(query)))).toHaveLength(1);
});

test('the operator’s first page names a day that differs or was not read whole, however old it is', async () => {
  await trilho.asOwner("UPDATE reconciled_days SET unreadable = 2 WHERE currency = 'ETH' AND day = '2023-01-02'");
  const { differingDays } = await getOperatorOverview(trilho.deps);
  expect(differingDays).toMatchObject([
    { currency: 'ETH', day: '2023-01-02', unexplainedAmount: 0n, unreadable: 2 },
    { currency: 'BTC', day: '2023-01-01', unexplainedAmount: 1n, unreadable: 0 },
  ]);
});
