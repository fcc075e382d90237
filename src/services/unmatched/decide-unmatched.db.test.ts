import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { settleCharge } from '../charges/settle-charge.ts';
import { decideWaiting } from '../operators/decide-waiting.ts';
import { planSweeps, runSweep } from '../sweeps/sweep-payments.ts';
import { bookPayment } from './book-payment.ts';
import { byOperator } from './by-operator.ts';
import { assignPayment, depositPayment, listUnmatchedPayments, returnPayment } from './decide-unmatched.ts';

let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService();
  await planSweeps(trilho.deps);
  await trilho.setSwitch('pix.callback', 'never');
});
beforeEach(async () => {
  const { accountId, apiKey } = await trilho.openAccount({
    fees: [{ type: 'pix_in', fee: { bps: 100, fixedCentavos: 0n } }],
  });
  account = { id: accountId, apiKey: apiKey ?? '' };
});
afterEach(async () => {
  await trilho.setSwitch('pix.refund', 'done');
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

const by = byOperator('ana');
const decision = (id: string) => ({ id, accountId: null, reason: 'the payer wrote to us', by });

async function newCharge(amount: number, split: object = {}): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount, ...split }));
}

async function sweep() {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>("SELECT id FROM sweeps WHERE span = 'recent'");
  for (const { id } of rows) await runSweep(trilho.deps, id);
}

/** Makes a payment of this amount to our key, without a charge, and returns it as it waits. */
async function unmatched(amount: number) {
  await trilho.setSwitch('pix.psp_acts', 'pay_key');
  await trilho.pay(await newCharge(amount));
  await trilho.setSwitch('pix.psp_acts', 'none');
  await sweep();
  const waiting = await listUnmatchedPayments(trilho.deps, { waiting: true, accountId: null });
  const payment = waiting.at(-1);
  if (!payment) throw new Error('No payment waits.');
  return payment;
}

const look = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT state, returned_centavos AS returned, reason, decided_by AS by FROM unmatched_payments WHERE id = $1`,
    [id],
  );
  return rows[0];
};
const chargeOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT status, amount_centavos AS amount, fee_centavos AS fee, net_centavos AS net, sub_status AS sub, end_to_end_id AS e2e
     FROM transactions WHERE id = $1`,
    [id],
  );
  return rows[0];
};
const available = async () => (await findBalances(trilho.deps.db.pool, account.id))?.availableCentavos;
const audit = async (of: string | null = account.id) => {
  const { rows } = await trilho.deps.db.pool.query<{ action: string; details: object }>(
    `SELECT action, details FROM audit_records
     WHERE account_id IS NOT DISTINCT FROM $1 AND action LIKE 'unmatched%' ORDER BY id`,
    [of],
  );
  return rows;
};

test('a charge that is not paid takes the amount of a payment assigned to it and is paid, once', async () => {
  const payment = await unmatched(20);
  const before = await available();
  const charge = await newCharge(21);
  await trilho.asOwner(`UPDATE transactions SET status = 'expired' WHERE id = '${charge}'`);
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => assignPayment(trilho.deps, { ...decision(payment.id), chargeId: charge })),
  );
  expect(outcomes.sort()).toEqual(['assigned', 'decided', 'decided']);
  expect(await chargeOf(charge)).toMatchObject({
    status: 'paid',
    amount: 2000n,
    fee: 20n,
    net: 1980n,
    e2e: payment.endToEndId,
  });
  expect(await available()).toBe((before ?? 0n) + 1980n);
  expect(await look(payment.id)).toEqual({
    state: 'assigned',
    returned: 0n,
    reason: 'the payer wrote to us',
    by: 'ana',
  });
  expect(await audit()).toMatchObject([
    { action: 'unmatched.assigned', details: { subject: charge, centavos: 2000, operator: 'ana' } },
  ]);
  const detail = await trilho.get(`/payments/transactions/${charge}`, account.apiKey);
  expect(detail.body.data).toMatchObject({ status: 'paid', amount: 20 });
});

test("an operator who assigns a payment that another one assigns meanwhile gets 'decided'", async () => {
  const payment = await unmatched(20);
  const charge = await newCharge(20);
  const assign = (db: typeof trilho.deps.db) =>
    assignPayment({ ...trilho.deps, db }, { ...decision(payment.id), chargeId: charge });
  let reads = 0;
  const pool = new Proxy(trilho.deps.db.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target);
      return async (...asked: unknown[]) => {
        const answer: unknown = await Reflect.apply(target.query, target, asked);
        // The other operator is faster: between the first read and the second one.
        if (++reads === 1) expect(await assign(trilho.deps.db)).toBe('assigned');
        return answer;
      };
    },
  });
  expect(await assign({ ...trilho.deps.db, pool })).toBe('decided');
});

test('a charge that takes another amount keeps its split amount, and takes no payment that is too small for it', async () => {
  const { accountId: splitReceiverUserId } = await trilho.openAccount();
  const receiver = async () => (await findBalances(trilho.deps.db.pool, splitReceiverUserId))?.availableCentavos;
  const charge = await newCharge(50, { splitReceiverUserId, splitAmount: 10 });
  const little = await unmatched(10);
  expect(await assignPayment(trilho.deps, { ...decision(little.id), chargeId: charge })).toBe('too_little');
  expect(await chargeOf(charge)).toMatchObject({ status: 'pending', amount: 5000n });
  const payment = await unmatched(25);
  const before = await available();
  expect(await assignPayment(trilho.deps, { ...decision(payment.id), chargeId: charge })).toBe('assigned');
  expect(await chargeOf(charge)).toMatchObject({ status: 'paid', amount: 2500n, fee: 25n, net: 1475n });
  expect(await available()).toBe((before ?? 0n) + 1475n);
  expect(await receiver()).toBe(1000n);
  expect(await returnPayment(trilho.deps, decision(little.id))).toBe('returning');
});

test('a payment deposited in an account is a transaction of its own, with the account’s fee, that can be refunded', async () => {
  const payment = await unmatched(30);
  const before = await available();
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: account.id })).toBe('deposited');
  expect(await available()).toBe((before ?? 0n) + 2970n);
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    'SELECT id FROM transactions WHERE end_to_end_id = $1',
    [payment.endToEndId],
  );
  const id = rows[0]?.id ?? '';
  expect(await chargeOf(id)).toMatchObject({ status: 'paid', amount: 3000n, fee: 30n });
  const refund = await trilho.post(`/payments/transactions/${id}/refund`, account.apiKey, { amount: 10 });
  expect(refund.status).toBeLessThan(300);
  await trilho.until('it is refunded', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      "SELECT FROM refunds WHERE transaction_id = $1 AND status = 'completed'",
      [id],
    );
    return rows.length > 0 ? true : null;
  });
});

test('a payment that is returned to its payer leaves suspense once the PSP has returned it', async () => {
  const payment = await unmatched(40);
  expect(await returnPayment(trilho.deps, decision(payment.id))).toBe('returning');
  // It came to the installation's key, so that it is no merchant's.
  const { endToEndId: end_to_end_id } = payment;
  const details = { centavos: 4000, end_to_end_id, reason: 'the payer wrote to us', operator: 'ana' };
  expect(await audit(null)).toContainEqual({ action: 'unmatched.returning', details });
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: account.id })).toBe('decided');
  await trilho.until('it is returned', async () => ((await look(payment.id))?.state === 'returned' ? true : null));
  expect(await look(payment.id)).toMatchObject({ returned: 4000n });
  await sweep();
  expect((await trilho.deps.db.pool.query('SELECT FROM foreign_refunds')).rowCount).toBe(0);

  // The return mechanism takes a part beside it: the platform has lost that.
  await trilho.deps.db.pool.query(
    `INSERT INTO sandbox.refunds (end_to_end_id, id, return_id, amount_centavos, nature, status, ends_as, asked_at, settled_at)
     VALUES ($1, 'med1', 'D99999999202611201200TakenBeside', 1500, 'MED_FRAUDE', 'DEVOLVIDO', 'DEVOLVIDO', $2, $2)`,
    [end_to_end_id, trilho.deps.clock()],
  );
  await sweep();
  expect(await look(payment.id)).toMatchObject({ state: 'returned', returned: 5500n });
  const all = await listUnmatchedPayments(trilho.deps, { waiting: false, accountId: null });
  expect(all.find(({ id }) => id === payment.id)).toMatchObject({ leftCentavos: 0n });
});

test('a return that the PSP rejects waits for another decision', async () => {
  const payment = await unmatched(50);
  await trilho.setSwitch('pix.refund', 'rejected');
  expect(await returnPayment(trilho.deps, decision(payment.id))).toBe('returning');
  await trilho.until('it waits again', async () => ((await look(payment.id))?.state === 'open' ? true : null));
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: account.id })).toBe('deposited');
});

test('the part of a payment that was returned at the bank is not credited', async () => {
  const payment = await unmatched(60);
  await trilho.deps.db.pool.query(
    `INSERT INTO sandbox.refunds (end_to_end_id, id, return_id, amount_centavos, status, ends_as, asked_at, settled_at)
     VALUES ($1, 'app1', 'D99999999202611201200PartReturned', 2500, 'DEVOLVIDO', 'DEVOLVIDO', $2, $2)`,
    [payment.endToEndId, trilho.deps.clock()],
  );
  await sweep();
  expect(await look(payment.id)).toMatchObject({ state: 'open', returned: 2500n });
  // An operator who was shown the whole payment is not taken to have decided about the rest.
  const seen = {
    id: payment.id,
    kind: 'unmatched',
    target: account.id,
    centavos: 6000n,
    reason: 'theirs',
    by,
  } as const;
  for (const decision of ['deposit', 'return'] as const)
    await expect(decideWaiting(trilho.deps, { ...seen, decision })).rejects.toMatchObject({
      params: { why: 'changed' },
    });
  const before = await available();
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: account.id })).toBe('deposited');
  expect(await available()).toBe((before ?? 0n) + 3465n);
});

test('a payment that goes back at the bank while it is deposited is taken from the account', async () => {
  const payment = await unmatched(10);
  const { pool } = trilho.deps.db;
  const rail = await trilho.deps.rails.pixNamed('sandbox');
  const found = await rail?.findPayment(payment.endToEndId);
  if (!rail || found?.outcome !== 'done' || !found.value) throw new Error('The PSP does not know the payment.');
  const back = { amountCentavos: 400n, completed: true, kind: 'made_at_bank' as const, at: trilho.deps.clock() };
  const refunds = [{ ...back, refundId: `back${payment.endToEndId.slice(-6)}`, returnId: null }];

  const before = await available();
  const operator = await pool.connect();
  await operator.query('BEGIN');
  const deps = { ...trilho.deps, db: { ...trilho.deps.db, pool: operator as unknown as typeof pool } };
  expect(await depositPayment(deps, { ...decision(payment.id), toAccountId: account.id })).toBe('deposited');
  const booked = bookPayment(trilho.deps, rail, { ...found.value, refunds });
  await trilho.until('the return waits for the decision', async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'foreign_refund'",
    );
    return rowCount || null;
  });
  await operator.query('COMMIT');
  operator.release();
  expect(await booked).toBe('foreign_refund');
  expect(await available()).toBe((before ?? 0n) + 590n);
});

test('a payment is not assigned to a paid or unknown charge, nor deposited in an account that is unknown, of the other mode or of other credentials', async () => {
  const payment = await unmatched(70);
  const paid = await newCharge(5);
  await trilho.pay(paid);
  await sweep();
  expect(await assignPayment(trilho.deps, { ...decision(payment.id), chargeId: paid })).toBe('not_open');
  const live = await trilho.openAccount({ mode: 'live' });
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: live.accountId })).toBe(
    'other_rail',
  );
  const unknown = '01999999-0000-7000-8000-000000000000';
  expect(await assignPayment(trilho.deps, { ...decision(payment.id), chargeId: unknown })).toBe('unknown_charge');
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: unknown })).toBe('unknown_account');
  expect(await returnPayment(trilho.deps, decision(unknown))).toBe('unknown');
  // A member decides only about what came over their own credentials: this did not.
  expect(await returnPayment(trilho.deps, { ...decision(payment.id), accountId: account.id })).toBe('unknown');

  // What came over an account's own credentials is in its own PSP account: no other gets it.
  await trilho.asOwner(`UPDATE unmatched_payments SET account_id = '${account.id}' WHERE id = '${payment.id}'`);
  const other = await trilho.openAccount();
  expect(await depositPayment(trilho.deps, { ...decision(payment.id), toAccountId: other.accountId })).toBe(
    'other_rail',
  );
  await trilho.asOwner(`UPDATE unmatched_payments SET account_id = NULL WHERE id = '${payment.id}'`);
});

/** A payment of a charge that its PSP first names without the charge, then with it. */
async function namedLate(amount: number, paid?: string) {
  const id = await newCharge(amount);
  const { endToEndId: named } = await trilho.pay(id, paid === undefined ? {} : { amount: paid });
  const endToEndId = String(named);
  const rail = await trilho.deps.rails.pixNamed('sandbox');
  if (!rail) throw new Error('There is no sandbox.');
  const amountCentavos = BigInt(Math.round(Number(paid ?? amount) * 100));
  const listed = { endToEndId, txid: null, amountCentavos, paidAt: trilho.deps.clock(), payerNote: null, refunds: [] };
  expect(await bookPayment(trilho.deps, rail, listed)).toBe('unmatched');
  const waiting = await listUnmatchedPayments(trilho.deps, { waiting: true, accountId: null });
  const payment = waiting.find((one) => one.endToEndId === endToEndId);
  if (!payment) throw new Error('It does not wait.');
  return { id, payment };
}

test('a payment that waits without its charge is credited once, when the charge names it, and can’t be sent back', async () => {
  const { id, payment } = await namedLate(20);
  expect(await settleCharge(trilho.deps, id)).toBe('paid');
  expect(await look(payment.id)).toEqual({ state: 'assigned', returned: 0n, reason: null, by: 'provider' });
  expect((await findBalances(trilho.deps.db.pool, account.id))?.availableCentavos).toBe(1_980n);
  expect(await returnPayment(trilho.deps, decision(payment.id))).toBe('decided');
});

test('a payment that was decided about is not credited to the charge that names it later, which the next payment pays', async () => {
  const { id, payment } = await namedLate(20);
  await returnPayment(trilho.deps, decision(payment.id));
  expect(await settleCharge(trilho.deps, id)).toBe('unchanged');
  expect((await findBalances(trilho.deps.db.pool, account.id))?.availableCentavos).toBe(0n);
  await trilho.pay(id, { force: true });
  expect(await settleCharge(trilho.deps, id)).toBe('paid');
  expect((await findBalances(trilho.deps.db.pool, account.id))?.availableCentavos).toBe(1_980n);
});

test('a payment that was assigned to another charge is not credited to the one that names it later', async () => {
  const { id, payment } = await namedLate(20);
  await assignPayment(trilho.deps, { ...decision(payment.id), chargeId: await newCharge(20) });
  expect(await settleCharge(trilho.deps, id)).toBe('unchanged');
  expect((await findBalances(trilho.deps.db.pool, account.id))?.availableCentavos).toBe(1_980n);
});

test('a payment of another amount that waits without its charge does not come into review as well', async () => {
  const { id, payment } = await namedLate(20, '19.00');
  expect(await settleCharge(trilho.deps, id)).toBe('unchanged');
  await assignPayment(trilho.deps, { ...decision(payment.id), chargeId: id });
  expect(await settleCharge(trilho.deps, id)).toBe('unchanged');
});

test('a payment that its PSP lists with a charge which does not list it is credited, and a second one waits for review', async () => {
  const id = await newCharge(20);
  const rail = await trilho.deps.rails.pixNamed('sandbox');
  if (!rail) throw new Error('There is no sandbox.');
  const listed = (n: number) => ({
    ...{ endToEndId: `E99999999202611281200${String(n).repeat(11)}`, txid: uuidToTxid(id), amountCentavos: 2_000n },
    ...{ paidAt: trilho.deps.clock(), payerNote: null, refunds: [] },
  });
  expect(await bookPayment(trilho.deps, rail, listed(1))).toBe('paid');
  expect(await bookPayment(trilho.deps, rail, listed(2))).toBe('review');
  expect(await bookPayment(trilho.deps, rail, listed(2))).toBe('unchanged');
  expect(await available()).toBe(1_980n);
});
