import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { listAllReviews, type Resolution, resolveReview } from './resolve-review.ts';

/** What of a crypto payment is above the account's maximum, and an operator decides about. */

let now = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(now) });
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

/** An expired invoice of R$ 108.00, or 20 USDT, in an account with a fee of 1 % + R$ 2.00. */
async function expiredInvoice() {
  const { accountId, apiKey } = await trilho.openAccount({
    currency: 'USDT_BSC',
    fees: [{ type: 'crypto_in', fee: { bps: 100, fixedCentavos: 200n } }],
    limits: [{ name: 'maximal_value_in_crypto', centavos: 200_00n }],
  });
  const created = await trilho.post('/payments/deposits/crypto', apiKey, { amount: 108 });
  const id = transactionIdOf(created);
  now += 2 * HOUR_MS;
  const { pool } = trilho.deps.db;
  const details = async () => (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Details;
  return {
    details,
    lastEvent: async () => (await readEventData(trilho.deps, id)).at(-1),
    /** How many transactions a list of this amount has. */
    async listed(reais: number) {
      const { body } = await trilho.get(`/payments/transactions?min_amount=${reais}&max_amount=${reais}`, apiKey);
      return (body.data as unknown[]).length;
    },
    available: async () => (await findBalances(pool, accountId))?.availableCentavos,
    /** Brings the account other terms while the invoice waits. */
    setTerms: async ({ bps, maximum }: { bps?: number; maximum?: bigint }) => {
      if (bps !== undefined)
        await pool.query('UPDATE account_fees SET bps = $2 WHERE account_id = $1', [accountId, bps]);
      if (maximum !== undefined) {
        await pool.query('UPDATE account_limits SET centavos = $2 WHERE account_id = $1', [accountId, maximum]);
      }
    },
    async payLate(share: string) {
      now += 1_000;
      const before = (await details()).reviews.length;
      await trilho.pay(id, { share, force: true });
      return trilho.until('the rest is in review', async () => {
        if ((await details()).reviews.length === before) return null;
        const open = await listAllReviews(trilho.deps, { waiting: true });
        return open.findLast((one) => one.transactionId === id);
      });
    },
  };
}
type Details = Record<string, unknown> & {
  crypto: Record<string, unknown>;
  reviews: unknown[];
  history: { event: string }[];
  paid_at: string;
};

/** A moment later, because events have the order of their times. */
function resolve(id: string, resolution: Resolution) {
  now += 1_000;
  return resolveReview(trilho.deps, { id, resolution, reason: 'as agreed', by: byOperator('ana') });
}

test('a credited review is credited in details and events, at the fee that the invoice was made with', async () => {
  const invoice = await expiredInvoice();
  await invoice.setTerms({ bps: 500 });
  const first = await invoice.payLate('2');
  expect(first.leftCentavos).toBe(16_00n);
  expect((await invoice.details()).crypto).toMatchObject({
    credited_net_amount: 196,
    credited_fees: 4,
    review_amount: 16,
  });
  expect(await resolve(first.id, 'credit')).toBe('credited');
  // 1 % of all of it, and the fixed part once.
  const all = { credited_net_amount: 211.84, credited_fees: 4.16, review_amount: 0 };
  const details = await invoice.details();
  expect(details).toMatchObject({ net_amount: 211.84, amount_fees: 4.16, crypto: all });
  expect(await invoice.available()).toBe(211_84n);
  // Lists find it by the amount that they show, and by the one that was asked for.
  expect([await invoice.listed(216), await invoice.listed(108), await invoice.listed(200)]).toEqual([1, 1, 0]);
  expect(await invoice.lastEvent()).toMatchObject({
    ...{ status: 'completed', sub_status: 'overpaid', net_amount: 211.84, amount_fees: 4.16, paid_at: details.paid_at },
    ...all,
  });

  // What comes after it says the same of what was before.
  const second = await invoice.payLate('1');
  expect((await invoice.details()).crypto).toMatchObject({ ...all, review_amount: 108 });
  expect(await invoice.lastEvent()).toMatchObject({ ...all, review_amount: 108, net_amount: 211.84 });
  expect(await resolve(second.id, 'write_off')).toBe('written_off');
  expect((await invoice.details()).crypto).toMatchObject(all);
});

test('a review of an invoice of which nothing was credited pays the fixed part of the fee, and says when', async () => {
  const invoice = await expiredInvoice();
  await invoice.setTerms({ maximum: 0n });
  const review = await invoice.payLate('1');
  expect(review.leftCentavos).toBe(108_00n);
  now += HOUR_MS;
  expect(await resolve(review.id, 'credit')).toBe('credited');
  expect(await invoice.available()).toBe(104_92n);
  const paid_at = new Date(now).toISOString();
  const figures = { status: 'completed', sub_status: 'late', net_amount: 104.92, amount_fees: 3.08, paid_at };
  expect(await invoice.details()).toMatchObject(figures);
  expect(await invoice.lastEvent()).toMatchObject({ ...figures, credited_net_amount: 104.92, credited_fees: 3.08 });
});

test('an invoice of which a review credits a part is underpaid, not paid, in details and events', async () => {
  const invoice = await expiredInvoice();
  await invoice.setTerms({ maximum: 0n });
  const review = await invoice.payLate('0.5');
  expect(await resolve(review.id, 'credit')).toBe('credited');
  const details = await invoice.details();
  expect(details).toMatchObject({ status: 'completed', sub_status: 'underpaid', net_amount: 51.46 });
  expect(details.history.at(-1)).toMatchObject({ event: 'crypto_in.underpaid' });
  expect(await invoice.lastEvent()).toMatchObject({ sub_status: 'underpaid', credited_net_amount: 51.46 });
  expect([await invoice.listed(54), await invoice.listed(108)]).toEqual([1, 1]);
});

test('two reviews of an invoice that are credited at once take the fixed part of the fee once', async () => {
  const invoice = await expiredInvoice();
  await invoice.setTerms({ maximum: 0n });
  const reviews = [await invoice.payLate('0.5'), await invoice.payLate('0.5')];
  // Of a payment after the end the merchant hears at once, not only once it is decided about.
  const waiting = { status: 'expired', sub_status: null, review_amount: 108, credited_net_amount: 0 };
  expect(await invoice.lastEvent()).toMatchObject(waiting);
  now += 1_000;
  const { deps } = trilho;
  const { pool } = deps.db;
  const asked: (() => void)[] = [];
  /** Both have read what is credited of the invoice before either credits. */
  const query = async (sql: string | { name?: string }, values: unknown[]) => {
    if (typeof sql === 'object' && sql.name === 'review_credit_invoice') {
      await new Promise<void>((resolve) => {
        asked.push(resolve);
        if (asked.length === reviews.length) for (const one of asked) one();
      });
    }
    return pool.query(sql as string, values);
  };
  const held = { ...deps, db: { ...deps.db, pool: { query } as unknown as typeof pool } };
  const credit = (of: typeof deps, id: string) =>
    resolveReview(of, { id, resolution: 'credit', reason: 'as agreed', by: byOperator('ana') });
  const outcomes = await Promise.all(reviews.map(({ id }) => credit(held, id)));
  expect(outcomes.sort()).toEqual(['changed', 'credited']);
  const [left] = (await listAllReviews(deps, { waiting: true })).filter(({ id }) =>
    reviews.some((review) => review.id === id),
  );
  expect(await resolve(left?.id ?? '', 'credit')).toBe('credited');
  // 1 % of R$ 108.00, and R$ 2.00.
  expect(await invoice.available()).toBe(104_92n);
  expect(await invoice.lastEvent()).toMatchObject({ net_amount: 104.92, amount_fees: 3.08, review_amount: 0 });
});
