import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listAllTransactions } from '#services/operators/list-all-transactions.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** The panel's first page, over what the real services and the sandbox did. */

const HOUR_MS = 3_600_000;
/**
 * 20 November, noon in São Paulo. It runs like a clock from where a test has set it: what the
 * sandbox does a moment later has to arrive.
 */
const START = new Date('2026-11-20T15:00:00.000Z');
let offset = 0;
const began = performance.now();
const clock = () => new Date(START.getTime() + offset + performance.now() - began);
const passes = (ms: number) => {
  offset += ms;
};

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock, variables: { CHARGE_EXPIRY_SECONDS: String(5 * 86_400) } });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  offset = 0;
  await trilho.setSwitch('pix.payout', 'done');
});

async function shop(input: Parameters<TestService['openAccount']>[0] = {}) {
  const { apiKey, accountId } = await trilho.openAccount({ currency: 'USDT_BSC', ...input });
  const panel = await panelCaller(trilho.deps, accountId);
  const status = async (id: string) => (await panel.transactions.get({ transactionId: id })).data.status;
  const becomes = (id: string, wanted: string) =>
    trilho.until(`${id} is ${wanted}`, async () => ((await status(id)) === wanted ? true : null));
  const ask = async (path: string, body: object) => {
    const answer = await trilho.post(path, apiKey, body);
    const { transaction_id: id } = (answer.body.data ?? {}) as { transaction_id?: string };
    if (!id) throw new Error(`${path} answered ${answer.text}`);
    return id;
  };
  return {
    accountId,
    overview: (period: 'today' | '7d' | '30d' | '90d' = 'today') => panel.overview.get({ period }),
    charge: (amount: number) => ask('/payments/transactions', { amount }),
    async listed(filter: Parameters<typeof panel.transactions.list>[0]) {
      return (await panel.transactions.list(filter)).data.map((one) => one.transaction_id);
    },
    cancel: (id: string) => panel.transactions.cancel({ transactionId: id }),
    async pay(id: string, options: { amount?: string } = {}) {
      await trilho.pay(id, options);
      await becomes(id, options.amount ? 'review' : 'paid');
    },
    async invoicePaid(amount: number) {
      const id = await ask('/payments/deposits/crypto', { amount });
      await trilho.pay(id);
      await becomes(id, 'completed');
    },
    withdraw: (amount: number) =>
      ask('/payments/transfers/pix', { amount, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
    refund: (id: string, amount: number) => panel.transactions.refund({ transactionId: id, amount }),
    becomes,
  };
}

test('money counts on the day it came, PIX and crypto apart, against the day before up to the same time', async () => {
  const { charge, pay, cancel, invoicePaid, overview } = await shop({
    fees: [
      { type: 'pix_in', fee: { bps: 100, fixedCentavos: 10n } },
      { type: 'crypto_in', fee: { bps: 150, fixedCentavos: 0n } },
    ],
  });
  await pay(await charge(100));
  const old = await charge(50);
  passes(2 * HOUR_MS);
  // Of yesterday, but later in the day than it is today.
  await pay(await charge(7));
  passes(23 * HOUR_MS);
  await pay(old);
  await cancel(await charge(30));
  await charge(20);
  await invoicePaid(216);

  const { received, conversion, fees, sent, series, period, has_transactions } = await overview();
  expect(received).toEqual({
    amount: 266,
    pix: { count: 1, amount: 50 },
    crypto: { count: 1, amount: 216 },
    before: 100,
    change_percent: 166,
  });
  expect(conversion).toEqual({ made: 3, paid: 1, expired: 0, cancelled: 1, waiting: 1, percent: 33.3 });
  expect(fees).toEqual({ amount: 3.84, received: 3.84, sent: 0 });
  expect(sent).toEqual({ amount: 0, pix: { count: 0, amount: 0 }, crypto: { count: 0, amount: 0 } });
  expect(period.unit).toBe('hour');
  expect(series).toHaveLength(24);
  expect(series[13]).toEqual({ from: '2026-11-21T16:00:00.000Z', pix: 50, crypto: 216 });
  expect(series.filter(({ pix, crypto }) => pix + crypto > 0)).toHaveLength(1);
  expect(has_transactions).toBe(true);

  const week = await overview('7d');
  expect(week.received).toMatchObject({ amount: 373, before: 0, change_percent: null });
  expect(week.series.map(({ pix, crypto }) => [pix, crypto]).slice(-3)).toEqual([
    [0, 0],
    [107, 0],
    [50, 216],
  ]);
  expect(week.conversion).toMatchObject({ made: 6, paid: 4 });
});

test('what was sent out counts with its fee, and what went back to a payer is reported', async () => {
  const { charge, pay, withdraw, refund, becomes, overview } = await shop({
    fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 150n } }],
  });
  const paid = await charge(200);
  await pay(paid);
  await becomes(await withdraw(60), 'paid');
  await refund(paid, 40);
  await trilho.until('the refund is there', async () => ((await overview()).refunded.amount === 40 ? true : null));
  expect(await overview()).toMatchObject({
    total: { opening: 0, pending_change: 0, closing: 98.5 },
    received: { amount: 200 },
    refunded: { count: 1, amount: 40 },
    splits: { received: 0, given: 0 },
    sent: { amount: 60, pix: { count: 1, amount: 60 }, crypto: { count: 0, amount: 0 } },
    fees: { amount: 1.5, received: 0, sent: 1.5 },
    balances: { available: 98.5, pending: 0, blocked: 0 },
  });
});

test('an account sees nothing of another one', async () => {
  const other = await shop();
  await other.pay(await other.charge(100));
  const { overview } = await shop();
  const mine = await overview('90d');
  expect(mine).toMatchObject({
    received: { amount: 0, before: 0 },
    conversion: { made: 0, percent: null },
    balances: { available: 0 },
    has_transactions: false,
  });
});

test('an account in order needs nothing; a merchant that is not verified sees its balances and what to do', async () => {
  const nothing = {
    verification: null,
    webhooks: [],
    limits: [],
    stuck_withdrawals: null,
    in_review: null,
    disputes: null,
    unmatched: null,
    unrequested: null,
    awaited_approvals: null,
    awaited_batches: null,
    missing_providers: [],
  };
  expect((await (await shop()).overview()).attention).toEqual(nothing);
  const unverified = await (await shop({ kycStatus: 'pending' })).overview();
  expect(unverified.attention).toEqual({ ...nothing, verification: { state: 'missing', reason: null } });
  expect(unverified.balances).toEqual({ available: 0, pending: 0, blocked: 0, owed: 0 });
});

test('a limit that is used for four fifths is reported, one below is not', async () => {
  const { charge, pay, withdraw, becomes, overview } = await shop({
    limits: [{ name: 'daily_limit_out_pix', centavos: 100_00n }],
  });
  await pay(await charge(200));
  await becomes(await withdraw(79), 'paid');
  expect((await overview()).attention.limits).toEqual([]);
  await becomes(await withdraw(1), 'paid');
  expect((await overview()).attention.limits).toEqual([
    { name: 'daily_limit_out_pix', used: 80, limit: 100, ends_at: '2026-11-21T03:00:00.000Z' },
  ]);
});

test('a withdrawal that has not come to its end after a quarter of an hour is reported, one that has is not', async () => {
  const { charge, pay, withdraw, becomes, overview } = await shop();
  await pay(await charge(200));
  const wasAskedFor = (id: string, minutes: number) =>
    trilho.deps.db.pool.query('UPDATE transactions SET created_at = $2 WHERE id = $1', [
      id,
      new Date(clock().getTime() - minutes * 60_000),
    ]);
  const done = await withdraw(50);
  await becomes(done, 'paid');
  await wasAskedFor(done, 60);
  await trilho.setSwitch('pix.payout', 'silent_lost');
  const open = await withdraw(60);
  await wasAskedFor(open, 14);
  expect((await overview()).attention.stuck_withdrawals).toBeNull();
  await wasAskedFor(open, 16);
  const stuck = { count: 1, amount: 60, oldest_transaction_id: open };
  expect((await overview()).attention.stuck_withdrawals).toMatchObject(stuck);
  // One that waited for its date, or for a second person, is under way from then on.
  await wasAskedFor(open, 40 * 24 * 60);
  const approved = (at: string) =>
    `INSERT INTO withdrawal_approvals (transaction_id, expires_at, outcome, decided_by_id, decided_at)
     VALUES ('${open}', '${at}', 'approved', '${open}', '${at}')
     ON CONFLICT (transaction_id) DO UPDATE SET decided_at = excluded.decided_at`;
  const begun = (at: string) =>
    `UPDATE transactions SET scheduled_for = '${at}', begun_at = '${at}' WHERE id = '${open}'`;
  for (const letGo of [approved, begun]) {
    const since = (minutes: number) => new Date(clock().getTime() - minutes * 60_000).toISOString();
    await trilho.asOwner(letGo(since(14)));
    expect((await overview()).attention.stuck_withdrawals).toBeNull();
    const at = since(16);
    await trilho.asOwner(letGo(at));
    expect((await overview()).attention.stuck_withdrawals).toMatchObject({ ...stuck, oldest_at: at });
  }
});

test('money that waits for the operator is reported, and the list shows what is counted', async () => {
  const { charge, pay, overview, listed, accountId } = await shop();
  const id = await charge(100);
  await pay(id, { amount: '99.00' });
  expect((await overview()).attention.in_review).toMatchObject({ count: 1, amount: 99, oldest_transaction_id: id });
  expect((await overview()).received.amount).toBe(0);
  const paid = await charge(50);
  await pay(paid);
  for (let second = 1; second <= 2; second++) {
    await trilho.pay(paid, { force: true });
    await trilho.until('all payments are in review', async () =>
      (await overview()).attention.in_review?.amount === 99 + second * 50 ? true : null,
    );
  }
  expect((await overview()).attention.in_review).toMatchObject({ count: 2, oldest_transaction_id: id });
  const inReview = { display_status: 'review' };
  expect(await listed(inReview)).toEqual([paid, id]);
  expect(await listed({ ...inReview, text: paid })).toEqual([paid]);
  expect(await listed({ ...inReview, status: 'paid' })).toEqual([paid]);
  const found = { type: null, displayStatus: 'review', from: null, to: null, before: null, limit: 10 } as const;
  for (const account of [accountId, null]) {
    const { transactions } = await listAllTransactions(trilho.deps, { ...found, accountId: account, text: paid });
    expect(transactions.map((one) => one.id)).toEqual([paid]);
  }
});

test('a payout that its provider contradicts is reported, also when it was scheduled months before', async () => {
  const { charge, pay, withdraw, becomes, overview } = await shop();
  await pay(await charge(100));
  const id = await withdraw(60);
  await becomes(id, 'paid');
  const { pool } = trilho.deps.db;
  await pool.query(
    `UPDATE transactions SET status = 'review', created_at = $2, scheduled_for = $3, begun_at = $3 WHERE id = $1`,
    [id, new Date(clock().getTime() - 200 * 24 * HOUR_MS), clock()],
  );
  expect((await overview()).attention.in_review).toMatchObject({ count: 1, amount: 60, oldest_transaction_id: id });
});
