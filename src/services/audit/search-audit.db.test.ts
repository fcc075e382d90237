import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAudit } from '#db/audit/audit.ts';
import { searchAudit } from '#db/audit/search-audit.ts';
import { createOperator } from '#services/operators/manage-operators.ts';
import { operatorBrowser } from '#testing/operator-browser.ts';
import { openBrowser, openMember, type PanelBrowser } from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';

/** An instant of March in UTC; a day of São Paulo begins at 03:00. */
const at = (text: string) => new Date(`2026-03-${text}Z`);
const BASE = { memberId: null, accountId: null, ipAddress: null, userAgent: null, details: {} };

let trilho: TestService;
/** Two merchants, each with a member who has signed in. */
let shop: { merchantId: string; accountId: string; browser: PanelBrowser };
let other: { merchantId: string; accountId: string; browser: PanelBrowser };
let console: PanelBrowser;

beforeAll(async () => {
  trilho = await startTestService();
  shop = await opened('dona@example.com');
  other = await opened('vizinho@example.com');
  const { merchantId, accountId } = shop;
  const note = (entry: object) => insertAudit(trilho.deps.db, { ...BASE, merchantId, accountId, ...entry } as never);
  await note({
    action: 'member.role_changed',
    details: { role_before: 'viewer', role: 'owner' },
    at: at('10T02:59:59.999'),
  });
  await note({
    action: 'account.set',
    details: { 'limit daily_limit_out_pix': '5000', operator: 'rui@trilho.example' },
    at: at('10T03:00:00'),
  });
  await note({ action: 'webhook_secret.revealed', at: at('11T02:59:59.999') });
  await note({ action: 'webhook_secret.rotated', at: at('11T03:00:00') });
  await note({
    merchantId: other.merchantId,
    accountId: other.accountId,
    action: 'webhook_secret.rotated',
    at: at('10T12:00:00'),
  });
  const login = await createOperator(trilho.deps, { name: 'Ana', email: 'ana@trilho.example' });
  if (!login) throw new Error('There is one already.');
  console = await operatorBrowser(trilho, login);
});
afterAll(() => trilho.stop());

async function opened(email: string) {
  const { accountId, merchantId } = await trilho.openAccount();
  const { browser } = await openMember(trilho, email, { merchantId });
  return { accountId, merchantId, browser };
}

type Found = { action: string; changes: { name: string; before: string | null; after: string | null }[] };

async function asked(browser: PanelBrowser, path: string, input: object): Promise<Found[]> {
  const answer = await browser.get(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
  const { result } = answer.body as { result: { data: { entries: Found[] } } };
  return result.data.entries;
}
const activity = async (input: object) => asked(shop.browser, '/api/trpc/test/security.activity', input);
const audit = async (input: object) => asked(console, '/operator/api/trpc/audit.search', input);
const actions = (found: readonly Found[]) => found.map(({ action }) => action);
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

test('members search actions by their text in either language, whatever the capitals, and by their code', async () => {
  for (const text of ['segredo dos webhooks', 'SEGREDO', 'webhook secret', 'webhook_secret', 'webhook_secret.r'])
    expect([text, actions(await activity({ ...MARCH, text }))]).toEqual([
      text,
      ['webhook_secret.rotated', 'webhook_secret.revealed'],
    ]);
  expect(await activity({ ...MARCH, text: 'nada disso' })).toEqual([]);
});

test('members search by who acted: a part of the name of a person, whatever the capitals', async () => {
  const entries = await activity({ who: 'SOUZA' });
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.every((entry) => (entry as unknown as { by: string }).by === 'you')).toBe(true);
  expect(await activity({ who: 'ninguém assim' })).toEqual([]);
  // Members must not find out who operates the installation.
  expect(await activity({ who: 'rui' })).toEqual([]);
});

test('a day that is searched is São Paulo’s, from its first instant to its last', async () => {
  expect(actions(await activity({ from: '2026-03-10', to: '2026-03-10' }))).toEqual([
    'webhook_secret.revealed',
    'account.set',
  ]);
});

test('changes are shown with the values before and after, and members are not shown the operator', async () => {
  const [set, role] = (await activity({ from: '2026-03-09', to: '2026-03-10' })).slice(-2);
  expect([set?.changes, role?.changes]).toEqual([
    [{ name: 'limit daily_limit_out_pix', before: null, after: '5000' }],
    [{ name: 'role', before: 'viewer', after: 'owner' }],
  ]);
});

test('the activity file has what the page shows, of the own merchant only, and only for a session with a role that may see it', async () => {
  const query = new URLSearchParams({ ...MARCH, kind: 'security', format: 'iso' });
  const file = async (browser: PanelBrowser) => browser.get(`/export/test/activity.csv?${query}`);
  const own = await file(shop.browser);
  expect(own.status).toBe(200);
  expect(own.text.split('\r\n').map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
    '"at","action"',
    '2026-03-11T03:00:00.000Z,"webhook_secret.rotated"',
    '2026-03-11T02:59:59.999Z,"webhook_secret.revealed"',
    '2026-03-10T03:00:00.000Z,"account.set"',
    '2026-03-10T02:59:59.999Z,"member.role_changed"',
    '',
  ]);
  expect(own.text).toContain('"role: viewer → owner"');
  expect(own.text).not.toContain('rui@trilho.example');
  expect((await file(other.browser)).text.split('\r\n')).toHaveLength(3);
  expect((await file(openBrowser(trilho))).status).toBe(401);
  const { browser: viewer } = await openMember(trilho, 'leitor@example.com', {
    merchantId: shop.merchantId,
    role: 'viewer',
  });
  expect((await file(viewer)).status).toBe(404);
});

test('an operator finds the records of every merchant and of the installation, by merchant, operator, action and period', async () => {
  expect(actions(await audit({ ...MARCH, text: 'webhook' }))).toHaveLength(3);
  expect(actions(await audit({ ...MARCH, merchant: other.merchantId }))).toEqual(['webhook_secret.rotated']);
  expect(actions(await audit({ ...MARCH, who: 'RUI@' }))).toEqual(['account.set']);
  expect(actions(await audit({ text: 'entrou no console' }))).toEqual(['operator.signed_in']);
  await suspendAccount(
    { ...trilho.deps, operator: 'rui@trilho.example' },
    { accountId: other.accountId, reason: 'Fraude' },
  );
  const [suspended] = await audit({ merchant: other.merchantId });
  expect(suspended).toMatchObject({
    action: 'account.suspended',
    by: 'operator',
    name: 'rui@trilho.example',
    changes: [{ name: 'reason', before: null, after: 'Fraude' }],
  });
});

test('only an operator gets the operator’s audit file, and invalid days are rejected with their field', async () => {
  const path = '/operator/api/audit.csv';
  const file = await console.get(`${path}?${new URLSearchParams({ ...MARCH, format: 'iso' })}`);
  expect([file.status, file.text.split('\r\n').length]).toEqual([200, 7]);
  for (const visitor of [shop.browser, openBrowser(trilho)]) expect((await visitor.get(path)).status).toBe(401);
  const invalid = await console.get(`${path}?from=2026-02-31`);
  expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('"field":"from"')]);
});

test('a search that has read its maximum of records continues where it stopped', async () => {
  const { pool } = trilho.deps.db;
  await pool.query(
    `INSERT INTO audit_records (merchant_id, action, at)
     SELECT $1, 'session.started', now() FROM generate_series(1, 20001)`,
    [shop.merchantId],
  );
  const search = {
    ...({ merchantId: shop.merchantId, kind: 'security', who: null, from: null, until: null, limit: 10 } as const),
    actions: ['webhook_secret_revealed'],
  };
  const first = await searchAudit(pool, { ...search, before: null });
  expect([first.entries, typeof first.next]).toEqual([[], 'bigint']);
  const second = await searchAudit(pool, { ...search, before: first.next });
  expect([actions(second.entries as never), second.next]).toEqual([['webhook_secret.revealed'], null]);
});
