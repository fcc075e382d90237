import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { findForeignPayout } from '#db/unmatched/foreign-payouts.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { readEvents } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { listAllReviews, type Resolution, resolveReview } from '../reviews/resolve-review.ts';
import { planSweeps, runSweep } from '../sweeps/sweep-payments.ts';
import { settlePayout } from '../withdrawals/settle-payout.ts';
import { seenPayout } from '../withdrawals/testing/seen-payout.ts';
import { bookSentPayment } from './book-sent-payment.ts';
import { byOperator } from './by-operator.ts';
import { chargePayout, listAllForeignPayouts, writeOffPayout } from './decide-foreign-payout.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
  await planSweeps(trilho.deps);
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

const by = byOperator('ana');
const decision = (id: string) => ({ id, accountId: null, reason: 'paid by its owner', by });

async function newAccount(mode: 'live' | 'test' = 'test') {
  const { accountId, apiKey } = await trilho.openAccount({
    mode,
    fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 100n } }],
    limits: [{ name: 'daily_limit_out_pix', centavos: 3_400n }],
  });
  return { id: accountId, apiKey: apiKey ?? '' };
}

const earn = (apiKey: string, amount: number) => makePaidCharge(trilho, apiKey, { amount });

/** Pays a charge of this amount and sends as much in the bank's application; returns the latter. */
async function sentAtBank(apiKey: string, amount: number) {
  await trilho.setSwitch('pix.psp_acts', 'send_in_app');
  await earn(apiKey, amount);
  await trilho.setSwitch('pix.psp_acts', 'none');
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>("SELECT id FROM sweeps WHERE span = 'sent_recent'");
  for (const { id } of rows) await runSweep(trilho.deps, id);
  const payout = (await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null })).at(-1);
  if (!payout) throw new Error('Nothing waits.');
  return payout;
}

const balances = async (accountId: string) => {
  const found = await findBalances(trilho.deps.db.pool, accountId);
  return { available: found?.availableCentavos, owed: found?.owedCentavos };
};

test('an account that is charged for money sent at the bank gets a paid withdrawal without a fee, once, and owes what it lacks', async () => {
  const account = await newAccount();
  const payout = await sentAtBank(account.apiKey, 30);
  await earn(account.apiKey, 10);
  expect(await balances(account.id)).toEqual({ available: 4_000n, owed: 0n });
  const charge = () => chargePayout(trilho.deps, { ...decision(payout.id), toAccountId: account.id });
  expect((await Promise.all([charge(), charge(), charge()])).sort()).toEqual(['charged', 'decided', 'decided']);
  expect(await writeOffPayout(trilho.deps, decision(payout.id))).toBe('decided');
  expect(await balances(account.id)).toEqual({ available: 1_000n, owed: 0n });

  const { body } = await trilho.get('/payments/transactions?type=pix_out', account.apiKey);
  const [listed, ...others] = body.data as { transaction_id: string }[];
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ amount: 30, amount_fees: 0, status: 'paid', destination: null });
  const whole = await trilho.get(`/payments/transactions/${listed?.transaction_id}`, account.apiKey);
  expect(whole.body.data).toMatchObject({ pix: { end_to_end_id: payout.endToEndId, pix_key: null } });
  expect(await listAllForeignPayouts(trilho.deps, { waiting: false, accountId: null })).toMatchObject([
    { state: 'charged', transactionId: listed?.transaction_id, reason: 'paid by its owner', decidedBy: 'ana' },
  ]);

  const events = await readEvents(trilho.deps, listed?.transaction_id);
  expect(events).toHaveLength(1);
  expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
    ...{ type: 'pix_out.paid', data: { amount: 30, made_at_bank: true, end_to_end_id: payout.endToEndId } },
  });
  const audited = await trilho.deps.db.pool.query(
    "SELECT details FROM audit_records WHERE account_id = $1 AND action = 'foreign_payout.charged'",
    [account.id],
  );
  expect(audited.rows).toMatchObject([{ details: { subject: listed?.transaction_id, centavos: 3000 } }]);

  // It was not requested of the service, so it uses no limit.
  const next = { amount: 5, pixKey: 'maria@example.com', pixKeyType: 'email' };
  expect((await trilho.post('/payments/transfers/pix', account.apiKey, next)).status).toBeLessThan(300);

  // An account without a balance is charged too, and owes it all.
  const more = await sentAtBank(account.apiKey, 20);
  await trilho.until('the withdrawal has ended', async () =>
    (await balances(account.id)).available === 2_400n ? true : null,
  );
  const other = await newAccount();
  expect(await chargePayout(trilho.deps, { ...decision(more.id), toAccountId: other.id })).toBe('charged');
  expect(await balances(other.id)).toEqual({ available: 0n, owed: 2_000n });
});

test('money sent at the bank is charged to no account of the other mode, nor to one that does not exist, nor by a member whose credentials it did not use', async () => {
  const account = await newAccount();
  const payout = await sentAtBank(account.apiKey, 40);
  const live = await newAccount('live');
  const charge = (toAccountId: string, accountId: string | null = null) =>
    chargePayout(trilho.deps, { ...decision(payout.id), accountId, toAccountId });
  const unknown = '01999999-0000-7000-8000-000000000000';
  expect(await charge(live.id)).toBe('other_rail');
  expect(await charge(unknown)).toBe('unknown_account');
  expect(await charge(account.id, account.id)).toBe('unknown');
  await trilho.asOwner(`UPDATE foreign_payouts SET account_id = '${account.id}' WHERE id = '${payout.id}'`);
  const other = await newAccount();
  expect(await charge(other.id)).toBe('other_rail');
  expect(await charge(other.id, account.id)).toBe('unknown_account');
  expect(await charge(account.id, account.id)).toBe('charged');
  expect(await chargePayout(trilho.deps, { ...decision(unknown), toAccountId: account.id })).toBe('unknown');
});

test('money that a PSP lists without our id is not booked as sent at the bank while it may be a withdrawal of ours', async () => {
  const account = await newAccount();
  await earn(account.apiKey, 20);
  await trilho.setSwitch('pix.payout', 'silent_lost');
  const asked = { amount: 7.31, pixKey: 'maria@example.com', pixKeyType: 'email' };
  const id = transactionIdOf(await trilho.post('/payments/transfers/pix', account.apiKey, asked));
  await trilho.until('it is asked for', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT payout_step FROM transactions WHERE id = $1', [id]);
    return rows[0].payout_step === 'unknown' || null;
  });
  await trilho.setSwitch('pix.payout', 'done');
  const sent = (amountCentavos: bigint, payoutId: string | null, digit: string) =>
    bookSentPayment(trilho.deps, 'sandbox', {
      ...{ payoutId, amountCentavos, endToEndId: `E99999999202611231200${digit.repeat(11)}` },
      ...{ status: 'completed', sentAt: new Date(), returns: [] },
    });
  expect(await sent(731n, null, '1')).toBe('unchanged');
  expect(await sent(732n, null, '2')).toBe('foreign_payout');
  // An id that is not ours says that it is no withdrawal of ours.
  expect(await sent(731n, 'another-system', '3')).toBe('foreign_payout');
});

describe('money of a failed withdrawal that its PSP lists without our id, and then with it', () => {
  let digit = 3;
  /** The withdrawal of 6.20 that failed, and what was booked of its payout. */
  async function listedTwice(decide: (payoutId: string) => Promise<unknown> = async () => null) {
    const account = await newAccount();
    await earn(account.apiKey, 10);
    await trilho.setSwitch('pix.payout', 'refused');
    const asked = { amount: 6.2, pixKey: 'maria@example.com', pixKeyType: 'email' };
    const id = transactionIdOf(await trilho.post('/payments/transfers/pix', account.apiKey, asked));
    const failed = await trilho.until('it failed', async () => {
      const row = await findWithdrawal(trilho.deps.db.pool, id);
      return row?.status === 'failed' ? row : null;
    });
    await trilho.setSwitch('pix.payout', 'done');
    const endToEndId = `E99999999202611231200${String(++digit).repeat(11)}`;
    const sent = { payoutId: null, amountCentavos: 620n, endToEndId, sentAt: new Date(), returns: [] };
    expect(await bookSentPayment(trilho.deps, 'sandbox', { ...sent, status: 'completed' })).toBe('foreign_payout');
    const payout = await waitingOf(endToEndId);
    if (!payout) throw new Error('Nothing waits.');
    await decide(payout.id);
    expect(await settlePayout(trilho.deps, failed, seenPayout('completed', { endToEndId }))).toBe('review');
    const review = (await listAllReviews(trilho.deps, { waiting: true })).find((one) => one.transactionId === id);
    if (!review) throw new Error('Nothing is in review.');
    return { account, id, payout, review, waits: () => waitingOf(endToEndId) };
  }
  const waitingOf = async (endToEndId: string) =>
    (await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null })).find(
      (one) => one.endToEndId === endToEndId,
    );
  const resolve = (id: string, resolution: Resolution) =>
    resolveReview(trilho.deps, { id, resolution, reason: 'it has left', by });
  const settled = async () => {
    const { rows } = await trilho.deps.db.pool.query<{ centavos: bigint }>(
      `SELECT sum(e.amount_centavos)::bigint AS centavos FROM ledger_entries e
       JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE a.kind = 'pix_settlement'`,
    );
    return rows[0]?.centavos ?? 0n;
  };

  test.each([
    ['recover', 'charged', 'paid', 280n],
    ['write_off', 'written_off', 'failed', 1_000n],
  ] as const)(
    'waits for the review alone, whose resolution %s decides both, once',
    async (how, state, status, left) => {
      const { account, id, payout, review, waits } = await listedTwice();
      const before = await settled();
      expect(await waits()).toBeUndefined();
      expect(await writeOffPayout(trilho.deps, decision(payout.id))).toBe('decided');
      expect(await chargePayout(trilho.deps, { ...decision(payout.id), toAccountId: account.id })).toBe('decided');
      expect(review.resolutions).toEqual(['recover', 'write_off']);
      expect(await resolve(review.id, how)).toBe('resolved');
      expect(await findForeignPayout(trilho.deps.db.pool, payout.id)).toMatchObject({
        ...{ state, transactionId: how === 'recover' ? id : null, decidedBy: 'ana', reason: 'it has left' },
      });
      expect(await findWithdrawal(trilho.deps.db.pool, id)).toMatchObject({ status, endToEndId: payout.endToEndId });
      expect(await balances(account.id)).toEqual({ available: left, owed: 0n });
      expect(await settled()).toBe(before);
    },
  );

  test('that was decided before leaves its review nothing but to be dismissed', async () => {
    const { account, review } = await listedTwice((id) => writeOffPayout(trilho.deps, decision(id)));
    expect(review.resolutions).toEqual(['dismiss']);
    expect(await resolve(review.id, 'recover')).toBe('not_possible');
    expect(await resolve(review.id, 'dismiss')).toBe('resolved');
    expect(await balances(account.id)).toEqual({ available: 1_000n, owed: 0n });
  });
});

test('a withdrawal that failed with the payment which its PSP then lists as made, without our id, is in review', async () => {
  const account = await newAccount();
  await earn(account.apiKey, 10);
  await trilho.setSwitch('pix.payout', 'refused');
  const asked = { amount: 6.2, pixKey: 'maria@example.com', pixKeyType: 'email' };
  const id = transactionIdOf(await trilho.post('/payments/transfers/pix', account.apiKey, asked));
  const { db, rails } = trilho.deps;
  const status = async () => (await findWithdrawal(db.pool, id))?.status;
  await trilho.until('it failed', async () => (await status()) === 'failed' || null);
  await trilho.setSwitch('pix.payout', 'done');
  // The answer by which it failed named its payment.
  const endToEndId = `E99999999202611231200${'0'.repeat(11)}`;
  await db.pool.query('UPDATE transactions SET end_to_end_id = $2 WHERE id = $1', [id, endToEndId]);

  const sandbox = await rails.pixNamed('sandbox');
  if (!sandbox?.payouts) throw new Error('The sandbox sends no PIX.');
  const { failureCode, receiver } = seenPayout('completed');
  const paid = { amountCentavos: 620n, endToEndId, status: 'completed', failureCode, receiver } as const;
  const findPayout = async (payoutId: string) => ({ outcome: 'done', value: { ...paid, payoutId } }) as const;
  const now = { ...sandbox, payouts: { ...sandbox.payouts, findPayout } };
  const deps = { ...trilho.deps, rails: { ...rails, pixNamed: async () => now } };
  const book = () => bookSentPayment(deps, 'sandbox', { ...paid, payoutId: null, sentAt: new Date(), returns: [] });
  expect([await book(), await status(), await book()]).toEqual(['review', 'review', 'unchanged']);
});

test('a withdrawal that is completed by a payment which its account was charged for fails as a duplicate, pays nothing again and has no review', async () => {
  const account = await newAccount();
  const payout = await sentAtBank(account.apiKey, 8.4);
  expect(await chargePayout(trilho.deps, { ...decision(payout.id), toAccountId: account.id })).toBe('charged');
  await earn(account.apiKey, 20);
  await trilho.setSwitch('pix.payout', 'silent_lost');
  const asked = { amount: 8.4, pixKey: 'maria@example.com', pixKeyType: 'email' };
  const id = transactionIdOf(await trilho.post('/payments/transfers/pix', account.apiKey, asked));
  const sent = await trilho.until('it is asked for', async () => {
    const row = await findWithdrawal(trilho.deps.db.pool, id);
    return row?.payoutStep === 'unknown' ? row : null;
  });
  await trilho.setSwitch('pix.payout', 'done');
  const { endToEndId } = payout;
  const seen = seenPayout('completed', { endToEndId });
  expect(await settlePayout(trilho.deps, sent, { ...seen, status: 'processing' })).toBe('processing');
  const accepted = { ...sent, status: 'processing' } as const;
  expect(await settlePayout(trilho.deps, accepted, seen)).toBe('failed');
  const failed = await findWithdrawal(trilho.deps.db.pool, id);
  expect(failed).toMatchObject({ status: 'failed', failureCode: 'DUPL', endToEndId: null });
  if (!failed) throw new Error('The withdrawal is lost.');
  expect(await settlePayout(trilho.deps, failed, seen)).toBe('unchanged');
  expect(await findWithdrawal(trilho.deps.db.pool, id)).toMatchObject({ status: 'failed', failureCode: 'DUPL' });
  expect(await balances(account.id)).toEqual({ available: 2_000n, owed: 0n });
});
