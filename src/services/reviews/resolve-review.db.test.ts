import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { listWaiting } from '../operators/list-waiting.ts';
import { bookPayment } from '../unmatched/book-payment.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { settlePayout } from '../withdrawals/settle-payout.ts';
import { seenPayout } from '../withdrawals/testing/seen-payout.ts';
import { getWaitingMoney } from './get-waiting-money.ts';
import { getReview, listAllReviews, type Resolution, resolveReview } from './resolve-review.ts';

let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService();
});
beforeEach(async () => {
  const fees = [
    { type: 'pix_in' as const, fee: { bps: 100, fixedCentavos: 0n } },
    { type: 'pix_out' as const, fee: { bps: 0, fixedCentavos: 100n } },
  ];
  const { accountId, apiKey } = await trilho.openAccount({ fees });
  account = { id: accountId, apiKey: apiKey ?? '' };
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

const by = byOperator('ana');
const resolve = (id: string, resolution: Resolution) =>
  resolveReview(trilho.deps, { id, resolution, reason: 'as agreed', by });
const balance = async () => {
  const found = await findBalances(trilho.deps.db.pool, account.id);
  return found && [found.availableCentavos, found.owedCentavos];
};

async function newCharge(amount: number): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount }));
}

const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => {
    const { rows } = await trilho.deps.db.pool.query<{ amount: bigint; fee: bigint; net: bigint }>(
      'SELECT amount_centavos AS amount, fee_centavos AS fee, net_centavos AS net FROM transactions WHERE id = $1 AND status = $2',
      [id, status],
    );
    return rows[0] ?? null;
  });

const eventsOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query<{ type: string }>(
    'SELECT type FROM events WHERE transaction_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ type }) => type);
};

const reviewOf = async (transactionId: string) => {
  const found = (await listAllReviews(trilho.deps, { waiting: true })).find(
    (one) => one.transactionId === transactionId,
  );
  if (!found) throw new Error('Nothing is in review.');
  return found;
};

/** A charge of 37 reais for which 36.99 arrived. */
async function paidWrong() {
  const id = await newCharge(37);
  await trilho.pay(id, { amount: '36.99' });
  await becomes(id, 'review');
  return { id, review: await reviewOf(id) };
}

describe('a charge that was paid by another amount', () => {
  test('is credited with what was received, of which its fee is taken, once', async () => {
    const { id, review } = await paidWrong();
    expect(review).toMatchObject({
      reason: 'amount_differs',
      leftCentavos: 3699n,
      resolutions: ['credit', 'return', 'write_off'],
    });
    // Who decides in the console sees what came, and what was asked for.
    const waits = (await listWaiting(trilho.deps)).find((one) => one.id === review.id);
    expect(waits).toMatchObject({ centavos: 3_699n, askedCentavos: 3_700n });
    const seen = { id: review.id, resolution: 'credit', reason: 'as agreed', by, amountCentavos: 3_700n } as const;
    expect(await resolveReview(trilho.deps, seen)).toBe('changed');
    const outcomes = await Promise.all([1, 2, 3].map(() => resolve(review.id, 'credit')));
    expect(outcomes.sort()).toEqual(['credited', 'decided', 'decided']);
    expect(await becomes(id, 'paid')).toEqual({ amount: 3699n, fee: 37n, net: 3662n });
    expect(await balance()).toEqual([3662n, 0n]);
    expect(await eventsOf(id)).toEqual(['pix_in.review', 'pix_in.paid']);
    expect(await getReview(trilho.deps, review.id)).toMatchObject({
      resolution: 'credit',
      resolvedBy: 'ana',
      resolutions: [],
    });
    const { rows } = await trilho.deps.db.pool.query(
      "SELECT details FROM audit_records WHERE account_id = $1 AND action = 'review.resolved'",
      [account.id],
    );
    expect(rows).toMatchObject([
      { details: { subject: id, resolution: 'credit', reason: 'as agreed', operator: 'ana' } },
    ]);
  });

  test('of an account whose test clock is ahead is credited in the account’s time, after what it follows', async () => {
    const { id, review } = await paidWrong();
    await trilho.asOwner(`INSERT INTO test_clocks (account_id, moved_at, ahead_ms)
      VALUES ('${account.id}', now(), ${30 * 86_400_000})`);
    expect(await resolve(review.id, 'credit')).toBe('credited');
    const { rows } = await trilho.deps.db.pool.query<{ days: number }>(
      `SELECT extract(day FROM created_at - $2)::integer AS days FROM ledger_transfers
       WHERE transaction_id = $1 AND kind = 'charge_paid'
       UNION ALL SELECT extract(day FROM created_at - $2)::integer FROM events
       WHERE transaction_id = $1 AND type = 'pix_in.paid'`,
      [id, review.createdAt],
    );
    expect(rows).toEqual([{ days: 30 }, { days: 30 }]);
  });

  test('is cancelled once the payment went back', async () => {
    const { id, review } = await paidWrong();
    expect(await resolve(review.id, 'return')).toBe('returning');
    expect(await resolve(review.id, 'credit')).toBe('decided');
    await becomes(id, 'cancelled');
    expect(await getReview(trilho.deps, review.id)).toMatchObject({ resolution: 'return', returnedCentavos: 3699n });
    expect(await eventsOf(id)).toEqual(['pix_in.review', 'pix_in.cancelled']);
    expect(await balance()).toEqual([0n, 0n]);
  });

  test('is cancelled once the payment was given up', async () => {
    const { id, review } = await paidWrong();
    expect(await resolve(review.id, 'write_off')).toBe('written_off');
    await becomes(id, 'cancelled');
    expect(await balance()).toEqual([0n, 0n]);
  });
});

test('a payment that was given up and goes back at its PSP is taken from what was written off, once', async () => {
  const { id, review } = await paidWrong();
  const { pool } = trilho.deps.db;
  const sums = async () => {
    const { rows } = await pool.query<{ kind: string; centavos: bigint }>(
      `SELECT a.kind, sum(e.amount_centavos)::bigint AS centavos FROM ledger_entries e
         JOIN ledger_accounts a ON a.id = e.ledger_account_id JOIN ledger_transfers t ON t.id = e.transfer_id
       WHERE t.transaction_id = $1 GROUP BY a.kind ORDER BY a.kind::text`,
      [id],
    );
    return Object.fromEntries(rows.map(({ kind, centavos }) => [kind, centavos]));
  };
  expect(await resolve(review.id, 'write_off')).toBe('written_off');
  expect(await sums()).toEqual({ pix_settlement: -3699n, suspense: 0n, write_offs: 3699n });

  const rail = await trilho.deps.rails.pixNamed('sandbox');
  const found = await rail?.findPayment(review.endToEndId);
  if (!rail || found?.outcome !== 'done' || !found.value) throw new Error('The PSP does not know the payment.');
  const refund = { completed: true, kind: 'med_return' as const, at: trilho.deps.clock() };
  const parts = [1_000n, 2_699n].map((amountCentavos, n) => ({
    ...{ ...refund, refundId: `med${n}`, returnId: `D${n}`, amountCentavos },
  }));
  const payment = { ...found.value, refunds: parts };
  const booked = await Promise.all([bookPayment(trilho.deps, rail, payment), bookPayment(trilho.deps, rail, payment)]);
  expect(booked.join(' ')).toContain('foreign_refund');
  expect(await bookPayment(trilho.deps, rail, payment)).toBe('unchanged');
  expect(await sums()).toEqual({ pix_settlement: 0n, suspense: 0n, write_offs: 0n });
  expect(await getReview(trilho.deps, review.id)).toMatchObject({
    ...{ resolution: 'write_off', resolvedBy: 'ana', returnedCentavos: 3699n },
  });
  await becomes(id, 'cancelled');
});

test('a second payment becomes a payment of its own, and the charge stays what it is', async () => {
  const id = await newCharge(10);
  await trilho.pay(id);
  await becomes(id, 'paid');
  await trilho.pay(id, { force: true });
  const review = await trilho.until('the second payment is in review', async () => reviewOf(id).catch(() => null));
  expect(review).toMatchObject({ reason: 'second_payment' });
  expect(await resolve(review.id, 'dismiss')).toBe('not_possible');
  expect(await resolve(review.id, 'credit')).toBe('credited');
  expect(await balance()).toEqual([1980n, 0n]);
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT status, amount_centavos AS amount FROM transactions WHERE end_to_end_id = $1',
    [review.endToEndId],
  );
  expect(rows).toEqual([{ status: 'paid', amount: 1000n }]);
  await becomes(id, 'paid');
});

describe('a withdrawal whose end its provider later contradicts', () => {
  /** Withdraws 40 reais of 50, which ends as `end`; then the provider reports the opposite. */
  async function withdraw(end: 'paid' | 'failed') {
    await trilho.setSwitch('pix.payout', end === 'paid' ? 'done' : 'refused');
    const charge = await newCharge(51);
    await trilho.pay(charge);
    await becomes(charge, 'paid');
    const asked = await trilho.post('/payments/transfers/pix', account.apiKey, {
      amount: 40,
      pixKey: 'maria@example.com',
      pixKeyType: 'email',
    });
    const id = transactionIdOf(asked);
    await becomes(id, end);
    const row = await findWithdrawal(trilho.deps.db.pool, id);
    if (!row) throw new Error('no withdrawal');
    const seen = seenPayout(end === 'paid' ? 'failed' : 'completed');
    expect(await settlePayout(trilho.deps, row, seen)).toBe('review');
    return { id, review: await reviewOf(id), sayAgain: () => settlePayout(trilho.deps, row, seen) };
  }

  test.each([
    ['paid', 'dismiss', 'paid', [949n, 0n]],
    ['paid', 'write_off', 'paid', [949n, 0n]],
    ['paid', 'credit', 'failed', [5049n, 0n]],
    ['failed', 'dismiss', 'failed', [5049n, 0n]],
    ['failed', 'write_off', 'failed', [5049n, 0n]],
    ['failed', 'recover', 'paid', [949n, 0n]],
  ] as const)('was %s; after the resolution %s it is %s', async (end, resolution, status, [available, owed]) => {
    const { id, review, sayAgain } = await withdraw(end);
    // Who decides in the console sees what a decision moves: of the account's balance, the fee too.
    const waits = (await listWaiting(trilho.deps)).find((one) => one.id === review.id);
    expect(waits).toMatchObject({ centavos: -4_000n, askedCentavos: null, transactionId: id, endToEndId: null });
    const { waiting } = await getWaitingMoney(trilho.deps);
    expect(waiting.find(({ kind }) => kind === 'review')).toMatchObject({ count: 1, centavos: 4_000n });
    const moves = resolution === 'credit' || resolution === 'recover' ? 4_100n : 4_000n;
    expect(waits?.decisions).toContainEqual({ name: resolution, centavos: moves });
    expect(await resolve(review.id, end === 'paid' ? 'recover' : 'credit')).toBe('not_possible');
    expect(await resolve(review.id, resolution)).toBe('resolved');
    await becomes(id, status);
    expect(await balance()).toEqual([available, owed]);
    expect((await eventsOf(id)).at(-1)).toBe(`pix_out.${status}`);
    const details = (await trilho.get(`/payments/transactions/${id}`, account.apiKey)).body.data;
    const { paid_at } = details as { paid_at: string | null };
    expect(paid_at === null).toBe(status === 'failed');
    expect((await readEventData(trilho.deps, id)).at(-1)).toMatchObject({ status, paid_at });
    // The provider reports the same again: that is decided already.
    expect(await sayAgain()).toBe('unchanged');
    await becomes(id, status);
  });

  test('that is given back is one that failed, of which members of a live account are notified', async () => {
    const opened = await trilho.openAccount({ mode: 'live', kycStatus: 'approved' });
    account = { id: opened.accountId, apiKey: opened.apiKey ?? '' };
    const { id, review } = await withdraw('paid');
    const notified = async () => {
      const { rowCount } = await trilho.deps.db.pool.query(
        `SELECT FROM tasks WHERE kind = 'notify_withdrawal_failed' AND subject_id = $1`,
        [id],
      );
      return rowCount === 1;
    };
    expect(await notified()).toBe(false);
    expect(await resolve(review.id, 'credit')).toBe('resolved');
    expect(await notified()).toBe(true);
  });

  test('is owed when it left after all and its money was spent, and the next receipt pays it first', async () => {
    const { id, review } = await withdraw('failed');
    await trilho.setSwitch('pix.payout', 'done');
    const spent = await trilho.post('/payments/transfers/pix', account.apiKey, {
      amount: 30,
      pixKey: 'maria@example.com',
      pixKeyType: 'email',
    });
    await becomes(transactionIdOf(spent), 'paid');
    expect(await resolve(review.id, 'recover')).toBe('resolved');
    await becomes(id, 'paid');
    expect(await balance()).toEqual([0n, 2151n]);
    const charge = await newCharge(100);
    await trilho.pay(charge);
    await becomes(charge, 'paid');
    expect(await balance()).toEqual([9900n - 2151n, 0n]);
  });
});
