import { afterAll, beforeAll, expect, test } from 'vitest';
import { maskDocument } from '#domain/encryption/masked.ts';
import { payCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

const MARIA = '52998224725';
const JOAO = '39053344705';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

type Account = Awaited<ReturnType<typeof open>>;
async function open() {
  const account = await trilho.openAccount();
  return { ...account, panel: await panelCaller(trilho.deps, account.accountId) };
}

async function charge({ apiKey }: Account, document: string, more: object = {}): Promise<string> {
  const body = { amount: 100, customerDocument: document, customerDocumentType: 'cpf', ...more };
  return transactionIdOf(await trilho.post('/payments/transactions', apiKey, body));
}

async function paid(account: Account, document: string, more: object = {}): Promise<string> {
  const id = await charge(account, document, more);
  await payCharge(trilho, account.apiKey, id);
  return id;
}

test('a customer has the paid and refunded amounts of the ledger, and the newest name, e-mail and telephone', async () => {
  const account = await open();
  const first = await paid(account, MARIA, {
    amount: 100.5,
    customerName: 'Maria da Silva',
    customerPhone: '11987654321',
  });
  await paid(account, MARIA, { amount: 50, customerName: 'Maria da Silva Santos', customerEmail: 'maria@example.com' });
  await charge(account, MARIA, { amount: 999 });
  await charge(account, JOAO);
  await account.panel.transactions.refund({ transactionId: first, amount: 20 });
  const customer = await trilho.until('the refund is done', async () => {
    const found = await account.panel.customers.get({ customer_id: first });
    return found.refunded > 0 ? found : null;
  });
  const detail = await account.panel.detail.get({ transaction_id: first });
  expect(customer).toEqual({
    customer_id: first,
    name: 'Maria da Silva Santos',
    email: 'maria@example.com',
    document: '***.982.247-**',
    document_type: 'cpf',
    phone: '+55 11 *****-4321',
    paid_count: 2,
    count: 3,
    paid: 150.5,
    refunded: 20,
    total: 130.5,
    first_paid_at: detail.transaction.paid_at,
    last_paid_at: expect.any(String),
    newest_at: expect.any(String),
  });
});

test('each transaction names its customer, and a customer has all of their transactions and nobody else’s', async () => {
  const account = await open();
  const ids = [await charge(account, MARIA), await charge(account, JOAO), await charge(account, MARIA)];
  const [oldest, other, newest] = ids as [string, string, string];
  for (const id of [oldest, newest]) {
    expect(await account.panel.customers.get({ customer_id: id })).toMatchObject({ customer_id: oldest, count: 2 });
    const { transactions } = await account.panel.customers.transactions({ customer_id: id.toUpperCase() });
    expect(transactions.map(({ transaction_id }) => transaction_id)).toEqual([newest, oldest]);
  }
  const { customers } = await account.panel.customers.list({});
  expect(customers.map(({ customer_id }) => customer_id)).toEqual([oldest, other]);
});

test('the same document in two accounts is two customers, and another account’s is not found', async () => {
  const [one, other] = [await open(), await open()];
  const own = await charge(one, MARIA, { customerName: 'Maria de Uma' });
  const foreign = await charge(other, MARIA, { customerName: 'Maria de Outra' });
  expect(await one.panel.customers.get({ customer_id: own })).toMatchObject({ name: 'Maria de Uma', count: 1 });
  for (const id of [foreign, '01900000-0000-7000-8000-000000000000', 'x', '']) {
    for (const read of [one.panel.customers.get, one.panel.customers.transactions])
      await expect(read({ customer_id: id })).rejects.toMatchObject({ cause: { code: 'customer_not_found' } });
  }
  for (const text of ['Maria de Outra', MARIA]) {
    const { customers } = await one.panel.customers.list({ text });
    expect(customers.map(({ customer_id }) => customer_id)).toEqual(text === MARIA ? [own] : []);
  }
});

test('a charge without a document is no customer’s', async () => {
  const account = await open();
  const id = transactionIdOf(
    await trilho.post('/payments/transactions', account.apiKey, { amount: 10, customerName: 'Ana' }),
  );
  expect((await account.panel.customers.list({})).customers).toEqual([]);
  expect((await account.panel.customers.list({ text: 'Ana' })).customers).toEqual([]);
  await expect(account.panel.customers.get({ customer_id: id })).rejects.toMatchObject({
    cause: { code: 'customer_not_found' },
  });
});

test.each([
  ['the document as people write it', '529.982.247-25'],
  ['a name that they had before', 'antiga'],
  ['an e-mail', 'maria@nova.example'],
  ['a telephone without its country', '11 98765-4321'],
])('a customer is found by %s, once', async (_, text) => {
  const account = await open();
  const first = await charge(account, MARIA, { customerName: 'Maria Antiga', customerPhone: '11987654321' });
  await charge(account, MARIA, { customerName: 'Maria Nova', customerEmail: 'maria@nova.example' });
  await charge(account, JOAO, { customerName: 'João', customerEmail: 'joao@velha.example' });
  const { customers, next_cursor, has_more } = await account.panel.customers.list({ text });
  expect(customers).toMatchObject([{ customer_id: first, name: 'Maria Nova' }]);
  expect([next_cursor, has_more]).toEqual([null, false]);
});

test('a search says that there may be more customers where one has more transactions than it reads', async () => {
  const account = await open();
  const older = await charge(account, JOAO, { customerName: 'Souza Filho' });
  const newest = await charge(account, MARIA, { customerName: 'Souza Mãe' });
  const find = async () => {
    const { customers, has_more } = await account.panel.customers.list({ text: 'souza' });
    return [customers.map(({ customer_id }) => customer_id).includes(older), has_more];
  };
  expect(await find()).toEqual([true, false]);
  // Between the two in time.
  const insert = (from: number, to: number) =>
    trilho.asOwner(`INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object(
        'id', left('${older}', 14) || '7fff-bfff-ffff' || lpad(to_hex(n), 8, '0'), 'customer_name', NULL, 'customer_document', NULL))).*
      FROM transactions t, generate_series(${from}, ${to}) AS n WHERE t.id = '${newest}'`);
  await insert(1, 1_997);
  expect(await find()).toEqual([true, false]);
  await insert(1_998, 2_000);
  expect(await find()).toEqual([false, true]);
});

test('the list of customers is read page by page, each customer once, also those who pay meanwhile, the newest transaction first', async () => {
  const account = await open();
  const all = Array.from({ length: 52 }, (_, n) => cpf(100_000_000 + n * 37));
  const documents = all.slice(0, 27);
  const named = { amount: 1, customerName: 'Souza' };
  for (const document of documents) await charge(account, document, named);
  // The oldest customer comes back, and is at the top once.
  await charge(account, documents[0] ?? '', { amount: 1 });
  const first = await account.panel.customers.list({});
  // While the first page is read, one of the second comes back, and one of the first again.
  for (const again of [documents[1], documents[0]]) await charge(account, again ?? '', { amount: 1 });
  const second = await account.panel.customers.list({ cursor: first.next_cursor });
  expect([first.customers.length, second.customers.length, second.next_cursor]).toEqual([25, 2, null]);
  const counts = [...first.customers, ...second.customers].map(({ count }) => count);
  expect(counts).toEqual([2, ...Array(25).fill(1), 2]);
  const ids = [...first.customers, ...second.customers].map(({ customer_id: id }) => id);
  expect(new Set(ids).size).toBe(27);

  // A search shows fifty, those with the newest transaction of this name.
  for (const document of all.slice(27)) await charge(account, document, named);
  const found = await account.panel.customers.list({ text: 'souza' });
  const shown = all.slice(2).reverse();
  expect(found.customers.map(({ document }) => document)).toEqual(shown.map(maskDocument));
  expect(found.has_more).toBe(true);
});

/** A CPF of nine digits, with its check digits. */
function cpf(number: number): string {
  const digits = [...String(number)].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
