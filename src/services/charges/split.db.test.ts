import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** What the REST API shows each of the two accounts of a split charge. */

let trilho: TestService;
let days: string;
beforeAll(async () => {
  trilho = await startTestService();
  const today = dayOf(trilho.deps.clock());
  // With tomorrow, in case midnight passes during the tests.
  days = `from=${today}&to=${addDays(today, 1)}`;
});
afterAll(() => trilho.stop());

type Data = Record<string, unknown>;

async function shop(email = `${randomUUID()}@example.com`) {
  const { apiKey, accountId } = await trilho.openAccount({
    ...{ email, fees: [{ type: 'pix_in', fee: { bps: 100, fixedCentavos: 0n } }] },
  });
  const read = async (path: string) => (await trilho.get(path, apiKey)).body.data;
  return {
    ...{ apiKey, accountId, email },
    charge: async (body: object, headers = {}) => {
      const answer = await trilho.post('/payments/transactions', apiKey, { amount: 100, ...body }, headers);
      return answer.body.data as Data & { transaction_id: string };
    },
    list: async () => (await read('/payments/transactions')) as (Data & { transaction_id: string })[],
    detail: async (id: string) => (await read(`/payments/transactions/${id}`)) as Data,
    available: async () => ((await read('/payments/balance')) as { available_balance: number }).available_balance,
    entries: async () => ((await read(`/payments/statement?${days}`)) as { entries: Data[] }).entries,
  };
}

const becomes = (one: Awaited<ReturnType<typeof shop>>, id: string, wanted: Data) =>
  trilho.until('the charge is as wanted', async () => {
    const found = await one.detail(id);
    return Object.entries(wanted).every(([name, value]) => found[name] === value) || null;
  });

test('the answer to a new charge says who else is credited and how much, whichever way the receiver was named', async () => {
  const [one, other] = [await shop(), await shop()];
  const split = { account_id: other.accountId, amount: 30.5 };
  for (const receiver of [{ splitReceiverUserId: other.accountId }, { splitReceiverEmail: other.email }]) {
    const headers = { 'idempotency-key': randomUUID() };
    const created = await one.charge({ ...receiver, splitAmount: 30.5 }, headers);
    expect(created.split).toEqual(split);
    expect(await one.charge({ ...receiver, splitAmount: 30.5 }, headers)).toEqual(created);
    expect(await one.detail(created.transaction_id)).toMatchObject({ split, net_amount: 68.5 });
  }
  expect((await one.charge({})).split).toBeNull();
});

test('a paid charge is 100 - 1 - 30 = 69 to its account, in each place, and 30 to the receiver, who sees nothing else of it', async () => {
  const [one, other] = [await shop(), await shop()];
  const { transaction_id: id } = await one.charge({ splitReceiverUserId: other.accountId, splitAmount: 30 });
  expect(await other.list()).toEqual([]);
  await trilho.pay(id);
  await becomes(one, id, { status: 'paid' });

  const settled = { gross: 100, fees: 1, split: 30, refunded: 0, net: 69 };
  expect(await one.list()).toMatchObject([{ transaction_id: id, net_amount: 69, settled }]);
  expect(await one.entries()).toMatchObject([
    { type: 'pix_received', amount: 69, transaction: { transaction_id: id } },
  ]);
  expect(await readEventData(trilho.deps, id)).toMatchObject([
    { amount: 100, amount_fees: 1, split: { account_id: other.accountId, amount: 30 }, net_amount: 69 },
  ]);

  const [part, ...more] = await other.list();
  expect(more).toEqual([]);
  const partId = part?.transaction_id ?? '';
  const own = { type: 'split_in', status: 'paid', amount: 30, amount_fees: 0, net_amount: 30 };
  expect(part).toMatchObject(own);
  expect(await other.detail(partId)).toMatchObject({ ...own, split: null, history: [{ event: 'split_in.paid' }] });
  expect(await other.entries()).toMatchObject([
    {
      type: 'split_received',
      amount: 30,
      balance_after: 30,
      transaction: { transaction_id: partId, type: 'split_in' },
    },
  ]);
  expect(await readEventData(trilho.deps, partId)).toMatchObject([own]);
  const everything = JSON.stringify([part, await other.detail(partId), await other.entries()]);
  for (const secret of [id, one.accountId]) expect(everything).not.toContain(secret);
  // Only as figures: an id may have these digits, too.
  expect(everything).not.toMatch(/:(?:100|69)\b/);
});

test('a refund comes out of the charging account alone: the receiver’s part stays, in each place, and gets no event', async () => {
  const [one, other] = [await shop(), await shop()];
  const { transaction_id: id } = await one.charge({ splitReceiverUserId: other.accountId, splitAmount: 30 });
  // A second charge, whose money covers the fee and the split in the refund of the first.
  const { transaction_id: more } = await one.charge({});
  for (const one of [id, more]) await trilho.pay(one);
  await becomes(one, id, { status: 'paid' });
  await becomes(one, more, { status: 'paid' });
  const before = [await other.list(), await other.entries()];
  const partId = (await other.list())[0]?.transaction_id ?? '';

  await trilho.post(`/payments/transactions/${id}/refund`, one.apiKey, {});
  await becomes(one, id, { status: 'refunded' });
  expect(await one.detail(id)).toMatchObject({
    split: { account_id: other.accountId, amount: 30 },
    settled: { gross: 100, fees: 1, split: 30, refunded: 100, net: -31 },
  });
  expect(await one.available()).toBe(69 + 99 - 100);
  const [, refunded] = await readEventData(trilho.deps, id);
  expect(refunded).toMatchObject({ refund_amount: 100, split: { account_id: other.accountId, amount: 30 } });

  expect([await other.list(), await other.entries()]).toEqual(before);
  expect(await other.available()).toBe(30);
  expect(await readEventData(trilho.deps, partId)).toHaveLength(1);
});
