import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { LEASE_MS } from '#db/tasks/tasks.ts';
import { addMember } from '#db/testing/add-member.ts';
import { connectOwn, newEndToEndId } from '#db/testing/ledger-fixture.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import { markUnsentPayoutsUnknown } from '#db/withdrawals/payouts.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { balanceOf } from '#testing/balance-of.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { readEventData } from '#testing/read-events.ts';
import { returnByMed } from '#testing/return-by-med.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { chargePayout, listAllForeignPayouts } from '../unmatched/decide-foreign-payout.ts';
import { runScheduledPayout } from './run-scheduled-payout.ts';
import { payoutAttempts } from './testing/payout-attempts.ts';

/** Withdrawals that begin on a later date, from the request over REST to their end. */

const START = new Date('2026-11-23T15:00:00.000Z');
const PATH = '/payments/transfers/pix';
const HOUR_MS = 3_600_000;
/** The time in which the sandbox brings a sent payout to its end. */
const SETTLED_MS = 2_000;
const AT_ONCE = 8;

let now = START;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

type Details = Record<string, unknown> & { transaction_id: string; status: string };

/** An account with R$ 100. */
async function merchant(input: Parameters<TestService['openAccount']>[0] = {}) {
  const opened = await trilho.openAccount(input);
  const { apiKey, accountId, merchantId } = opened;
  const { pool } = trilho.deps.db;
  const receive = (amount: number) => makePaidCharge(trilho, apiKey, { amount });
  const details = async (id: string) => (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Details;
  const chargeId = await receive(100);
  return {
    ...{ apiKey, accountId, merchantId, receive, details, chargeId },
    schedule: (body: object) => trilho.post(PATH, apiKey, { ...KEY, amount: 10, ...body }),
    cancel: (id: string, key = apiKey) => trilho.post(`${PATH}/${id}/cancel`, key, {}),
    balance: () => balanceOf(trilho, apiKey),
    async scheduled() {
      const { body } = await trilho.get('/payments/transactions?display_status=scheduled', apiKey);
      return (body.data as Details[]).map(({ scheduled_for }) => String(scheduled_for).slice(0, 10));
    },
    /** How often the PSP has paid each of the account's withdrawals. */
    sent: () => payoutAttempts(pool, accountId),
    async events(id: string) {
      const { rows } = await pool.query<{ type: string }>(
        'SELECT type FROM events WHERE transaction_id = $1 ORDER BY id',
        [id],
      );
      return rows.map(({ type }) => type);
    },
  };
}

const KEY = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };

/**
 * Sets the clock, and runs the tasks that are due then. The service's own worker claims some of
 * them, under a lease from this instant on: a payout must have been sent before the clock moves on,
 * or its claim is taken for that of a process that died.
 */
async function at(instant: string) {
  now = new Date(instant);
  await trilho.until('no task is due or under way', async () => {
    await drainDueTasks(trilho.deps, TASK_HANDLERS);
    const { rowCount } = await trilho.deps.db.pool.query(
      `SELECT FROM tasks WHERE kind IN ('scheduled_payout', 'expire_approval', 'payout') AND (due_at <= $1 OR due_at = $2)`,
      [now, new Date(now.getTime() + LEASE_MS)],
    );
    return rowCount === 0 || null;
  });
}

const becomes = (one: Awaited<ReturnType<typeof merchant>>, id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => {
    now = new Date(now.getTime() + SETTLED_MS);
    const found = await one.details(id);
    return found.status === status ? found : null;
  });

describe('a PIX withdrawal that is scheduled', () => {
  test('waits until eight o’clock of its day in São Paulo, and then is sent once, however many processes begin it', async () => {
    now = START;
    const one = await merchant({ fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 50n } }] });
    const answer = await one.schedule({ scheduledFor: '2026-12-01', description: 'Aluguel' });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({
        ...{ status: 'pending', sub_status: 'scheduled', amount: 10, amount_total: 10.5 },
        scheduled_for: '2026-12-01T11:00:00.000Z',
      }),
    ]);
    const id = transactionIdOf(answer);
    expect(await one.details(id)).toMatchObject({
      ...{ status: 'pending', sub_status: 'scheduled', scheduled_for: '2026-12-01T11:00:00.000Z' },
    });
    expect(await one.scheduled()).toEqual(['2026-12-01']);
    await at('2026-12-01T10:59:59.999Z');
    expect(await one.sent()).toEqual([]);
    expect(await one.balance()).toEqual({ available: 100, blocked: 0 });

    now = new Date('2026-12-01T11:00:00.000Z');
    await Promise.all(Array.from({ length: AT_ONCE }, () => runScheduledPayout(trilho.deps, id)));
    const paid = await becomes(one, id, 'paid');
    expect(paid).toMatchObject({ sub_status: null, created_at: START.toISOString(), description: 'Aluguel' });
    // A worker that was killed after it had begun the payout finds its task again.
    await trilho.deps.db.pool.query(
      `INSERT INTO tasks (kind, subject_id, due_at) VALUES ('scheduled_payout', $1, $2) ON CONFLICT DO NOTHING`,
      [id, now],
    );
    await at(now.toISOString());
    expect(await one.sent()).toEqual([1]);
    expect(await one.balance()).toEqual({ available: 89.5, blocked: 0 });
    expect(await one.events(id)).toEqual(['pix_out.processing', 'pix_out.paid']);
    expect((await one.cancel(id)).body).toMatchObject({ error: 'Saque não pode ser cancelado' });
  });

  test('can be cancelled until it begins, by its own account alone, and gives back what was held for it', async () => {
    now = START;
    const one = await merchant();
    const other = await merchant();
    const held = transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01', reserve: true, amount: 60 }));
    expect(await one.balance()).toEqual({ available: 40, blocked: 60 });
    const tooMuch = await one.schedule({ scheduledFor: '2026-12-01', reserve: true, amount: 41 });
    expect([tooMuch.status, tooMuch.body.error]).toEqual([400, 'Saldo insuficiente']);
    expect((await one.cancel(held, other.apiKey)).status).toBe(404);
    for (const _again of [1, 2]) {
      expect((await one.cancel(held)).body.data).toEqual({ transaction_id: held, status: 'cancelled' });
    }
    expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
    expect(await one.events(held)).toEqual(['pix_out.cancelled']);
    await at('2026-12-01T11:00:00.000Z');
    expect(await one.details(held)).toMatchObject({ status: 'cancelled', sub_status: null });
    expect(await one.sent()).toEqual([]);
    const atOnce = transactionIdOf(await trilho.post(PATH, one.apiKey, { ...KEY, amount: 1 }));
    expect((await one.cancel(atOnce)).body.error).toBe('Saque não pode ser cancelado');
    await becomes(one, atOnce, 'paid');
  });

  test('is either cancelled or sent, when both happen in the same moment', async () => {
    now = START;
    const one = await merchant();
    const ids: string[] = [];
    for (let n = 0; n < AT_ONCE; n++)
      ids.push(transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01', amount: 1 })));
    now = new Date('2026-12-01T11:00:00.000Z');
    await Promise.all(ids.flatMap((id) => [one.cancel(id), runScheduledPayout(trilho.deps, id)]));
    await trilho.until('nothing is blocked', async () => {
      now = new Date(now.getTime() + SETTLED_MS);
      return (await one.balance()).blocked === 0 || null;
    });
    const statuses = await Promise.all(ids.map(async (id) => (await one.details(id)).status));
    const sent = await one.sent();
    expect(statuses.filter((status) => status === 'paid')).toHaveLength(sent.length);
    expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(AT_ONCE - sent.length);
    expect(await one.balance()).toEqual({ available: 100 - sent.length, blocked: 0 });
  });

  test.each<[string, object, string]>([
    ['today', { scheduledFor: '2026-11-23' }, 'scheduledFor'],
    ['more than a year away', { scheduledFor: '2027-11-24' }, 'scheduledFor'],
    ['on no date', { scheduledFor: '2027-02-29' }, 'scheduledFor'],
    ['on an empty date', { scheduledFor: '' }, 'scheduledFor'],
    ['repeated without a date', { repeat: { every: 'month', count: 2 } }, 'scheduledFor'],
    ['repeated without an end', { scheduledFor: '2026-12-01', repeat: { every: 'month' } }, 'repeat.count'],
    ['repeated once', { scheduledFor: '2026-12-01', repeat: { every: 'month', count: 1 } }, 'repeat.count'],
    [
      'repeated with two ends',
      { scheduledFor: '2026-12-01', repeat: { every: 'month', count: 2, until: '2027-01-01' } },
      'repeat.count',
    ],
    ['repeated for too long', { scheduledFor: '2026-12-01', repeat: { every: 'year', count: 12 } }, 'repeat'],
  ])('is rejected %s, with the field that is wrong', async (_what, body, field) => {
    now = START;
    const { apiKey } = await trilho.openAccount();
    const answer = await trilho.post(PATH, apiKey, { ...KEY, amount: 10, ...body });
    expect([answer.status, answer.body.error]).toEqual([400, 'Dados inválidos']);
    expect((answer.body.details as { field: string }[]).map((detail) => detail.field)).toEqual([field]);
  });
});

describe('a schedule that repeats', () => {
  test('plans the next payout when one begins, on the last day of short months and back, until its end', async () => {
    now = START;
    const one = await merchant();
    const first = transactionIdOf(
      await one.schedule({ scheduledFor: '2027-01-31', repeat: { every: 'month', count: 3 } }),
    );
    const seen: string[][] = [];
    for (const date of ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']) {
      seen.push(await one.scheduled());
      await at(`${date}T11:00:00.000Z`);
    }
    expect(seen).toEqual([['2027-01-31'], ['2027-02-28'], ['2027-03-31'], []]);
    await becomes(one, first, 'paid');
    await trilho.until('all are paid', async () => {
      now = new Date(now.getTime() + SETTLED_MS);
      return (await one.balance()).blocked === 0 || null;
    });
    expect(await one.sent()).toEqual([1, 1, 1]);
    expect(await one.balance()).toEqual({ available: 70, blocked: 0 });
  });

  test('with `reserve` holds the money of each payout once it is planned, and ends when one is cancelled', async () => {
    now = START;
    const one = await merchant();
    await one.schedule({ scheduledFor: '2026-12-01', reserve: true, repeat: { every: 'week', until: '2026-12-31' } });
    await at('2026-12-01T11:00:00.000Z');
    const { body } = await trilho.get('/payments/transactions?display_status=scheduled', one.apiKey);
    const [next] = body.data as Details[];
    expect(next).toMatchObject({ scheduled_for: '2026-12-08T11:00:00.000Z' });
    await trilho.until('the first is paid', async () => {
      now = new Date(now.getTime() + SETTLED_MS);
      return (await one.balance()).blocked === 10 || null;
    });
    expect((await one.cancel(next?.transaction_id ?? '')).status).toBe(200);
    expect(await one.balance()).toEqual({ available: 90, blocked: 0 });
    await at('2026-12-15T11:00:00.000Z');
    expect(await one.sent()).toEqual([1]);
  });
});

describe('at its time a scheduled withdrawal', () => {
  const failureOf = async (one: Awaited<ReturnType<typeof merchant>>, id: string) => {
    const { status, failure } = await one.details(id);
    return [status, (failure as { code: string } | null)?.code];
  };

  test('is tried four times within three hours while there is too little money, and then fails', async () => {
    now = START;
    const [poor, late] = [await merchant(), await merchant()];
    const plan = { scheduledFor: '2026-12-01', amount: 150, repeat: { every: 'week', count: 2 } };
    const [failing, paid] = [transactionIdOf(await poor.schedule(plan)), transactionIdOf(await late.schedule(plan))];
    for (const hour of [11, 12, 13]) {
      await at(`2026-12-01T${hour}:00:00.000Z`);
      expect(await failureOf(poor, failing)).toEqual(['pending', undefined]);
    }
    await late.receive(100);
    await at('2026-12-01T14:00:00.000Z');
    expect(await failureOf(poor, failing)).toEqual(['failed', 'insufficient_balance']);
    expect(await poor.events(failing)).toEqual(['pix_out.failed']);
    // The later payouts of the schedule are not affected.
    expect(await poor.scheduled()).toEqual(['2026-12-08']);
    await becomes(late, paid, 'paid');
    expect(await late.sent()).toEqual([1]);
  });

  test('is not sent out of what was held for it while its account owes, and pays the debt when it fails', async () => {
    now = START;
    const [one, repaid] = [await merchant(), await merchant()];
    const plan = { scheduledFor: '2026-12-01', amount: 80, reserve: true };
    const [failing, paid] = [transactionIdOf(await one.schedule(plan)), transactionIdOf(await repaid.schedule(plan))];
    for (const { chargeId } of [one, repaid])
      expect(await returnByMed(trilho, chargeId, 50_00n)).toBe('foreign_refund');
    for (const hour of [11, 12, 13]) {
      await at(`2026-12-01T${hour}:00:00.000Z`);
      expect(await failureOf(one, failing)).toEqual(['pending', undefined]);
    }
    await repaid.receive(30);
    await at('2026-12-01T14:00:00.000Z');
    expect(await failureOf(one, failing)).toEqual(['failed', 'insufficient_balance']);
    expect([await one.sent(), await one.balance()]).toEqual([[], { available: 50, blocked: 0 }]);
    await becomes(repaid, paid, 'paid');
    expect([await repaid.sent(), await repaid.balance()]).toEqual([[1], { available: 0, blocked: 0 }]);
  });

  test('fails when its key has another owner by then, and ends its schedule', async () => {
    now = START;
    const one = await merchant();
    const repeat = { every: 'month', count: 3 };
    const id = transactionIdOf(
      await one.schedule({ scheduledFor: '2026-12-01', amount: 10.16, reserve: true, repeat }),
    );
    const unknown = await one.schedule({ scheduledFor: '2026-12-01', pixKey: '00000000191', pixKeyType: 'CPF' });
    expect([unknown.status, unknown.body.error, unknown.body.details]).toEqual([
      400,
      'Chave PIX inválida',
      [{ field: 'pixKey', code: 'pix_key_not_registered', message: expect.stringContaining('não está registrada') }],
    ]);
    await at('2026-12-01T11:00:00.000Z');
    expect(await failureOf(one, id)).toEqual(['failed', 'owner_changed']);
    expect([await one.scheduled(), await one.sent()]).toEqual([[], []]);
    expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
  });

  test('fails when its key has an owner of the same name and another document by then', async () => {
    now = START;
    const one = await merchant();
    const id = transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01' }));
    const { db, secretBox } = trilho.deps;
    const document = sealTransactionText(secretBox, id, 'receiverDocument', '***.111.222-**');
    await db.pool.query('UPDATE transactions SET receiver_document = $2 WHERE id = $1', [id, document]);
    await at('2026-12-01T11:00:00.000Z');
    expect(await failureOf(one, id)).toEqual(['failed', 'owner_changed']);
    expect([await one.sent(), await one.balance()]).toEqual([[], { available: 100, blocked: 0 }]);
  });

  test('is held to the limits, the payees and the suspension of that moment', async () => {
    now = START;
    const limited = await merchant({ limits: [{ name: 'daily_limit_out_pix', centavos: 25_00n }] });
    const [stopped, strict] = [await merchant(), await merchant()];
    // What is used today does not count on the payouts’ day.
    const today = transactionIdOf(await limited.schedule({ amount: 20 }));
    const ids = [];
    for (const amount of [15, 10, 5])
      ids.push(transactionIdOf(await limited.schedule({ scheduledFor: '2026-12-01', amount })));
    const other = transactionIdOf(await stopped.schedule({ scheduledFor: '2026-12-01' }));
    const elsewhere = transactionIdOf(await strict.schedule({ scheduledFor: '2026-12-01', reserve: true }));
    await trilho.deps.db.pool.query(
      `INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'payees', 0)`,
      [strict.accountId],
    );
    const rejected = await strict.schedule({ scheduledFor: '2026-12-02' });
    expect(rejected.status).toBeGreaterThanOrEqual(400);
    await becomes(limited, today, 'paid');
    const suspend = (since: Date | null) =>
      trilho.deps.db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [stopped.accountId, since]);
    await suspend(START);
    await at('2026-12-01T11:00:00.000Z');
    await suspend(null);
    const failures = await Promise.all(ids.map((id) => failureOf(limited, id)));
    expect(failures.filter(([status]) => status === 'failed').map(([, code]) => code)).toEqual(['daily_limit_reached']);
    expect(await failureOf(stopped, other)).toEqual(['failed', 'account_stopped']);
    expect(await failureOf(strict, elsewhere)).toEqual(['failed', 'not_a_payee']);
    expect([await strict.sent(), await strict.balance()]).toEqual([[], { available: 100, blocked: 0 }]);
    expect(await limited.sent()).toHaveLength(3);
  });

  test('fails with the fee of that moment, and its event says the same as its details', async () => {
    now = START;
    const one = await merchant({ limits: [{ name: 'daily_limit_out_pix', centavos: 5_00n }] });
    const id = transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01' }));
    await trilho.deps.db.pool.query(
      `INSERT INTO account_fees (account_id, type, bps, fixed_centavos) VALUES ($1, 'pix_out', 0, 50)
       ON CONFLICT (account_id, type) DO UPDATE SET fixed_centavos = excluded.fixed_centavos`,
      [one.accountId],
    );
    await at('2026-12-01T11:00:00.000Z');
    const { status, amount_fees } = await one.details(id);
    const events = await readEventData(trilho.deps, id);
    expect(events).toMatchObject([{ status: 'failed', failure_code: 'daily_limit_reached', amount_fees }]);
    expect([status, amount_fees]).toEqual(['failed', 0.5]);
  });

  test('that was missed fails on the day after, or with `run` is sent then, but not later', async () => {
    now = START;
    const one = await merchant();
    const date = { scheduledFor: '2026-12-01' };
    const missed = transactionIdOf(await one.schedule(date));
    const run = transactionIdOf(await one.schedule({ ...date, ifMissed: 'run' }));
    const tooLate = transactionIdOf(await one.schedule({ scheduledFor: '2026-11-30', ifMissed: 'run' }));
    await at('2026-12-02T12:00:00.000Z');
    expect(await failureOf(one, missed)).toEqual(['failed', 'schedule_missed']);
    expect(await failureOf(one, tooLate)).toEqual(['failed', 'schedule_missed']);
    await becomes(one, run, 'paid');
    expect(await one.sent()).toEqual([1]);
  });

  test('waits for a provider that does not answer, and begins on its own day once it answers', async () => {
    now = START;
    const one = await merchant();
    const id = transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01' }));
    await trilho.setSwitch('pix.query', 'error');
    const unasked = await one.schedule({ scheduledFor: '2026-12-01' });
    expect([unasked.status, unasked.body.error]).toEqual([400, 'Não foi possível conferir a chave PIX']);
    await at('2026-12-01T11:00:00.000Z');
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'scheduled' });
    await trilho.setSwitch('pix.query', 'ok');
    await at(new Date(now.getTime() + HOUR_MS).toISOString());
    await becomes(one, id, 'paid');
    expect(await one.sent()).toEqual([1]);
  });
});

test('a second person approves a schedule once, for all of its payouts, and without an approval by its day it fails', async () => {
  now = START;
  const one = await merchant();
  const { pool } = trilho.deps.db;
  await pool.query(`INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', 2000)`, [
    one.accountId,
  ]);
  const memberId = uuidv7(now);
  const email = `${memberId}@example.com`;
  await addMember(pool, { id: memberId, merchantId: one.merchantId, email, role: 'finance', name: 'Ana' });
  const panel = await panelCaller(trilho.deps, one.accountId, { memberId, email, role: 'finance' });
  const plan = { scheduledFor: '2026-11-25', amount: 30 };
  const answer = await one.schedule({ ...plan, repeat: { every: 'week', count: 2 } });
  expect(answer.body.data).toMatchObject({ sub_status: 'pending_approval', scheduled_for: '2026-11-25T11:00:00.000Z' });
  // Who approves reads of how many payouts they approve.
  const { repeat } = await panel.detail.get({ transaction_id: transactionIdOf(answer) });
  expect(repeat).toEqual({ every: 'week', number: 1, count: 2, until: null });
  const [expired, declined] = [transactionIdOf(await one.schedule(plan)), transactionIdOf(await one.schedule(plan))];
  await panel.approvals.decline({ transaction_id: declined, reason: 'Não é nosso.' });
  await panel.approvals.approve({ transaction_id: transactionIdOf(answer) });
  const cancelled = transactionIdOf(await one.schedule({ ...plan, reserve: true }));
  expect((await one.cancel(cancelled)).status).toBe(200);
  await expect(panel.approvals.approve({ transaction_id: cancelled })).rejects.toMatchObject({
    cause: { code: 'approval_decided' },
  });
  // One that the database which was lost had approved, and sent on its day.
  const sent = transactionIdOf(await one.schedule(plan));
  // In a restored database the schedule continues.
  const client = await pool.connect();
  await markUnsentPayoutsUnknown(client, now);
  client.release();
  expect(await one.scheduled()).toEqual(['2026-11-25']);
  await at('2026-11-25T11:00:00.000Z');
  await becomes(one, transactionIdOf(answer), 'paid');
  expect(await one.scheduled()).toEqual(['2026-12-02']);
  await (await trilho.deps.rails.pixNamed('sandbox'))?.payouts?.sendPayout({
    ...{ payoutId: uuidToTxid(sent), amountCentavos: 3_000n, pixKey: KEY.pixKey, description: null },
  });
  await at('2026-11-26T03:00:00.000Z');
  await becomes(one, sent, 'paid');
  const codes = [];
  for (const id of [declined, expired]) codes.push((await one.details(id)).failure);
  expect(codes).toMatchObject([{ code: 'approval_declined' }, { code: 'approval_expired' }]);
  expect(await one.balance()).toEqual({ available: 40, blocked: 0 });
});

/** Plans a payout over the sandbox, which no task of this service begins. */
async function planned(more: object = {}) {
  now = START;
  const one = await merchant();
  const id = transactionIdOf(await one.schedule({ scheduledFor: '2026-12-01', reserve: true, ...more }));
  await trilho.deps.db.pool.query("DELETE FROM tasks WHERE kind = 'scheduled_payout' AND subject_id = $1", [id]);
  const sandbox = await trilho.deps.rails.pixNamed('sandbox');
  if (!sandbox?.payouts) throw new Error('The sandbox sends no PIX.');
  return { one, id, sandbox, payouts: sandbox.payouts };
}
type Planned = Awaited<ReturnType<typeof planned>>;

/** Begins it as for an account that has connected credentials of its own since. */
async function beginOver({ one, id, sandbox, payouts }: Planned, findPayout: Planned['payouts']['findPayout']) {
  const { pool } = trilho.deps.db;
  const name = await connectOwn(pool, { id: one.accountId, mode: 'test' });
  const today = { ...sandbox, name, payouts: { ...payouts, findPayout } };
  const { rails } = trilho.deps;
  const named = async (wanted: string) => (wanted === name ? today : rails.pixNamed(wanted));
  await runScheduledPayout({ ...trilho.deps, rails: { ...rails, pixFor: async () => today, pixNamed: named } }, id);
  const { rows } = await pool.query<{ rail: string; sub_status: string | null }>(
    'SELECT rail, sub_status FROM transactions WHERE account_id = $1 ORDER BY scheduled_for',
    [one.accountId],
  );
  return { today: name, rail: rows[0]?.rail, next: rows.find((row) => row.sub_status === 'scheduled')?.rail };
}

const NOTHING_FOUND = async () => ({ outcome: 'done', value: null }) as const;

test('the payout after one that fails is planned over the rail of today, as the one after one that begins', async () => {
  for (const limit of ['1', null]) {
    const found = await planned({ repeat: { every: 'week', count: 2 } });
    now = new Date('2026-12-01T11:00:00.000Z');
    await trilho.deps.db.pool.query(
      "INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, 'daily_limit_out_pix', $2)",
      [found.one.accountId, limit],
    );
    const { today, next } = await beginOver(found, NOTHING_FOUND);
    expect([(await found.one.details(found.id)).status, next]).toEqual([limit ? 'failed' : 'pending', today]);
  }
});

test('a payout at whose begin the clock is set back begins at its time all the same', async () => {
  const { one, id } = await planned();
  const due = new Date('2026-12-01T11:00:00.000Z');
  const readings = [due];
  const clock = () => readings.shift() ?? new Date(due.getTime() - 1);
  now = due;
  expect(await runScheduledPayout({ ...trilho.deps, clock }, id)).toEqual(due);
  expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'scheduled' });
  expect(await runScheduledPayout(trilho.deps, id)).toBeNull();
  await becomes(one, id, 'paid');
});

describe('a payout that a restored database finds after its day, and that was paid', () => {
  const AFTERWARDS = '2026-12-03T12:00:00.000Z';

  test('over credentials that were connected since it was planned, is begun over these', async () => {
    const found = await planned();
    now = new Date(AFTERWARDS);
    const { one, id } = found;
    const paid = { payoutId: uuidToTxid(id), amountCentavos: 1000n, status: 'completed', failureCode: null } as const;
    const { today, rail } = await beginOver(found, async () => ({
      ...{ outcome: 'done', value: { ...paid, endToEndId: 'E1', receiver: null } },
    }));
    expect(rail).toBe(today);
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: null });
    expect(await one.balance()).toEqual({ available: 90, blocked: 10 });
  });

  test('over the rail that it was planned for, is not sent over another one, and waits where it can’t begin', async () => {
    const found = await planned();
    now = new Date(AFTERWARDS);
    const { one, id, payouts } = found;
    const request = { payoutId: uuidToTxid(id), amountCentavos: 1000n, pixKey: KEY.pixKey, description: null };
    expect(await payouts.sendPayout(request)).toMatchObject({ outcome: 'done' });
    const { pool } = trilho.deps.db;
    const limit = [one.accountId];
    await pool.query(
      "INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, 'daily_limit_out_pix', 1)",
      limit,
    );
    await expect(runScheduledPayout(trilho.deps, id)).rejects.toThrow('daily_limit_reached');
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'scheduled' });
    await pool.query('DELETE FROM account_limits WHERE account_id = $1', limit);
    const { rail } = await beginOver(found, NOTHING_FOUND);
    expect(rail).toBe('sandbox');
    await becomes(one, id, 'paid');
    expect(await one.balance()).toEqual({ available: 90, blocked: 0 });
  });

  test('though it has ended here without having begun, waits for a decision as money that left without a request', async () => {
    const { one, id } = await planned();
    expect((await one.cancel(id)).status).toBe(200);
    now = new Date(AFTERWARDS);
    const sent = {
      ...{ endToEndId: newEndToEndId(), payoutId: uuidToTxid(id), amountCentavos: 1000n, status: 'completed' as const },
      ...{ sentAt: now, returns: [] },
    };
    const book = () => bookSentPayment(trilho.deps, 'sandbox', sent);
    expect([await book(), await book()]).toEqual(['foreign_payout', 'unchanged']);
    const [payout] = await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null });
    expect(payout).toMatchObject({ endToEndId: sent.endToEndId, centavos: 1000n });
    const decision = { id: payout?.id ?? '', accountId: null, toAccountId: one.accountId, reason: 'as scheduled' };
    expect(await chargePayout(trilho.deps, { ...decision, by: byOperator('ana') })).toBe('charged');
    expect(await one.balance()).toEqual({ available: 90, blocked: 0 });
  });
});
