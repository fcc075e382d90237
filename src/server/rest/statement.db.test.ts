import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';

/** The statement over REST: what moved a balance, and what the balance was after it. */

let setup: WebhookMerchants;
let today: string;
let days: string;
beforeAll(async () => {
  setup = await startWebhookMerchants();
  today = dayOf(setup.trilho.deps.clock());
  // Tomorrow is in it, in case midnight passes during the test.
  days = `from=${today}&to=${addDays(today, 1)}`;
});
afterAll(() => setup.stop());

type Entry = {
  entry_number: string;
  type: string;
  day: string;
  amount: number;
  balance_after: number;
  fee: number | null;
  transaction: { transaction_id: string; type: string } | null;
};
type Summary = {
  opening_balance: number;
  credits: number;
  debits: number;
  closing_balance: number;
  entry_count: number;
};
type Page = { data: { balance: string; summary: Summary | null; entries: Entry[] }; next_cursor: string | null };
type Keyed = { apiKey: string };

const get = ({ apiKey }: Keyed, query: string) => setup.trilho.get(`/payments/statement?${query}`, apiKey);
const page = async (by: Keyed, query: string) => (await get(by, query)).body as unknown as Page;

test('a paged statement has each entry once, newest first, with the balance after it', async () => {
  const one = await setup.merchant();
  const charges: string[] = [];
  for (let i = 0; i < 3; i++) charges.push(await setup.paidCharge(one));
  await setup.trilho.post('/payments/transfers/pix', one.apiKey, {
    ...{ amount: 40, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  const entries: Entry[] = [];
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null) {
    pages.push(await page(one, `${days}&limit=3${cursor && `&cursor=${cursor}`}`));
    entries.push(...(pages.at(-1)?.data.entries ?? []));
  }
  expect(
    entries.map(({ entry_number, type, amount, balance_after }) => [entry_number, type, amount, balance_after]),
  ).toEqual([
    ['4', 'pix_withdrawal_requested', -40, 71],
    ['3', 'pix_received', 37, 111],
    ['2', 'pix_received', 37, 74],
    ['1', 'pix_received', 37, 37],
  ]);
  expect(entries.slice(1).map(({ transaction }) => transaction)).toEqual(
    charges.toReversed().map((transaction_id) => ({ transaction_id, type: 'pix_in' })),
  );
  expect(pages.map(({ data }) => data.summary)).toEqual([
    { opening_balance: 0, credits: 111, debits: -40, closing_balance: 71, entry_count: 4 },
    null,
  ]);
  // The default is the available balance; what a withdrawal takes is blocked until it is sent.
  expect(pages[0]?.data.balance).toBe('available');
  expect((await page(one, `${days}&balance=blocked`)).data.entries.at(-1)).toMatchObject({
    ...{ type: 'pix_withdrawal_requested', amount: 40, balance_after: 40 },
  });
  expect((await page(one, `from=${addDays(today, -30)}&to=${addDays(today, -1)}`)).data.entries).toEqual([]);
});

test("another account's entries are in no statement, and no entry has a text of its transaction", async () => {
  const one = await setup.merchant();
  const other = await setup.merchant();
  await setup.paidCharge(one, { customerName: 'Maria da Silva', description: 'Pedido 1042' });
  expect((await page(other, days)).data).toMatchObject({ entries: [], summary: { closing_balance: 0 } });
  const answer = await get(one, days);
  expect((answer.body as unknown as Page).data.entries).toHaveLength(1);
  expect(answer.text).not.toMatch(/Maria|Pedido/);
});

test('a key that is denied the balance until the verification is approved is denied the statement', async () => {
  const { apiKey } = await setup.trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const answer = await get({ apiKey }, days);
  expect([answer.status, answer.body]).toMatchObject([403, { error: 'KYC não aprovado', kyc_status: 'pending' }]);
});

test.each([
  ['to=2026-11-20', 'from', 'Deve ser um dia que existe, ex.: 2026-11-20.'],
  ['from=2026-11-31&to=2026-12-01', 'from', 'Deve ser um dia que existe, ex.: 2026-11-20.'],
  ['from=2026-11-20T00:00:00Z&to=2026-11-20', 'from', 'Deve ser um dia que existe, ex.: 2026-11-20.'],
  ['from=2026-11-20&to=2026-11-19', 'to', 'O último dia vem antes do primeiro.'],
  ['from=2025-11-18&to=2026-11-20', 'to', 'Escolha no máximo 366 dias.'],
  ['from=2026-11-20&to=2026-11-20&balance=owed', 'balance', 'Deve ser available, pending ou blocked.'],
  ['from=2026-11-20&to=2026-11-20&cursor=-1', 'cursor', 'Deve ser o next_cursor da página anterior.'],
  ['from=2026-11-20&to=2026-11-20&limit=101', 'limit', 'Deve ser um número inteiro de 1 a 100.'],
])('a statement of "%s" is rejected: %s: %s', async (query, field, message) => {
  const { apiKey } = await setup.merchant();
  const answer = await get({ apiKey }, query);
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: 'Dados inválidos', details: [{ field, message }] },
  ]);
});
