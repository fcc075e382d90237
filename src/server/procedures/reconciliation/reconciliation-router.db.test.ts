import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '#domain/testing/read-csv.ts';
import { createDownloads } from '#server/panel/downloads.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { putReconciledDays } from '#testing/put-reconciled-days.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
let server: Server;
let accountId: string;
let other: string;
beforeAll(async () => {
  trilho = await startTestService();
  ({ accountId } = await trilho.openAccount());
  ({ accountId: other } = await trilho.openAccount());
  await putReconciledDays(trilho, { accountId, days: 40 });
  const downloads = createDownloads(trilho.deps);
  server = createServer((req, res) => {
    const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://server');
    const reader = { accountId, mode: 'test', hasTestClock: false, language: 'pt-BR' } as const;
    void downloads(req, res, { ...reader, path: pathname.slice(1), query });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await trilho.stop();
});

const download = async (path: string) =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`)).text();

test('a merchant sees the days of their own PSP, page by page, and nobody else does', async () => {
  const panel = await panelCaller(trilho.deps, accountId);
  const first = await panel.reconciliation.list({});
  expect(first.days).toHaveLength(31);
  expect(first.days[0]).toMatchObject({ checked_at: null, whole: false });
  expect(first.days[1]).toMatchObject({
    ...{
      whole: true,
      currency: 'BRL',
      unexplained: '13.01',
      item_count: 3,
      other_days: '5.55',
      balance: first.days[1]?.psp.closing,
    },
    psp: { received: '1217.01', returned: '12.50', sent: '40.00' },
    ledger: { received: '1224.45' },
    difference: { received: '-7.44' },
  });
  for (const { psp } of first.days) {
    const cents = (reais: string) => Math.round(Number(reais) * 100);
    expect(cents(psp.opening) + cents(psp.received) - cents(psp.returned) - cents(psp.sent)).toBe(cents(psp.closing));
  }
  const second = await panel.reconciliation.list({ cursor: first.next_cursor });
  expect([second.days.length, second.next_cursor]).toEqual([9, null]);
  expect(second.days.at(-1)?.psp.opening).toBe('0.00');

  const found = await panel.reconciliation.get({ day_id: first.days[1]?.day_id ?? '' });
  expect(found.day).toEqual(first.days[1]);
  expect(found.items.map(({ reason }) => reason)).toEqual(['missing_there', 'other_amount', 'other_day']);

  const stranger = await panelCaller(trilho.deps, other);
  expect((await stranger.reconciliation.list({})).days).toEqual([]);
  await expect(stranger.reconciliation.get({ day_id: found.day.day_id })).rejects.toMatchObject({
    cause: { code: 'not_found' },
  });
  expect(await stranger.session.me()).toMatchObject({ has_reconciliation: false });
  expect(await panel.session.me()).toMatchObject({ has_reconciliation: true });
});

test('the files have the figures of the page, for people in their words and for programs by name', async () => {
  const [head = [], , differing = []] = readCsv(await download('reconciliation.csv?format=iso'), ',');
  expect(differing[head.indexOf('psp_received')]).toBe('1217.01');
  expect(differing[head.indexOf('unexplained')]).toBe('13.01');
  const [titles = [], first = []] = readCsv(await download('reconciliation-items.csv'), ';');
  expect(titles).toContain('Valor no provedor');
  expect(first[titles.indexOf('Por quê')]).toBe('não está no provedor');
  expect(first[titles.indexOf('Valor aqui')]).toBe('13,00');
  const panel = await panelCaller(trilho.deps, accountId);
  const [, { day_id: agreeing = '' } = {}] = (await panel.reconciliation.list({})).days.slice(1);
  const none = readCsv(await download(`reconciliation-items.csv?format=iso&day_id=${agreeing}`), ',');
  expect(none).toHaveLength(1);
});
