import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTestClock, holdDueClocks, isCallbackWaiting, listWaitingCallbacks } from '#db/accounts/test-clocks.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { TASK_KINDS, type TaskKind } from '#db/tasks/tasks.ts';
import { addMember } from '#db/testing/add-member.ts';
import { recordUnmatched } from '#db/unmatched/unmatched.ts';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { beginsAt } from '#domain/withdrawals/payout-schedule.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';
import { listAllReviews, resolveReview } from '../reviews/resolve-review.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { assignPayment } from '../unmatched/decide-unmatched.ts';
import { inTimeOf } from './on-test-clock.ts';

/** Test clocks: what becomes due during a move happens in the order of its times, and at them. */

const DAY_MS = 24 * 60 * 60_000;
const DAY_SECONDS = 24 * 60 * 60;

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

type Keyed = { apiKey: string; accountId: string };
type Clock = { now: string; ahead_seconds: number; target: string | null; stopped: string | null };
type Body = { id: string; type: string; timestamp: string; data: Record<string, unknown> };

const post = ({ apiKey }: Keyed, path: string, body: object) => setup.trilho.post(path, apiKey, body);
const read = async ({ apiKey }: Keyed, path: string) => {
  const answer = await setup.trilho.get(path, apiKey);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as Record<string, unknown>;
};
const disputesOf = async (of: Keyed) =>
  (await read(of, '/payments/disputes')) as unknown as { dispute_id: string; opened_at: string }[];
const clockOf = async (of: Keyed) => (await read(of, '/test-clock')) as unknown as Clock;
const bodies = ({ calls }: { calls: { body: string }[] }) => calls.map(({ body }) => JSON.parse(body) as Body);

const arrived = (account: Keyed): Promise<Clock> =>
  setup.trilho.until('the clock has arrived', async () => {
    const clock = await clockOf(account);
    return clock.target === null ? clock : null;
  });

/** Moves the clock and waits until it has arrived. */
async function advance(account: Keyed, by: string): Promise<Clock> {
  const asked = await post(account, '/test-clock/advance', { by });
  expect(asked.status, asked.text).toBe(200);
  return arrived(account);
}

async function charge(by: Keyed, body: object = {}): Promise<string> {
  const { body: answer, text } = await post(by, '/payments/transactions', { amount: 37, ...body });
  const { transaction_id: id } = answer.data as { transaction_id: string };
  expect(id, text).toBeDefined();
  return id;
}

/** Records a payment over the test credentials that no charge explains. */
async function receivedWithoutCharge(centavos: bigint): Promise<string> {
  const { db, clock } = setup.trilho.deps;
  const now = clock();
  const id = uuidv7(now);
  const payment = { id, rail: 'sandbox', mode: 'test', accountId: null, txid: null, payerNote: null } as const;
  const endToEndId = 'E9999999920261120120000000000001';
  await recordUnmatched(db.pool, { ...payment, endToEndId, centavos, paidAt: now, createdAt: now });
  return id;
}

const minutes = (from: string, to: unknown) => Math.round((Date.parse(String(to)) - Date.parse(from)) / 60_000);
const days = (from: string, to: unknown) => Math.round((Date.parse(String(to)) - Date.parse(from)) / DAY_MS);

test('charges from before and after a move of a test clock expire in the order of their times, and show those times', async () => {
  const receiver = await setup.receiver();
  const one = await setup.merchant(receiver.url);
  const before = (await clockOf(one)).now;
  const late = await charge(one, { expiresIn: 20 * DAY_SECONDS });
  const early = await charge(one, { expiresIn: 3 * DAY_SECONDS });

  const clock = await advance(one, '30d');
  expect(clock.stopped).toBeNull();
  expect(days(before, clock.now)).toBe(30);
  await setup.called(receiver, 2);
  const expired = bodies(receiver);
  expect(expired.map(({ type, data, timestamp }) => [type, data.transaction_id, days(before, timestamp)])).toEqual([
    ['pix_in.expired', early, 3],
    ['pix_in.expired', late, 20],
  ]);

  const next = await charge(one, { expiresIn: 2 * DAY_SECONDS });
  expect(days(before, (await read(one, `/payments/transactions/${next}`)).created_at)).toBe(30);
  await advance(one, '5d');
  await setup.called(receiver, 3);
  expect(bodies(receiver).map(({ timestamp }) => days(before, timestamp))).toEqual([3, 20, 32]);
});

test('a payment after a move of a test clock is credited at the account’s time, as its statement says', async () => {
  const receiver = await setup.receiver();
  const one = await setup.merchant(receiver.url);
  const before = (await clockOf(one)).now;
  const waiting = await charge(one, { expiresIn: 60 * DAY_SECONDS });
  const { now } = await advance(one, '40d');
  await setup.trilho.pay(waiting);
  await setup.called(receiver, 1);
  const [paid] = bodies(receiver);
  expect([paid?.type, days(before, paid?.timestamp), days(before, paid?.data.paid_at)]).toEqual([
    'pix_in.paid',
    40,
    40,
  ]);
  const period = `from=${dayOf(new Date(before))}&to=${addDays(dayOf(new Date(now)), 1)}`;
  const { entries } = (await read(one, `/payments/statement?${period}`)) as { entries: { day: string }[] };
  expect(entries.map(({ day }) => days(before, `${day}T12:00:00-03:00`))).toEqual([40]);
  // What waits for the operator from then on is in the audit in real time.
  await setup.trilho.pay(waiting, { force: true });
  const opened = await setup.trilho.until('a review is opened', async () => {
    const { rows } = await setup.trilho.deps.db.pool.query<{ at: Date }>(
      "SELECT at FROM audit_records WHERE account_id = $1 AND action = 'review.opened'",
      [one.accountId],
    );
    return rows[0];
  });
  expect(Math.abs(days(before, opened.at.toISOString()))).toBe(0);
});

test('a webhook that is not accepted is tried again while a test clock moves, each time signed with real time', async () => {
  const receiver = await setup.receiver(500);
  const one = await setup.merchant(receiver.url);
  await charge(one, { expiresIn: 60 });
  await advance(one, '30d');
  expect(receiver.calls.length).toBe(WEBHOOK_ATTEMPTS_MAX);
  const now = setup.trilho.deps.clock().getTime() / 1000;
  for (const { headers } of receiver.calls) {
    expect(Math.abs(Number(headers['webhook-timestamp']) - now)).toBeLessThan(120);
  }
});

test('a scheduled withdrawal is sent on its day by the test clock, and the daily limit starts again with another day', async () => {
  const receiver = await setup.receiver();
  const { trilho } = setup;
  const limits = [{ name: 'daily_limit_out_pix', centavos: 100_00n }];
  const one = await trilho.openAccount({ webhookUrl: receiver.url, limits });
  await setup.paidCharge(one, { amount: 500 });
  const today = dayOf(new Date((await clockOf(one)).now));
  const inFiveDays = addDays(today, 5);
  const pix = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
  const withdraw = (amount: number, more = {}) => post(one, '/payments/transfers/pix', { amount, ...pix, ...more });
  const scheduled = await withdraw(60, { scheduledFor: inFiveDays });
  expect(scheduled.status, scheduled.text).toBe(200);
  expect((await withdraw(80)).status).toBe(200);
  expect((await withdraw(80)).status).toBe(400);

  await advance(one, '10d');
  const paid = bodies(receiver).filter(({ type }) => type === 'pix_out.paid');
  expect(paid.map(({ data, timestamp }) => [data.amount, dayOf(new Date(timestamp))])).toEqual([
    [80, today],
    [60, inFiveDays],
  ]);
  // However long it takes in real time, by the clock the sandbox takes 0.3 seconds. On a busy
  // machine some polls come first; by real time it was hours.
  const tookMs = Date.parse(paid[1]?.timestamp ?? '') - beginsAt(inFiveDays).getTime();
  expect(tookMs).toBeGreaterThanOrEqual(300);
  expect(tookMs).toBeLessThan(60_000);
  expect((await withdraw(80)).status).toBe(200);
});

test('a payment is contested, decided and returned at the times of a test clock, and its answer is sent by it', async () => {
  const receiver = await setup.receiver();
  const one = await setup.merchant(receiver.url);
  const unanswered = await setup.paidCharge(one, { amount: 200.51 });
  const before = (await clockOf(one)).now;
  await advance(one, '1h');
  const [found] = await disputesOf(one);
  expect(minutes(before, found?.opened_at)).toBe(1);

  await setup.paidCharge(one, { amount: 300.51 });
  const paidAt = (await clockOf(one)).now;
  await advance(one, '2m');
  const [second] = await disputesOf(one);
  const answer = await post(one, `/payments/disputes/${second?.dispute_id}/answer`, {
    answer: 'contest',
    text: 'Sent.',
  });
  expect(answer.status, answer.text).toBe(200);
  await advance(one, '10m');
  await advance(one, '6d');

  const events = bodies(receiver).filter(({ type }) => /^dispute\.(opened|closed)$|refund/.test(type));
  expect(
    events.map(({ type, data, timestamp }) => {
      const isFirst = data.transaction_id === unanswered;
      return [
        isFirst ? 'unanswered' : 'answered',
        type,
        data.dispute_state,
        minutes(isFirst ? before : paidAt, timestamp),
      ];
    }),
  ).toEqual([
    ['unanswered', 'dispute.opened', 'open', 1],
    ['answered', 'dispute.opened', 'open', 1],
    ['answered', 'dispute.closed', 'won', 3],
    ['unanswered', 'dispute.closed', 'lost', 5 * 24 * 60 + 1],
    ['unanswered', 'pix_in.refunded', undefined, 5 * 24 * 60 + 2],
  ]);
  // The audit has real time.
  const { rows } = await setup.trilho.deps.db.pool.query<{ at: Date }>(
    "SELECT at FROM audit_records WHERE account_id = $1 AND action LIKE 'dispute.%'",
    [one.accountId],
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  const now = setup.trilho.deps.clock();
  expect(rows.filter(({ at }) => at > now || Number(now) - Number(at) > 10 * 60_000)).toEqual([]);
});

test('crypto deposits and withdrawals end at the times of a test clock, also those under way when it is moved', async () => {
  const receiver = await setup.receiver();
  const one = await setup.trilho.openAccount({ webhookUrl: receiver.url, currency: 'USDT_BSC' });
  await setup.paidCharge(one, { amount: 500 });
  const before = (await clockOf(one)).now;
  const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const sent = await post(one, '/payments/transfers/crypto', { amount: 100, wallet, currency: 'USDT_BSC' });
  expect(sent.status, sent.text).toBe(200);
  const invoice = await post(one, '/payments/deposits/crypto', { amount: 100, currency: 'USDT_BSC' });
  expect(invoice.status, invoice.text).toBe(201);
  await advance(one, '10d');
  const later = await post(one, '/payments/transfers/crypto', { amount: 100, wallet, currency: 'USDT_BSC' });
  expect(later.status, later.text).toBe(200);
  await advance(one, '1d');
  const crypto = bodies(receiver).filter(({ type }) => type.startsWith('crypto'));
  expect(crypto.map(({ type, timestamp }) => [type, minutes(before, timestamp)])).toEqual([
    ['crypto_out.completed', 0],
    ['crypto_in.expired', 60],
    ['crypto_out.completed', 10 * 24 * 60],
  ]);
});

test('a case that is opened while a test clock rests ahead is found, at the time of that clock', async () => {
  const one = await setup.merchant();
  const before = (await clockOf(one)).now;
  await advance(one, '30d');
  await setup.paidCharge(one, { amount: 400.51 });
  const [found] = await setup.trilho.until('a sweep has found the case', async () => {
    // The sandbox may open it right after a sweep has looked.
    setup.timePasses(60_000);
    const listed = await disputesOf(one);
    return listed.length > 0 ? listed : null;
  });
  expect(days(before, found?.opened_at)).toBe(30);
  setup.backToNow();
});

test('a payout that only a sweep finds is paid at the time of its account’s test clock', async () => {
  const { trilho } = setup;
  const one = await setup.merchant();
  await setup.paidCharge(one, { amount: 500 });
  const before = (await clockOf(one)).now;
  await advance(one, '30d');
  await trilho.setSwitch('pix.callback', 'never');
  const pix = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
  const id = transactionIdOf(await post(one, '/payments/transfers/pix', { amount: 50, ...pix }));
  const paid = await trilho.until('a sweep has found it', async () => {
    const found = await read(one, `/payments/transactions/${id}`);
    if (found.status !== 'processing') return found.status === 'paid' ? found : null;
    // Its own polls are put off.
    await trilho.deps.db.pool.query("UPDATE tasks SET due_at = $2 WHERE kind = 'payout' AND subject_id = $1", [
      id,
      new Date(Date.parse(before) + 200 * DAY_MS),
    ]);
    setup.timePasses(60_000);
    return null;
  });
  expect(days(before, paid.paid_at)).toBe(30);
  await trilho.setSwitch('pix.callback', 'once');
  setup.backToNow();
});

test('a test clock does not move before a worker has ended what it began of the account', async () => {
  const one = await setup.merchant();
  const id = await charge(one, { expiresIn: 600 });
  // The task as a worker leaves it that has claimed it.
  const { pool } = setup.trilho.deps.db;
  const now = setup.trilho.deps.clock();
  await pool.query('UPDATE tasks SET attempts = 1, due_at = $2 WHERE subject_id = $1', [
    id,
    new Date(now.getTime() + 20_000),
  ]);
  await post(one, '/test-clock/advance', { by: '1d' });
  for (let look = 0; look < 30; look++) expect((await clockOf(one)).ahead_seconds).toBe(0);

  await pool.query('UPDATE tasks SET attempts = 0, due_at = $2 WHERE subject_id = $1', [
    id,
    new Date(now.getTime() + 600_000),
  ]);
  await setup.trilho.until('the clock has arrived', async () => (await clockOf(one)).target === null || null);
  expect((await read(one, `/payments/transactions/${id}`)).status).toBe('expired');
});

test('a test clock moves by a year while nothing waits, and once when its answer was lost', async () => {
  const one = await setup.merchant();
  const before = (await clockOf(one)).now;
  const move = () =>
    setup.trilho.post('/test-clock/advance', one.apiKey, { by: '366d' }, { 'idempotency-key': 'year' });
  expect((await move()).status).toBe(200);
  const clock = await arrived(one);
  expect(days(before, clock.now)).toBe(366);
  // The process died between the commit and the record of its answer.
  await setup.trilho.asOwner(
    `UPDATE idempotency_keys SET status = NULL, body = NULL, owner = 0 WHERE account_id = '${one.accountId}'`,
  );
  const again = await move();
  expect(again.status, again.text).toBe(200);
  expect(days(before, (await arrived(one)).now)).toBe(366);
});

test('whoever gets a part of a charge hears of it at once, however far the charging account’s test clock is ahead', async () => {
  const receiver = await setup.receiver();
  const seller = await setup.merchant(receiver.url);
  const platform = await setup.merchant();
  await advance(platform, '7d');
  const split = { splitReceiverUserId: seller.accountId, splitAmount: 5 };
  await setup.trilho.pay(await charge(platform, split));
  await setup.called(receiver, 1);
  // What was paid otherwise than asked is credited by the operator.
  const differs = await charge(platform, split);
  await setup.trilho.pay(differs, { amount: '40.00' });
  const { db } = setup.trilho.deps;
  const [review] = await setup.trilho.until('it is in review', async () => {
    const found = (await listAllReviews({ db }, { waiting: true })).filter((one) => one.transactionId === differs);
    return found.length > 0 ? found : null;
  });
  const credit = { id: review?.id ?? '', resolution: 'credit', reason: 'as agreed', by: byOperator('ana') } as const;
  expect(await resolveReview(setup.trilho.deps, credit)).toBe('credited');
  await setup.called(receiver, 2);
  // A payment that came without a charge is assigned to one.
  const id = await receivedWithoutCharge(25_00n);
  const assignment = { id, accountId: null, chargeId: await charge(platform, split), reason: 'theirs' };
  const decision = { ...assignment, by: byOperator('ana') };
  expect(await assignPayment(setup.trilho.deps, decision)).toBe('assigned');
  await setup.called(receiver, 3);
  const paid = { type: 'split_in.paid', data: { amount: 5 } };
  expect(bodies(receiver)).toMatchObject([paid, paid, paid]);
});

test('each account has the time of its own test clock, and one without a clock has the service’s, also where an account ahead has opened it', async () => {
  const one = await setup.trilho.openAccount({ canCreateAccounts: true });
  const other = await setup.merchant();
  await advance(one, '7d');
  const made = await Promise.all([charge(one), charge(other)]);
  const times = await Promise.all([
    read(one, `/payments/transactions/${made[0]}`),
    read(other, `/payments/transactions/${made[1]}`),
  ]);
  expect(days(String(times[1]?.created_at), times[0]?.created_at)).toBe(7);
  expect((await clockOf(other)).ahead_seconds).toBe(0);

  const customer = { name: 'Ana', email: 'ana@loja.example', document: '52998224725', documentType: 'cpf' };
  const { api_key: apiKey } = (await post(one, '/accounts', customer)).body.data as { api_key: string };
  const opened = { apiKey, accountId: '' };
  expect(days(String((await read(opened, '/account')).created_at), (await clockOf(opened)).now)).toBe(0);
});

test.each([
  [{ by: '0s' }, 'not_duration'],
  [{ by: '1 month' }, 'not_duration'],
  [{ by: 30 }, 'not_duration'],
  [{}, 'not_duration'],
  [{ by: '367d' }, 'clock_too_far'],
])('a move of a test clock by %j is rejected, and moves nothing', async (move, issue) => {
  const one = await setup.merchant();
  const answer = await post(one, '/test-clock/advance', move);
  expect(answer.status).toBe(400);
  expect(answer.body.details).toMatchObject([{ field: 'by', code: issue }]);
  expect((await clockOf(one)).ahead_seconds).toBe(0);
});

test('a live account has no test clock: the database rejects one, too', async () => {
  const live = await setup.merchant(null, { mode: 'live' });
  expect((await setup.trilho.get('/test-clock', live.apiKey)).body.code).toBe('live_account_clock');
  expect((await post(live, '/test-clock/advance', { by: '1d' })).body.code).toBe('live_account_clock');
  expect(await findTestClock(setup.trilho.deps.db.pool, live.accountId)).toBeNull();
  await expect(
    setup.trilho.asOwner(`INSERT INTO test_clocks (account_id, moved_at) VALUES ('${live.accountId}', now())`),
  ).rejects.toThrow(/foreign key/);
});

test('the panel shows the date of an account’s test clock, and reads by it', async () => {
  const one = await setup.merchant();
  await advance(one, '45d');
  const { deps } = setup.trilho;
  const shifted = await inTimeOf(deps, { ...one, hasTestClock: true });
  const memberId = randomUUID();
  await addMember(deps.db.pool, { id: memberId, merchantId: one.merchantId, email: `${memberId}@example.com` });
  const { session, security } = await panelCaller(shifted, one.accountId, { memberId });
  const { test_clock: clock } = await session.me();
  expect(clock?.day).toBe(dayOf(new Date(deps.clock().getTime() + 45 * DAY_MS)));
  // People live in the service's own time.
  await deps.db.pool.query(
    `INSERT INTO sessions (id, member_id, token, expires_at, created_at, updated_at)
     SELECT id::text, id, id::text, $2, $3, $3 FROM members WHERE id = $1`,
    [memberId, new Date(deps.clock().getTime() + DAY_MS), deps.clock()],
  );
  expect((await security.get()).sessions.map(({ id }) => id)).toEqual([memberId]);
});

test('a second move of a test clock is rejected during the first, and another worker completes the move of one that died', async () => {
  const { trilho } = setup;
  const one = await setup.merchant();
  await advance(one, '1d');
  const now = trilho.deps.clock();
  // The row as a worker leaves it that was killed in the middle of a move.
  const heldUntil = new Date(now.getTime() + 60_000);
  await trilho.deps.db.pool.query(
    'UPDATE test_clocks SET holder = $2, held_until = $3, target_at = $4 WHERE account_id = $1',
    [one.accountId, randomUUID(), heldUntil, new Date(now.getTime() + 3 * DAY_MS)],
  );
  const hold = { now, holder: randomUUID(), heldUntil, limit: 8, except: [] };
  expect(await holdDueClocks(trilho.deps.db.pool, hold)).toEqual([]);
  const second = () => trilho.post('/test-clock/advance', one.apiKey, { by: '1d' }, { 'idempotency-key': 'second' });
  expect((await second()).body.code).toBe('clock_moving');
  setup.timePasses(61_000);
  const clock = await arrived(one);
  expect(Math.round(clock.ahead_seconds / DAY_SECONDS)).toBe(3);
  // Repeated once the first has arrived, as its error asks for.
  expect((await second()).status).toBe(200);
  setup.backToNow();
});

test('a worker keeps a test clock for as long as its tasks take together', async () => {
  const { deps } = setup.trilho;
  const receiver = await setup.receiver(500);
  const one = await setup.merchant(receiver.url);
  const isHeld: boolean[] = [];
  receiver.answer.before = async () => {
    setup.timePasses(31_000);
    const { rows } = await deps.db.pool.query<{ heldUntil: Date }>(
      'SELECT held_until AS "heldUntil" FROM test_clocks WHERE account_id = $1',
      [one.accountId],
    );
    isHeld.push(rows.some(({ heldUntil }) => heldUntil > deps.clock()));
  };
  await charge(one, { expiresIn: 60 });
  // The second attempt is ten minutes after the first one.
  await advance(one, '15m');
  expect(isHeld).toEqual([true, true]);
  setup.backToNow();
});

test('what happens at a provider beside a payment by a test clock, and is of no account, happens in real time', async () => {
  const { trilho } = setup;
  const one = await trilho.openAccount({ currency: 'USDT_BSC' });
  await advance(one, '30d');
  const invoice = await post(one, '/payments/deposits/crypto', { amount: 100, currency: 'USDT_BSC' });
  const id = transactionIdOf(invoice);
  await trilho.setSwitch('crypto.processor_acts', 'pay_elsewhere');
  await trilho.pay(id);
  await trilho.setSwitch('crypto.processor_acts', 'none');
  for (const act of ['pay_key', 'send_in_app', 'none']) {
    await trilho.setSwitch('pix.psp_acts', act);
    if (act !== 'none') await setup.paidCharge(one);
  }
  const { rows } = await trilho.deps.db.pool.query<{ at: Date }>(
    `SELECT paid_at AS at FROM sandbox.payments WHERE txid IS NULL
     UNION ALL SELECT asked_at FROM sandbox.payouts WHERE id_envio LIKE 'psp%'
     UNION ALL SELECT created_at FROM sandbox.crypto_invoices WHERE order_number LIKE 'painel-%'`,
  );
  const now = trilho.deps.clock().toISOString();
  expect(rows.map(({ at }) => Math.abs(days(now, at.toISOString())))).toEqual([0, 0, 0]);
});

test('no test clock waits for a callback whose processing has failed and is tried again', async () => {
  const { trilho } = setup;
  const { pool } = trilho.deps.db;
  const id = await charge(await setup.merchant());
  await trilho.setSwitch('pix.query', 'error');
  await trilho.pay(id);
  const failed = await trilho.until('its callback has failed', async () => {
    const { rows } = await pool.query<{ id: string }>(
      "SELECT subject_id AS id FROM tasks WHERE kind = 'process_callback' AND last_error IS NOT NULL",
    );
    return rows[0]?.id;
  });
  expect(await listWaitingCallbacks(pool, ['sandbox'])).not.toContain(failed);
  expect(await isCallbackWaiting(pool, [failed])).toBe(false);
  await trilho.setSwitch('pix.query', 'ok');
});

test('each kind of task is due by its account’s test clock, or is listed as an exception', async () => {
  const { rows } = await setup.trilho.deps.db.pool.query<{ source: string }>(
    "SELECT prosrc AS source FROM pg_proc WHERE proname = 'task_account'",
  );
  const byClock = TASK_KINDS.filter((kind) => rows[0]?.source.includes(`'${kind}'`));
  const byOwnTime: TaskKind[] = [
    // A provider's callback, whose account is not known yet; its books; its days.
    ...(['process_callback', 'sweep', 'reconcile_day'] as const),
    // People.
    ...(['send_mail', 'sign_up', 'invite_member', 'notify_kyc_decision', 'notice_digest'] as const),
  ];
  const where = 'Add a new kind of task to the function task_account, or to the exceptions here';
  expect([...byClock, ...byOwnTime].sort(), where).toEqual([...TASK_KINDS].sort());
});

test('the ledger check finds nothing after moves of test clocks, before and after the ledger is sealed', async () => {
  expect((await checkLedger(setup.trilho.deps.db.pool)).discrepancies).toEqual([]);
  await sealFully(setup.trilho.deps);
  const { discrepancies } = await checkLedger(setup.trilho.deps.db.pool);
  expect(discrepancies).toEqual([]);
});

test('the panel shows by real time which secrets sign, what was requested and received, and of an attempt no header that was not sent', async () => {
  const receiver = await setup.receiver();
  const one = await setup.merchant(receiver.url);
  await advance(one, '8d');
  const id = await setup.paidCharge(one);
  await setup.settled(one, 'delivered', 1, id);
  const own = await inTimeOf(setup.trilho.deps, { accountId: one.accountId, hasTestClock: true });
  const { webhooks, requests, notices } = await panelCaller(own, one.accountId);
  await fetch(own.settings.testReceiverUrl(one.accountId), { method: 'POST', body: '{}' });
  expect((await webhooks.received()).received).toHaveLength(1);
  const [newest] = await setup.trilho.until('the requests are written', async () => {
    const page = await requests.list({ limit: 1 });
    return page.requests.length > 0 ? page.requests : null;
  });
  expect(await requests.get({ id: newest?.id ?? '' })).toMatchObject({ id: newest?.id });
  const { as_of } = await notices.list({ language: 'en' });
  expect(Math.abs(days(as_of, setup.trilho.deps.clock().toISOString()))).toBe(0);
  const [listed] = (await webhooks.deliveries({ transaction_id: id })).deliveries;
  const { tries } = await webhooks.delivery({ delivery_id: listed?.delivery_id ?? '' });
  const sent = receiver.calls[0]?.headers ?? {};
  const shown = tries[0]?.headers ?? {};
  expect(shown['webhook-id']).toBe(sent['webhook-id']);
  expect(sent).toMatchObject(shown);
  const { overlap_until } = await webhooks.rotateSecret();
  expect((await webhooks.overview()).secret_overlap_until).toBe(overlap_until);
});
