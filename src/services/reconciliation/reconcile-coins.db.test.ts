import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReconciledDays, listReconciliationItems, type ReconciledDay } from '#db/reconciliation/reconciled-days.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { type PspUnderTest, startPspUnderTest } from '#testing/psp-under-test.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { planSweeps } from '../sweeps/sweep-payments.ts';
import { getReconciliationState } from './get-reconciliation-state.ts';
import { planReconciliation } from './plan-reconciliation.ts';
import { requestReconciliation } from './request-reconciliation.ts';

const MINUTE_MS = 60_000;
const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
/** The sandbox's price of a USDT is R$ 5.40, its network's fee 1 USDT. */
const COIN = 10n ** 8n;
let psp: PspUnderTest;
let apiKey: string;
beforeAll(async () => {
  psp = await startPspUnderTest();
  await planSweeps(deps());
  const opened = await psp.service().openAccount({ currency: 'USDT_TRX', kycStatus: 'approved' });
  apiKey = opened.apiKey ?? '';
});
afterAll(() => psp.stop());

const deps = () => psp.service().deps;
const today = () => dateInSaoPaulo(psp.now());

/** Does what is due, at the processor and in the service; then the same with the next sweep. */
async function work(): Promise<void> {
  for (const ms of [2_000, 11 * MINUTE_MS]) {
    psp.advance(ms);
    await psp.work();
  }
}

/** Advances the clock to a later time of the day in São Paulo. */
function goTo(time: string): void {
  psp.advance(Date.parse(`${today()}T${time}-03:00`) - psp.now().getTime());
}

/** Advances to the next morning, after the comparison of the night. */
async function sleep(): Promise<void> {
  goTo('23:59:59');
  psp.advance(2_000);
  await planReconciliation(deps());
  goTo('03:40:00');
  await work();
}

async function newInvoice(amount: number, key = apiKey): Promise<string> {
  const created = await psp.service().post('/payments/deposits/crypto', key, { amount });
  expect(created.status).toBe(201);
  return transactionIdOf(created);
}

async function withdraw(amount: number): Promise<{ id: string; coins: number }> {
  const asked = await psp.service().post('/payments/transfers/crypto', apiKey, { amount, wallet: WALLET });
  expect(asked.status).toBeLessThan(300);
  const { transaction_id: id, crypto_amount: coins } = asked.body.data as {
    transaction_id: string;
    crypto_amount: number;
  };
  return { id, coins };
}

async function pay(id: string, options = {}): Promise<void> {
  const paid = await deps().sandbox?.pay({ txid: uuidToTxid(id), ...options });
  expect(paid).toMatchObject({ outcome: 'done' });
}

async function dayOf(day: string): Promise<ReconciledDay> {
  const days = await listReconciledDays(deps().db.pool, {
    ...{ accountId: null, rail: 'sandbox-crypto', day, before: null, limit: 10 },
  });
  expect(days).toHaveLength(1);
  return days[0] as ReconciledDay;
}

/** Has a day compared again, in a new run. */
async function lookAgain(day: string): Promise<ReconciledDay> {
  await requestReconciliation(deps(), { day, rail: 'sandbox-crypto' });
  await drainDueTasks(deps(), TASK_HANDLERS);
  return dayOf(day);
}

const itemsOf = async (day: ReconciledDay) =>
  (await listReconciliationItems(deps().db.pool, { dayId: day.id, accountId: null })).map(
    ({ why, kind, unexplainedAmount }) => [why, kind, unexplainedAmount],
  );

const agreed = { unexplainedAmount: 0n, differenceAmount: 0n, balanceDifferenceAmount: 0n, unreadable: 0 };

test('a day of deposits and withdrawals agrees in coins, with what they were booked as, the fees and the balance', async () => {
  const day = today();
  await pay(await newInvoice(108));
  const late = await newInvoice(54);
  await pay(late, { share: '0.5' });
  await work();
  await pay(late, { share: '0.5', force: true });
  await newInvoice(27);
  await work();
  // R$ 100.00 are 18.518518… USDT, and the network has six decimals.
  expect(await withdraw(100)).toMatchObject({ coins: 18.518518 });
  // Beside them, by a test clock that is ahead.
  const ahead = await psp.service().openAccount({ currency: 'USDT_TRX', email: 'ahead@example.com' });
  const aheadMs = 100 * 24 * 60 * MINUTE_MS;
  await psp.pool.query('INSERT INTO test_clocks (account_id, ahead_ms, moved_at) VALUES ($1, $2, $3)', [
    ...[ahead.accountId, aheadMs, psp.now()],
  ]);
  const aheadNow = new Date(psp.now().getTime() + aheadMs);
  await deps().sandbox?.setClock({ id: ahead.accountId, now: aheadNow, txids: [] });
  await pay(await newInvoice(216, ahead.apiKey ?? ''));
  await work();
  await sleep();
  const reconciled = await dayOf(day);
  expect(await itemsOf(reconciled)).toEqual([]);
  expect(reconciled).toMatchObject({ ...agreed, currency: 'USDT_TRX', isWhole: true, explainedAmount: 0n });
  expect(reconciled.theirs).toMatchObject({ openingAmount: 0n, receivedAmount: 30n * COIN });
  expect(reconciled.ours.receivedAmount).toBe(30n * COIN);
  expect(reconciled.ours.sentAmount).toBe(reconciled.theirs.sentAmount);
  expect(reconciled.oursCentavos).toEqual({ received: 162_00n, sent: 100_00n });
  // The network's fee, and half a percent of the paid invoices.
  expect(reconciled.feesAmount).toBe(1n * COIN + (30n * COIN) / 200n);
  expect(reconciled.balanceAmount).toBe(1_000_000n * COIN + reconciled.theirs.closingAmount - reconciled.feesAmount);
});

test('a payment after midnight of an invoice of the day before has that day compared again, and is explained on both', async () => {
  const day = today();
  goTo('23:58:00');
  const id = await newInvoice(10.8);
  psp.advance(3 * MINUTE_MS);
  const next = today();
  await planReconciliation(deps());
  await lookAgain(day);
  await pay(id);
  await work();
  await sleep();
  await work();
  const [before, after] = [await dayOf(day), await dayOf(next)];
  expect(before).toMatchObject({ ...agreed, explainedAmount: 2n * COIN });
  expect(await itemsOf(before)).toEqual([['other_day', 'payment', 0n]]);
  expect(after).toMatchObject({ ...agreed, explainedAmount: -2n * COIN });
  expect(after.theirs.closingAmount).toBe(after.ours.closingAmount);
});

test('an operation made at the processor itself is a difference until a sweep has recorded it', async () => {
  const day = today();
  await deps().sandbox?.setSwitch('crypto.processor_acts', 'send_elsewhere');
  const id = await newInvoice(54);
  await pay(id);
  await deps().sandbox?.setSwitch('crypto.processor_acts', 'none');
  psp.advance(5_000);
  await psp.drain();
  const before = await lookAgain(day);
  expect(await itemsOf(before)).toContainEqual(['missing_here', 'payout', -10n * COIN]);
  await work();
  const after = await lookAgain(day);
  expect(after).toMatchObject({ ...agreed, explainedAmount: -10n * COIN });
  expect(await itemsOf(after)).toEqual([['foreign', 'payout', 0n]]);
});

test('an amount that the processor changes, and an operation that it no longer has, are differences of their days, also once these have agreed', async () => {
  await pay(await newInvoice(27), { share: '2' });
  const { id: gone } = await withdraw(21.6);
  await work();
  await work();
  const day = today();
  await sleep();
  expect(await dayOf(day)).toMatchObject(agreed);
  await psp.pool.query(`UPDATE sandbox.crypto_payments SET units = units - 1
    WHERE id = (SELECT max(id) FROM sandbox.crypto_payments)`);
  await psp.pool.query(
    'DELETE FROM sandbox.crypto_payouts WHERE id = (SELECT provider_id FROM transactions WHERE id = $1)',
    [gone],
  );
  await sleep();
  const differing = await dayOf(day);
  expect(await itemsOf(differing)).toEqual([
    ['missing_there', 'payout', 4n * COIN],
    ['other_amount', 'payment', -1n],
    ['foreign', 'payout', 0n],
  ]);
  expect(differing).toMatchObject({ unexplainedAmount: 4n * COIN + 1n, differenceAmount: 4n * COIN - 1n });
  const state = (await getReconciliationState(deps())).find(({ rail }) => rail === 'sandbox-crypto');
  expect(state).toMatchObject({ currency: 'USDT_TRX', unexplainedAmount: 4n * COIN + 1n });
  await psp.pool.query(`UPDATE sandbox.crypto_payments SET units = units + 1
    WHERE id = (SELECT max(id) FROM sandbox.crypto_payments)`);
  expect(await lookAgain(day)).toMatchObject({ unexplainedAmount: 4n * COIN });
});

test('operations without white-label count as unreadable, since their list says too little to compare', async () => {
  const day = today();
  await pay(await newInvoice(10.8));
  await work();
  await deps().sandbox?.setSwitch('crypto.white_label', 'off');
  const found = await lookAgain(day);
  await deps().sandbox?.setSwitch('crypto.white_label', 'on');
  expect(found.unreadable).toBeGreaterThan(0);
  expect(found.balanceDifferenceAmount).toBe(0n);
  // A list that says too little of the days before it has none of them compared again.
  const which = { accountId: null, rail: 'sandbox-crypto', day: null, before: null, limit: 100 };
  const days = await listReconciledDays(deps().db.pool, which);
  expect(days.filter(({ unreadable }) => unreadable > 0)).toHaveLength(1);
  expect(await lookAgain(day)).toMatchObject(agreed);
});

test('a balance that changed by more than its operations did differs on that day, and by nothing on the next', async () => {
  const { id } = await withdraw(10.8);
  await work();
  const day = today();
  expect(await lookAgain(day)).toMatchObject({ balanceDifferenceAmount: 0n });
  // Another one of two coins and the fee, of so long ago that no list has it which is read now.
  await psp.pool.query(
    `INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
      SELECT repeat('0', 24), shop_id, currency, units, wallet, repeat('0', 64), created_at - interval '60 days', completes_at
      FROM sandbox.crypto_payouts WHERE id = (SELECT provider_id FROM transactions WHERE id = $1)`,
    [id],
  );
  const differing = { ...agreed, balanceDifferenceAmount: -3n * COIN };
  expect(await lookAgain(day)).toMatchObject(differing);
  await sleep();
  const next = today();
  await sleep();
  expect(await dayOf(day)).toMatchObject(differing);
  expect(await dayOf(next)).toMatchObject({ balanceDifferenceAmount: 0n });
});

test('a currency that moved while nothing was planned for days is compared from its first movement on', async () => {
  const rail = "rail = 'sandbox-crypto'";
  await psp.pool.query(`DELETE FROM tasks WHERE kind = 'reconcile_day'`);
  await psp.pool.query(`DELETE FROM reconciled_days WHERE ${rail}`);
  await psp.pool.query(`DELETE FROM reconciled_rails WHERE ${rail}`);
  await psp.pool.query(`UPDATE reconciled_processors SET looked_until = $1 WHERE ${rail}`, ['2026-11-20T12:00:00Z']);
  psp.advance(5 * 86_400_000);
  await planReconciliation(deps());
  expect(await dayOf('2026-11-20')).toMatchObject({ checkedAt: null });
});
