import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findDispute } from '#db/disputes/disputes.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import type { DisputeEnd } from '#domain/disputes/dispute-states.ts';
import { payCharge } from '#testing/paid-charge.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { planSweeps, runSweep } from '../sweeps/sweep-payments.ts';
import { getTransactionDetail } from '../transactions/get-transaction-detail.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { endDispute, enterDispute, giveAnswer, listCases, remind } from './manage-disputes.ts';

/** The service's clock is moved by the tests; the sandbox reads the same clock. */
let aheadMs = 0;
const HOUR_MS = 3_600_000;
let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
  await planSweeps(trilho.deps);
});
beforeEach(async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  account = { id: accountId, apiKey: apiKey ?? '' };
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

const by = byOperator('ana');
const enter = (chargeId: string, centavos: bigint | null = null) =>
  enterDispute(trilho.deps, { chargeId, reason: 'fraud', centavos, answerBy: null, by });
const end = (id: string, to: DisputeEnd) => endDispute(trilho.deps, { id, to, by });
const balances = async () => {
  const found = await findBalances(trilho.deps.db.pool, account.id);
  return found && [found.availableCentavos, found.blockedCentavos, found.owedCentavos];
};

/** A paid charge. */
async function paid(amount: number): Promise<{ id: string; endToEndId: string }> {
  const created = await trilho.post('/payments/transactions', account.apiKey, { amount });
  const id = transactionIdOf(created);
  const { endToEndId } = await payCharge(trilho, account.apiKey, id);
  return { id, endToEndId: String(endToEndId) };
}

async function caseOf(chargeId: string) {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    'SELECT id FROM disputes WHERE transaction_id = $1',
    [chargeId],
  );
  const found = rows[0] && (await findDispute(trilho.deps.db.pool, rows[0].id, account.id));
  if (!found) throw new Error('There is no case.');
  return found;
}

const eventsOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query<{ type: string }>(
    'SELECT type FROM events WHERE transaction_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ type }) => type);
};

async function withdraw(amount: number): Promise<void> {
  const asked = await trilho.post('/payments/transfers/pix', account.apiKey, {
    amount,
    pixKey: 'maria@example.com',
    pixKeyType: 'email',
  });
  const id = transactionIdOf(asked);
  await trilho.until('it has left', async () => {
    const { rows } = await trilho.deps.db.pool.query("SELECT FROM transactions WHERE id = $1 AND status = 'paid'", [
      id,
    ]);
    return rows.length > 0 ? true : null;
  });
}

/** Takes this amount of a payment at the PSP by the return mechanism (MED), and sweeps. */
const takeByMed = (endToEndId: string, centavos: bigint) => giveBack(endToEndId, centavos, 'MED_FRAUDE');

/** Gives this amount of a payment back at the PSP, without a request of ours, and sweeps. */
async function giveBack(endToEndId: string, centavos: bigint, nature: 'MED_FRAUDE' | 'ORIGINAL'): Promise<void> {
  const { pool } = trilho.deps.db;
  const n = endToEndId.slice(-6);
  await pool.query(
    `INSERT INTO sandbox.refunds (end_to_end_id, id, return_id, amount_centavos, nature, status, ends_as, asked_at, settled_at)
     VALUES ($1, $2, $3, $4, $6, 'DEVOLVIDO', 'DEVOLVIDO', $5, $5)`,
    [
      endToEndId,
      `med${n}`,
      `D9999999920261120120000000${n}`.slice(0, 32).padEnd(32, 'x'),
      centavos,
      trilho.deps.clock(),
      nature,
    ],
  );
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM sweeps WHERE span = 'recent'");
  for (const { id } of rows) await runSweep(trilho.deps, id);
}

test('an open case holds its money, and its merchant may not refund it as well', async () => {
  const charge = await paid(100);
  const outcomes = await Promise.all([1, 2, 3].map(() => enter(charge.id)));
  expect(outcomes.sort()).toEqual(['known', 'known', 'opened']);
  expect(await balances()).toEqual([0n, 10_000n, 0n]);
  const refund = await trilho.post(`/payments/transactions/${charge.id}/refund`, account.apiKey, { amount: 10 });
  expect(refund).toMatchObject({ status: 400, body: { error: 'Pagamento em contestação' } });
  expect(await listCases(trilho.deps)).toMatchObject([
    { transactionId: charge.id, state: 'open', heldCentavos: 10_000n },
  ]);
  expect(await eventsOf(charge.id)).toEqual(['pix_in.paid', 'dispute.opened']);
  await end((await caseOf(charge.id)).id, 'cancelled');
});

test.each(['won', 'cancelled'] as const)(
  'a case that is %s gives the money back, and a refund is possible again',
  async (to) => {
    const charge = await paid(100);
    await enter(charge.id);
    const { id } = await caseOf(charge.id);
    expect(await end(id, to)).toBe('closed');
    expect(await end(id, 'lost')).toBe('decided');
    expect(await balances()).toEqual([10_000n, 0n, 0n]);
    const detail = await trilho.get(`/payments/transactions/${charge.id}`, account.apiKey);
    expect(detail.status).toBe(200);
    const refund = await trilho.post(`/payments/transactions/${charge.id}/refund`, account.apiKey, { amount: 100 });
    expect(refund.status).toBe(200);
    expect((await eventsOf(charge.id)).slice(0, 3)).toEqual(['pix_in.paid', 'dispute.opened', 'dispute.closed']);
  },
);

test('of two cases about a payment it shows the open one, which a devolução closes, also if the PSP opened it first', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  const { id: first, openedAt } = await caseOf(charge.id);
  await end(first, 'cancelled');
  // The PSP had it before the operator entered the first one.
  const before = new Date(openedAt.getTime() - HOUR_MS);
  const atPsp = { providerId: charge.id, state: 'open' as const, openedAt: before, payerDocument: null };
  const found = { chargeId: charge.id, reason: 'fraud' as const, centavos: null, answerBy: null, by };
  expect(await enterDispute(trilho.deps, { ...found, atPsp })).toBe('opened');
  const { dispute } = await getTransactionDetail(trilho.deps, account.id, charge.id);
  expect(dispute).toMatchObject({ providerId: charge.id, state: 'open' });
  const { data } = (await trilho.get(`/payments/transactions/${charge.id}`, account.apiKey)).body;
  expect(data).toMatchObject({ dispute_state: 'open' });
  await takeByMed(charge.endToEndId, 10_000n);
  expect((await eventsOf(charge.id)).slice(-2)).toEqual(['dispute.closed', 'pix_in.refunded']);
});

test('a case that is lost keeps the money held until the devolução takes it, once', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  const { id } = await caseOf(charge.id);
  expect(await end(id, 'lost')).toBe('closed');
  expect(await balances()).toEqual([0n, 10_000n, 0n]);
  await takeByMed(charge.endToEndId, 10_000n);
  expect(await balances()).toEqual([0n, 0n, 0n]);
  expect(await caseOf(charge.id)).toMatchObject({ state: 'returned', heldCentavos: 0n, returnedCentavos: 10_000n });
});

test.each(['won', 'cancelled'] as const)(
  'a case that was lost and is %s after all gives the money back, once',
  async (to) => {
    const charge = await paid(100);
    await enter(charge.id);
    const { id } = await caseOf(charge.id);
    await end(id, 'lost');
    expect(await Promise.all([end(id, to), end(id, to)])).toEqual(expect.arrayContaining(['closed', 'decided']));
    expect(await end(id, 'lost')).toBe('decided');
    expect(await balances()).toEqual([10_000n, 0n, 0n]);
  },
);

test('a devolução of a part ends the case, and the rest of the held money goes back to the account', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  await end((await caseOf(charge.id)).id, 'lost');
  await takeByMed(charge.endToEndId, 2_500n);
  expect(await balances()).toEqual([7_500n, 0n, 0n]);
  expect(await caseOf(charge.id)).toMatchObject({ state: 'returned', returnedCentavos: 2_500n });
});

test('money that the account has spent is not held, and is owed once the devolução takes it', async () => {
  const charge = await paid(100);
  await withdraw(70);
  await enter(charge.id);
  expect(await balances()).toEqual([0n, 3_000n, 0n]);
  await takeByMed(charge.endToEndId, 10_000n);
  expect(await balances()).toEqual([0n, 0n, 7_000n]);
});

test('a contested payment that goes back in the bank’s app is paid by what its case holds, as far as nothing else of it is left', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  await giveBack(charge.endToEndId, 6_000n, 'ORIGINAL');
  expect(await balances()).toEqual([0n, 4_000n, 0n]);
  const { id, state, heldCentavos } = await caseOf(charge.id);
  expect([state, heldCentavos]).toEqual(['open', 4_000n]);
  await end(id, 'won');
  expect(await balances()).toEqual([4_000n, 0n, 0n]);

  const spent = await paid(50);
  await withdraw(70);
  await enter(spent.id);
  expect(await balances()).toEqual([0n, 2_000n, 0n]);
  await giveBack(spent.endToEndId, 4_000n, 'ORIGINAL');
  expect(await balances()).toEqual([0n, 1_000n, 3_000n]);
});

test('a devolução that is seen before the decision about its case closes the case first, with its event', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  const { id } = await caseOf(charge.id);
  await giveAnswer(trilho.deps, { id, accountId: account.id, answer: 'contest', text: null, by });
  await takeByMed(charge.endToEndId, 10_000n);
  expect(await eventsOf(charge.id)).toEqual(['pix_in.paid', 'dispute.opened', 'dispute.closed', 'pix_in.refunded']);
  const closed = (await readEventData(trilho.deps, charge.id))[2];
  expect(closed).toMatchObject({ dispute_id: id, dispute_state: 'lost', status: 'paid' });
  expect(await caseOf(charge.id)).toMatchObject({ state: 'returned', heldCentavos: 0n, returnedCentavos: 10_000n });
  expect(await balances()).toEqual([0n, 0n, 0n]);
  expect(await end(id, 'lost')).toBe('decided');
});

test('a devolução by the return mechanism without a case opens one that has ended', async () => {
  const charge = await paid(100);
  await takeByMed(charge.endToEndId, 10_000n);
  expect(await caseOf(charge.id)).toMatchObject({ state: 'returned', reason: 'unknown', returnedCentavos: 10_000n });
  expect(await balances()).toEqual([0n, 0n, 0n]);
});

test('a case of the sandbox is opened, answered and won by the service’s own worker', async () => {
  const charge = await paid(100.51);
  const becomes = (state: string) =>
    trilho.until(`the case is ${state}`, async () => {
      // The sandbox's steps, and the sweep of its cases, are a minute apart.
      aheadMs += 10_000;
      const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
        'SELECT id FROM disputes WHERE transaction_id = $1 AND state::text = $2',
        [charge.id, state],
      );
      return rows[0]?.id;
    });
  const id = await becomes('open');
  expect(await giveAnswer(trilho.deps, { id, accountId: account.id, answer: 'contest', text: 'Entregue.', by })).toBe(
    'answered',
  );
  await becomes('won');
  expect(await caseOf(charge.id)).toMatchObject({
    heldCentavos: 0n,
    answerSentAt: expect.any(Date),
    answerRejection: null,
  });
});

test('a case takes one answer, in its time, and its merchant is reminded before the end', async () => {
  const charge = await paid(100);
  await enter(charge.id);
  const { id } = await caseOf(charge.id);
  aheadMs += 25 * HOUR_MS;
  await trilho.until('a reminder is sent', async () =>
    (await eventsOf(charge.id)).includes('dispute.due_soon') ? true : null,
  );
  const answer = { id, accountId: account.id, answer: 'contest' as const, text: 'Entregue ao pagador.', by };
  expect(await giveAnswer(trilho.deps, { ...answer, accountId: '01999999-0000-7000-8000-000000000000' })).toBe(
    'unknown',
  );
  expect(await giveAnswer(trilho.deps, answer)).toBe('answered');
  expect(await giveAnswer(trilho.deps, answer)).toBe('decided');
  expect((await caseOf(charge.id)).answerText).not.toContain('Entregue');

  const late = await paid(10);
  await enter(late.id);
  aheadMs += 49 * HOUR_MS;
  expect(await giveAnswer(trilho.deps, { ...answer, id: (await caseOf(late.id)).id })).toBe('too_late');
});

test('a reminder whose worker died right after it is sent once, and the next one is at its time', async () => {
  const charge = await paid(10);
  await enter(charge.id);
  const { id, openedAt } = await caseOf(charge.id);
  const dueAt = async () => {
    const { rows } = await trilho.deps.db.pool.query<{ dueAt: Date }>(
      `SELECT due_at AS "dueAt" FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = $1`,
      [id],
    );
    return rows[0]?.dueAt;
  };
  // A claim that the service's own worker does not take over.
  const leaseUntil = new Date(openedAt.getTime() + 40 * HOUR_MS);
  await trilho.deps.db.pool.query(`UPDATE tasks SET due_at = $2 WHERE kind = 'dispute_reminder' AND subject_id = $1`, [
    id,
    leaseUntil,
  ]);
  aheadMs += 25 * HOUR_MS;
  const claim = { kind: 'dispute_reminder' as const, subjectId: id, attempts: 1, leaseUntil };
  expect(await remind(trilho.deps, claim)).toBe('kept');
  expect(await dueAt()).toEqual(new Date(openedAt.getTime() + 42 * HOUR_MS));
  // Whoever still has the old claim is too late.
  await remind(trilho.deps, claim);
  expect((await eventsOf(charge.id)).filter((type) => type === 'dispute.due_soon')).toHaveLength(1);
  expect(await dueAt()).toEqual(new Date(openedAt.getTime() + 42 * HOUR_MS));
});

test('a case of an unpaid or unknown charge, or of more than was paid, is rejected', async () => {
  const charge = await paid(10);
  expect(await enter(charge.id, 1_001n)).toBe('too_much');
  expect(await enter('01999999-0000-7000-8000-000000000000')).toBe('unknown_charge');
  const created = await trilho.post('/payments/transactions', account.apiKey, { amount: 5 });
  expect(await enter(transactionIdOf(created))).toBe('not_paid');
});
