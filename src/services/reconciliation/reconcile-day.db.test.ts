import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listReconciledDays, listReconciliationItems, type ReconciledDay } from '#db/reconciliation/reconciled-days.ts';
import { planRail } from '#db/reconciliation/run-reconciliation.ts';
import { insertSweeps } from '#db/sweeps/sweeps.ts';
import { addMemberOf } from '#db/testing/add-member.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PixSentPayment } from '#rails/ports.ts';
import { returnAtPsp } from '#sandbox/pix/refund-records.ts';
import { type PspUnderTest, startPspUnderTest } from '#testing/psp-under-test.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { getWaitingMoney } from '../reviews/get-waiting-money.ts';
import { planSweeps } from '../sweeps/sweep-payments.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { acknowledgeDifference } from './acknowledge-difference.ts';
import { getReconciliationState } from './get-reconciliation-state.ts';
import { listReconciliation } from './list-reconciliation.ts';
import { planReconciliation } from './plan-reconciliation.ts';
import { reconcileDay } from './reconcile-day.ts';
import { requestReconciliation } from './request-reconciliation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let psp: PspUnderTest;
let account: { id: string; apiKey: string };
let merchants = 0;
beforeAll(async () => {
  psp = await startPspUnderTest();
  await planSweeps(psp.service().deps);
  const opened = await psp.service().openAccount({ email: `merchant-${++merchants}@example.com` });
  account = { id: opened.accountId, apiKey: opened.apiKey ?? '' };
});
beforeEach(async () => {
  for (const [name, value] of Object.entries({ 'pix.query': 'ok', 'pix.callback': 'once', 'pix.psp_acts': 'none' }))
    await psp.setSwitch(name, value);
});
afterAll(() => psp.stop());

const deps = () => psp.service().deps;

/** Advances the clock to a later time of the day in São Paulo, and does what is due. */
async function goTo(time: string): Promise<void> {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const midnight = Date.parse(`${today()}T03:00:00Z`);
  psp.advance(midnight + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1_000 - psp.now().getTime());
  await psp.work();
}
const today = () => new Date(psp.now().getTime() - 3 * HOUR_MS).toISOString().slice(0, 10);

/** Advances to the next morning, after the sweeps and the comparison of the night. */
async function sleep(): Promise<void> {
  await goTo('23:59:59');
  psp.advance(2_000);
  await planReconciliation(deps());
  await goTo('03:31');
  await psp.work();
}

async function pay(amount: number, to = account): Promise<{ id: string; endToEndId: string }> {
  const created = await psp.service().post('/payments/transactions', to.apiKey, { amount });
  const id = transactionIdOf(created);
  const control = deps().sandbox;
  if (!control) throw new Error('There is no sandbox.');
  await control.pay({ txid: id.replaceAll('-', ''), force: true });
  const { rows } = await psp.pool.query<{ id: string }>(
    'SELECT end_to_end_id AS id FROM sandbox.payments WHERE txid = $1',
    [id.replaceAll('-', '')],
  );
  await psp.work();
  return { id, endToEndId: rows[0]?.id ?? '' };
}

const days = () =>
  listReconciledDays(deps().db.pool, { accountId: null, rail: null, day: null, before: null, limit: 100 });
async function dayOf(day: string): Promise<ReconciledDay> {
  const found = (await days()).find((one) => one.day === day);
  if (!found) throw new Error(`There is no ${day}.`);
  return found;
}
const itemsOf = (day: ReconciledDay) => listReconciliationItems(deps().db.pool, { dayId: day.id, accountId: null });

/** Has a day compared again, in a new run. */
async function lookAgain(day: string): Promise<ReconciledDay> {
  psp.advance(1_000);
  await requestReconciliation(deps(), { day, rail: null });
  await psp.work();
  return dayOf(day);
}

async function returnPayment(endToEndId: string, centavos: bigint): Promise<void> {
  const db = await psp.pool.connect();
  await returnAtPsp(db, endToEndId, { centavos, nature: 'ORIGINAL', now: psp.now() });
  db.release();
}

const agreed = { unexplainedAmount: 0n, differenceAmount: 0n, balanceDifferenceAmount: 0n, unreadable: 0 };

/** A test account whose clock is ahead by so many days, here and at the sandbox. */
async function openAhead(days: number): Promise<typeof account> {
  const opened = await psp.service().openAccount({ email: `merchant-${++merchants}@example.com` });
  const { accountId: id, apiKey = '' } = opened;
  const aheadMs = days * 24 * HOUR_MS;
  await psp.pool.query('INSERT INTO test_clocks (account_id, ahead_ms, moved_at) VALUES ($1, $2, $3)', [
    ...[id, aheadMs, psp.now()],
  ]);
  await deps().sandbox?.setClock({ id, now: new Date(psp.now().getTime() + aheadMs), txids: [] });
  return { id, apiKey };
}

test('a day of payments, refunds, payouts and acts at the bank agrees to the centavo, and so does the balance, beside a payment to an account whose test clock is ahead', async () => {
  const day = today();
  await pay(9, await openAhead(300));
  await pay(100);
  const refunded = await pay(30);
  await psp.setSwitch('pix.psp_acts', 'pay_key');
  await pay(20);
  await psp.setSwitch('pix.psp_acts', 'send_in_app');
  await pay(7);
  await psp.setSwitch('pix.psp_acts', 'refund_in_app');
  await pay(11);
  await psp.setSwitch('pix.psp_acts', 'none');
  await psp.service().post(`/payments/transactions/${refunded.id}/refund`, account.apiKey, { amount: 12.5 });
  const sent = await psp
    .service()
    .post('/payments/transfers/pix', account.apiKey, { amount: 40, pixKey: 'maria@example.com', pixKeyType: 'email' });
  expect(sent.status).toBe(200);
  for (let look = 0; look < 5; look++) {
    psp.advance(10_000);
    await psp.work();
  }
  // The sweep that runs every ten minutes.
  psp.advance(11 * MINUTE_MS);
  await psp.work();
  await sleep();
  const reconciled = await dayOf(day);
  expect(reconciled).toMatchObject({ ...agreed, isWhole: true, itemCount: 0, explainedAmount: 0n });
  const figures = { receivedAmount: 188_00n, returnedAmount: 23_50n, sentAmount: 47_00n };
  expect(reconciled.theirs).toEqual({ openingAmount: 0n, ...figures, closingAmount: 117_50n });
  expect(reconciled.ours).toEqual(reconciled.theirs);
  expect(reconciled.balanceAmount).toBe(117_50n);
});

test('a payment that the PSP has before midnight and the ledger after it is explained on both days', async () => {
  const day = today();
  await goTo('23:59:58');
  await psp.setSwitch('pix.callback', 'never');
  const late = await pay(5.55);
  await sleep();
  const [before, after] = [await dayOf(day), await lookAgain(today())];
  expect(before).toMatchObject({ ...agreed, explainedAmount: 5_55n });
  expect(await itemsOf(before)).toMatchObject([
    {
      why: 'other_day',
      kind: 'payment',
      key: late.endToEndId,
      theirsAmount: 5_55n,
      oursAmount: 5_55n,
      transactionId: late.id,
    },
  ]);
  expect(after).toMatchObject({ ...agreed, explainedAmount: -5_55n, isWhole: false });
  expect(after.ours.closingAmount).toBe(after.theirs.closingAmount);
});

test('a devolução of an earlier day’s payment is of its own day, and explained where it is booked after midnight', async () => {
  const payment = await pay(60);
  await sleep();
  await sleep();
  const day = today();
  await returnPayment(payment.endToEndId, 15_00n);
  await sleep();
  const returned = await dayOf(day);
  expect(returned).toMatchObject({ ...agreed, explainedAmount: -15_00n, itemCount: 1 });
  expect([returned.theirs.returnedAmount, returned.ours.returnedAmount]).toEqual([15_00n, 0n]);
  await sleep();
  const [after] = await days();
  expect(after).toMatchObject({ ...agreed, explainedAmount: 15_00n });
  expect(after?.ours.closingAmount).toBe(after?.theirs.closingAmount);
});

test('a difference is found on its day and named, and a day that differed ends at zero once it is put right', async () => {
  const day = today();
  const gone = await pay(13);
  const other = await pay(17);
  await goTo('20:00');
  const { rows } = await psp.pool.query('DELETE FROM sandbox.payments WHERE end_to_end_id = $1 RETURNING *', [
    gone.endToEndId,
  ]);
  await psp.pool.query('UPDATE sandbox.payments SET amount_centavos = 1701 WHERE end_to_end_id = $1', [
    other.endToEndId,
  ]);
  await sleep();
  const differing = await dayOf(day);
  expect(differing).toMatchObject({ unexplainedAmount: 13_01n, differenceAmount: -12_99n, explainedAmount: 0n });
  expect(differing.balanceDifferenceAmount).toBe(0n);
  const [state] = await getReconciliationState(deps());
  expect(state).toMatchObject({
    rail: 'sandbox',
    unexplainedAmount: 13_01n,
    unreadable: 0n,
    seconds: 3.5 * 3_600 + 60,
  });
  expect(await itemsOf(differing)).toMatchObject([
    { why: 'missing_there', key: gone.endToEndId, theirsAmount: null, oursAmount: 13_00n, transactionId: gone.id },
    {
      why: 'other_amount',
      key: other.endToEndId,
      theirsAmount: 17_01n,
      oursAmount: 17_00n,
      transactionId: other.id,
    },
  ]);

  await psp.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [rows[0].end_to_end_id, rows[0].document, rows[0].txid, rows[0].chave, rows[0].amount_centavos, rows[0].paid_at],
  );
  await psp.pool.query('UPDATE sandbox.payments SET amount_centavos = 1700 WHERE end_to_end_id = $1', [
    other.endToEndId,
  ]);
  psp.advance(3 * HOUR_MS);
  await psp.work();
  expect(await dayOf(day)).toMatchObject({ ...agreed, itemCount: 0 });
  expect(await getReconciliationState(deps())).toMatchObject([{ unexplainedAmount: 0n }]);
});

test('a payment or payout that only the PSP has is found, also where the sums agree all the same', async () => {
  const day = today();
  const gone = await pay(9);
  await psp.pool.query('DELETE FROM sandbox.payments WHERE end_to_end_id = $1', [gone.endToEndId]);
  await sleep();
  // After the sweeps, which would have booked it.
  await psp.pool.query(
    `INSERT INTO sandbox.payouts (id_envio, document, end_to_end_id, chave, payee_key, amount_centavos, status, ends_as, asked_at, settled_at)
     SELECT 'psp1', document, 'E55555555202611201200AbCdEfGhIjK', chave, 'x', 900, 'REALIZADO', 'REALIZADO', $1, $1 FROM sandbox.payments LIMIT 1`,
    [new Date(`${day}T22:00:00Z`)],
  );
  await psp.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
     SELECT 'E44444444202611201200AbCdEfGhIjK', document, chave, 1800, $1 FROM sandbox.payments LIMIT 1`,
    [new Date(`${day}T22:00:00Z`)],
  );
  const differing = await lookAgain(day);
  expect(differing).toMatchObject({ differenceAmount: 0n, unexplainedAmount: 36_00n });
  const items = await itemsOf(differing);
  expect(items.map(({ why, kind, unexplainedAmount }) => [why, kind, unexplainedAmount])).toEqual([
    ['missing_here', 'payment', 18_00n],
    ['missing_there', 'payment', -9_00n],
    ['missing_here', 'payout', -9_00n],
  ]);
  await psp.pool.query("DELETE FROM sandbox.payouts WHERE id_envio = 'psp1'");
  await psp.pool.query("DELETE FROM sandbox.payments WHERE end_to_end_id LIKE 'E4444%'");
  await psp.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
     SELECT $1, document, chave, 900, $2 FROM sandbox.payments LIMIT 1`,
    [gone.endToEndId, new Date(`${day}T22:00:00Z`)],
  );
  expect(await lookAgain(day)).toMatchObject(agreed);
});

test('a run that dies between two pages goes on with its page, and a page that is read twice counts once', async () => {
  const day = today();
  await psp.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
     SELECT 'E3333333320261120' || lpad(n::text, 15, '0'), document, chave, 1, $1
     FROM generate_series(1, 250) AS n, (SELECT document, chave FROM sandbox.payments LIMIT 1) AS p`,
    [psp.now()],
  );
  psp.advance(11 * MINUTE_MS);
  await psp.work();
  await sleep();
  expect(await dayOf(day)).toMatchObject({ ...agreed, theirs: { receivedAmount: 250n } });

  const [asked] = await requestReconciliation(deps(), { day, rail: null });
  const id = asked?.id ?? '';
  const state = async () =>
    (await psp.pool.query('SELECT run_step AS step, run_page AS page FROM reconciled_days WHERE id = $1', [id]))
      .rows[0];
  await reconcileDay(deps(), id);
  expect(await state()).toEqual({ step: 'received', page: 1 });
  await psp.setSwitch('pix.query', 'error');
  await expect(reconcileDay(deps(), id)).rejects.toThrow();
  expect(await state()).toEqual({ step: 'received', page: 1 });
  await psp.setSwitch('pix.query', 'ok');
  await Promise.all([reconcileDay(deps(), id), reconcileDay(deps(), id)]);
  await psp.work();
  expect(await state()).toEqual({ step: null, page: expect.any(Number) });
  expect(await dayOf(day)).toMatchObject({ ...agreed, theirs: { receivedAmount: 250n } });
  const { rows } = await psp.pool.query('SELECT count(*)::int AS left FROM listed_movements');
  expect(rows).toEqual([{ left: 0 }]);
});

test('a payment or devolução that the PSP lists late under a day which agreed has that day compared again', async () => {
  const day = today();
  await sleep();
  expect(await dayOf(day)).toMatchObject(agreed);
  // Listed by the PSP only now: the sweep of the next night reads three days.
  await psp.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
     SELECT 'E22222222202611201200AbCdEfGhIjK', document, chave, 222, $1 FROM sandbox.payments LIMIT 1`,
    [new Date(`${day}T20:00:00Z`)],
  );
  await sleep();
  expect(await dayOf(day)).toMatchObject({ ...agreed, itemCount: 0 });
  // Once the day on which it was booked is compared.
  const { endToEndId } = await pay(5);
  const next = today();
  await sleep();
  expect(await dayOf(day)).toMatchObject({ ...agreed, explainedAmount: 2_22n });
  await returnPayment(endToEndId, 1_00n);
  await psp.pool.query('UPDATE sandbox.refunds SET settled_at = $1 WHERE end_to_end_id = $2', [
    ...[new Date(`${next}T20:00:00Z`), endToEndId],
  ]);
  await sleep();
  await sleep();
  expect(await dayOf(next)).toMatchObject({ explainedAmount: -3_22n });
  for (const one of await days()) expect(one).toMatchObject(agreed);
});

test('a devolução listed under an old payment, and a payout that the PSP settled days after the ledger, are found', async () => {
  const old = await pay(30);
  await sleep();
  const day = today();
  await psp.service().post(`/payments/transactions/${old.id}/refund`, account.apiKey, { amount: 12 });
  const asked = { amount: 10, pixKey: 'maria@example.com', pixKeyType: 'email' };
  const sent = await psp.service().post('/payments/transfers/pix', account.apiKey, asked);
  const id = transactionIdOf(sent);
  for (let look = 0; look < 3; look++) {
    psp.advance(10_000);
    await psp.work();
  }
  for (const table of ['transactions', 'sandbox.payments'])
    await psp.pool.query(`UPDATE ${table} SET paid_at = paid_at - interval '100 days' WHERE end_to_end_id = $1`, [
      old.endToEndId,
    ]);
  const atPsp = (set: string) =>
    psp.pool.query(`UPDATE sandbox.payouts SET ${set} WHERE id_envio = $1`, [id.replaceAll('-', '')]);
  await atPsp("asked_at = asked_at + interval '60 hours', settled_at = NULL, status = 'EM_PROCESSAMENTO'");
  await sleep();
  const differing = await dayOf(day);
  expect((await itemsOf(differing)).filter((one) => one.unexplainedAmount !== 0n)).toMatchObject([
    { why: 'missing_there', kind: 'payout', oursAmount: -10_00n },
  ]);
  expect(differing).toMatchObject({ theirs: { returnedAmount: 12_00n }, ours: { returnedAmount: 12_00n } });
  await sleep();
  await sleep();
  await atPsp(`settled_at = '${psp.now().toISOString()}', status = 'REALIZADO'`);
  await sleep();
  for (const one of await days()) expect(one).toMatchObject(agreed);
  expect(await dayOf(day)).toMatchObject({ explainedAmount: 10_00n, itemCount: 1 });
});

test('a balance that was asked for while money was moving is corrected by the next one', async () => {
  const day = today();
  await pay(4);
  await sleep();
  await psp.pool.query('UPDATE reconciled_days SET balance_amount = balance_amount + 400 WHERE day = $1', [day]);
  expect(await lookAgain(day)).toMatchObject(agreed);
  await psp.pool.query('UPDATE reconciled_days SET balance_amount = balance_amount + 400 WHERE day = $1', [day]);
  await sleep();
  for (const one of await days()) expect(one).toMatchObject(agreed);
});

test('a day that was compared while it was under way is compared again, long after it too, and what was sent meanwhile agrees', async () => {
  const day = today();
  await pay(2);
  expect(await lookAgain(day)).toMatchObject({ ...agreed, isWhole: false });
  await pay(3);
  // At the bank, while the service is away.
  await psp.pool.query(
    `INSERT INTO sandbox.payouts (id_envio, document, end_to_end_id, chave, payee_key, amount_centavos, status, ends_as, asked_at, settled_at)
     SELECT 'psp2', document, 'E55555555202611201200BbCdEfGhIjK', chave, 'x', 100, 'REALIZADO', 'REALIZADO', $1, $1 FROM sandbox.payments LIMIT 1`,
    [new Date(psp.now().getTime() + 12 * HOUR_MS)],
  );
  psp.advance(120 * HOUR_MS);
  await planReconciliation(deps());
  await psp.work();
  expect(await dayOf(day)).toMatchObject({ ...agreed, isWhole: true, balanceAmount: null });
  psp.advance(10 * MINUTE_MS);
  await psp.work();
  await sleep();
  for (const one of await days()) expect(one).toMatchObject(agreed);
});

test('what an operator has acknowledged of a day alarms nobody, until something else of it differs', async () => {
  const day = today();
  // As if the PSP were a merchant's own: its members are notified, too.
  const own = await psp.service().openAccount({ mode: 'live', email: `merchant-${++merchants}@example.com` });
  await addMemberOf(psp.pool, own.accountId);
  const setOwner = (id: string | null) => psp.pool.query('UPDATE reconciled_rails SET account_id = $1', [id]);
  const { endToEndId } = await pay(13);
  await goTo('20:00');
  const list = (centavos: number) =>
    psp.pool.query('UPDATE sandbox.payments SET amount_centavos = $2 WHERE end_to_end_id = $1', [endToEndId, centavos]);
  await list(1301);
  await sleep();
  const differing = await dayOf(day);
  const acknowledge = (differences: string | null) =>
    acknowledgeDifference(deps(), { day: differing, differences: differences ?? '', reason: 'Tarifa' });
  expect(await acknowledge('0'.repeat(64))).toBe(false);
  expect(differing).toMatchObject({ unexplainedAmount: 1n, acknowledged: null });
  /** What is logged while the day is compared again, what is shown then, and what the alarm has. */
  const outcome = async () => {
    psp.advance(1_000);
    await requestReconciliation(deps(), { day, rail: null });
    const errors: unknown[] = [];
    const log = { ...deps().log, error: (one: unknown) => void errors.push(one) };
    for (let due: Date | null = psp.now(); due && due <= psp.now(); )
      due = await reconcileDay({ ...deps(), log }, differing.id);
    const open = await listReconciliation(deps(), { accountId: null, isOpen: true });
    const [state] = await getReconciliationState(deps());
    const { acknowledged } = await dayOf(day);
    const notices = await psp.pool.query('SELECT FROM notices WHERE subject_id = $1', [differing.id]);
    const shown = [errors.length, acknowledged?.reason, open.map((one) => one.day), state?.unexplainedAmount];
    return [...shown, notices.rowCount];
  };
  await setOwner(own.accountId);
  expect(await outcome()).toEqual([1, undefined, [day], 1n, 1]);
  expect(await outcome()).toEqual([1, undefined, [day], 1n, 1]);
  expect(await acknowledge(differing.differences)).toBe(true);
  expect(await outcome()).toEqual([0, 'Tarifa', [], 0n, 1]);
  await list(1302);
  expect(await outcome()).toEqual([1, undefined, [day], 2n, 2]);
  expect(await outcome()).toEqual([1, undefined, [day], 2n, 2]);
  await list(1301);
  expect(await outcome()).toEqual([0, 'Tarifa', [], 0n, 2]);
  await list(1300);
  expect(await outcome()).toEqual([0, undefined, [], 0n, 2]);
  await setOwner(null);
});

test('a change of the balance that is in no list is a difference of its day, once', async () => {
  const day = today();
  await pay(3);
  await goTo('22:00');
  // A fee that the PSP takes from the balance: in no list.
  await psp.pool.query(
    `INSERT INTO sandbox.payouts (id_envio, document, end_to_end_id, chave, payee_key, amount_centavos, status, ends_as, asked_at, settled_at)
     SELECT 'fee', document, 'fee', chave, 'x', 119, 'REALIZADO', 'REALIZADO', $1, $1 FROM sandbox.payments LIMIT 1`,
    [new Date('2020-01-01T00:00:00Z')],
  );
  await sleep();
  expect(await dayOf(day)).toMatchObject({
    differenceAmount: 0n,
    balanceDifferenceAmount: -1_19n,
    unexplainedAmount: 1_19n,
  });
  const next = today();
  await sleep();
  const after = await dayOf(next);
  expect(after).toMatchObject(agreed);
  expect(after.theirs.closingAmount).toBe(after.balanceAmount);
});

test('credentials that an account no longer uses are called late by no alarm, once their PSP has not answered to them for a day', async () => {
  const id = uuidv7(psp.now());
  await psp.pool.query(
    `INSERT INTO credentials (id, rail_id, account_id, kind, sealed, is_active, created_at)
     VALUES ($1, $1, $2, 'api_pix', 'sealed', false, $3)`,
    [id, account.id, psp.now()],
  );
  const rail = `own-${id}`;
  const { pool } = deps().db;
  await insertSweeps(pool, [{ id: uuidv7(psp.now()), rail, span: 'recent', dueAt: psp.now() }], psp.now());
  await planRail(pool, { rail, accountId: account.id, since: psp.now() });
  const lateness = async () => {
    const of = <Row extends { rail: string }>(rows: Row[]) => rows.find((row) => row.rail === rail);
    const { sweeps } = await getWaitingMoney(deps());
    return [of(sweeps)?.seconds, of(await getReconciliationState(deps()))?.seconds];
  };
  psp.advance(24 * HOUR_MS - 1);
  expect(await lateness()).toEqual([expect.any(Number), expect.any(Number)]);
  psp.advance(1);
  expect(await lateness()).toEqual([undefined, null]);
  await psp.pool.query('UPDATE credentials SET is_active = true WHERE id = $1', [id]);
  expect(await lateness()).toEqual([expect.any(Number), expect.any(Number)]);
});

test('a Pix that came back weeks after it was sent is found where the PSP lists it, with what was sent', async () => {
  await sleep();
  const day = today();
  const at = psp.now();
  const sent: PixSentPayment = {
    ...{ payoutId: null, endToEndId: 'E44444444202611201200AbCdEfGhIjK', status: 'completed', amountCentavos: 700n },
    sentAt: new Date(at.getTime() - 60 * 24 * HOUR_MS),
    returns: [{ returnId: 'D44444444202611201200AbCdEfGhIjK', amountCentavos: 700n, at }],
  };
  expect(await bookSentPayment(deps(), 'sandbox', sent)).toBe('unmatched');
  psp.advance(24 * HOUR_MS);
  await planReconciliation(deps());
  const rail = await deps().rails.pixNamed('sandbox');
  if (!rail?.payouts) throw new Error('The sandbox sends nothing.');
  const listPayouts = async ({ from, to }: { from: Date; to: Date }) => ({
    outcome: 'done' as const,
    value: { payouts: sent.sentAt >= from && sent.sentAt < to ? [sent] : [], unreadable: 0, hasMore: false },
  });
  const listing = { ...rail, balance: null, payouts: { ...rail.payouts, listPayouts } };
  const listed = { ...deps(), rails: { ...deps().rails, pixNamed: async () => listing } };
  const { id } = await dayOf(day);
  for (const _ of ['received', 'returned', 'sent']) await reconcileDay(listed, id);
  expect(await dayOf(day)).toMatchObject({ unexplainedAmount: 0n, itemCount: 0, theirs: { receivedAmount: 7_00n } });
});
