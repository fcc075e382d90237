import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import type { PixRail } from '#rails/ports.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { readEventData, readEvents } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { pixCallbackUrl } from '../callbacks/callback-url.ts';
import type { Deps } from '../deps.ts';
import { findByText } from '../transactions/find-by-text.ts';
import { cancelCharge } from './cancel-charge.ts';
import { createCharge } from './create-charge.ts';
import { NO_CUSTOMER } from './seal-texts.ts';
import { settleCharge } from './settle-charge.ts';

/** The service's clock is moved by the tests; the sandbox reads the same clock. */
let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
  await trilho.stop();
});

const DAY_MS = 86_400_000;

async function rows<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  return (await trilho.deps.db.pool.query(sql, values)).rows as T[];
}

async function newCharge(amount = 10) {
  const { apiKey, accountId } = await trilho.openAccount();
  const created = await trilho.post('/payments/transactions', apiKey, { amount });
  const id = transactionIdOf(created);
  const available = async () =>
    (await trilho.get('/payments/balance', apiKey)).body.data as { available_balance: number };
  const detail = async () =>
    (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as { reviews: unknown[] };
  return {
    id,
    apiKey,
    accountId,
    available: async () => (await available()).available_balance,
    reviews: async () => (await detail()).reviews,
  };
}

const statusOf = async (id: string) =>
  (await rows<{ status: string }>('SELECT status FROM transactions WHERE id = $1', id))[0]?.status;
const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => ((await statusOf(id)) === status ? true : null));
const eventsOf = async (id: string) =>
  (await readEvents(trilho.deps, id)).map(({ type, body }) => ({
    type,
    previous: JSON.parse(body).data.previous_status,
  }));
/** The data of a transaction's events, oldest first. */
const bodiesOf = (id: string) => readEventData(trilho.deps, id);
/** Makes every task of a charge due now. */
const watchNow = (id: string) => rows(`UPDATE tasks SET due_at = $2 WHERE subject_id = $1`, id, trilho.deps.clock());
/** The worker does not look before a test does, on a slow machine either. */
const watchTomorrow = (id: string) =>
  rows(`UPDATE tasks SET due_at = due_at + interval '1 day' WHERE subject_id = $1`, id);
const callbacksAreWorkedOff = () =>
  trilho.until('no callback waits', async () =>
    (await rows(`SELECT FROM tasks WHERE kind = 'process_callback'`)).length === 0 ? true : null,
  );
const callBack = (body: string, rail = 'sandbox') =>
  trilho.post(`${new URL(pixCallbackUrl(trilho.url, trilho.deps.secretBox, rail)).pathname}/pix`, undefined, body);
const notice = (id: string, endToEndId = 'E00000000202611210000aaaaaaaaaaa', valor = '10.00') =>
  JSON.stringify({ pix: [{ endToEndId, txid: uuidToTxid(id), valor, horario: '2026-11-21T00:00:00.000Z' }] });

const ID_OR_INSTANT = /\b(evt_)?([\da-f]{32}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)\b/g;

test('a payment that several processes put into review at once is counted and logged once', async () => {
  await trilho.setSwitch('pix.callback', 'never');
  const charge = await newCharge();
  await watchTomorrow(charge.id);
  await trilho.pay(charge.id, { amount: '7.00' });
  const counted: string[] = [];
  const logged: string[] = [];
  const deps: Deps = {
    ...trilho.deps,
    observe: (what) => void (what.kind === 'ledger_posting' && counted.push(what.posting)),
    log: { ...trilho.deps.log, error: (_fields, line) => void logged.push(line) },
  };
  const settled = await Promise.all(Array.from({ length: 6 }, () => settleCharge(deps, charge.id)));
  expect(settled.filter((outcome) => outcome === 'review')).toHaveLength(1);
  expect([counted, logged]).toEqual([['suspense'], ['A payment was not credited and waits for review.']]);
  expect(await charge.reviews()).toMatchObject([{ reason: 'amount_differs' }]);
  await trilho.setSwitch('pix.callback', 'once');
});

test('a charge that is cancelled at a PSP which then does not answer is closed by a worker, and the audit says who asked', async () => {
  const charge = await newCharge();
  await trilho.setSwitch('pix.query', 'error');
  // Under one Idempotency-Key: the message says to try again, and its repetition finds out.
  const once = { 'idempotency-key': `cancel-${charge.id}` };
  const cancel = () => trilho.post(`/payments/transactions/${charge.id}/cancel`, charge.apiKey, {}, once);
  expect(await cancel()).toMatchObject({ status: 400, body: { code: 'charge_not_cancelled' } });
  await trilho.setSwitch('pix.query', 'ok');
  await watchNow(charge.id);
  await becomes(charge.id, 'cancelled');
  expect((await cancel()).status).toBe(200);
  const noted =
    "SELECT account_id AS id FROM audit_records WHERE action = 'charge.cancelled' AND details->>'subject' = $1";
  expect(await rows(noted, charge.id)).toEqual([{ id: charge.accountId }]);
});

test('a charge whose cancellation the PSP does not confirm stays open, and the same call again may cancel it', async () => {
  const charge = await newCharge();
  const pixNamed: Deps['rails']['pixNamed'] = async (name) => {
    const rail = await trilho.deps.rails.pixNamed(name);
    return rail && { ...rail, cancelCharge: async () => ({ outcome: 'unknown', reason: 'no answer' }) };
  };
  const deps: Deps = { ...trilho.deps, rails: { ...trilho.deps.rails, pixNamed } };
  const terms = await findAccountTerms(deps.db.pool, charge.accountId, deps.clock());
  if (!terms) throw new Error('There is no such account.');
  const acting = { ...terms, actor: null, origin: { ipAddress: null, userAgent: null } };
  await expect(cancelCharge(deps, acting, charge.id)).rejects.toMatchObject({ code: 'charge_not_cancelled' });
  expect(await statusOf(charge.id)).toBe('pending');
  await cancelCharge(trilho.deps, acting, charge.id);
  expect(await statusOf(charge.id)).toBe('cancelled');
});

test('a charge that the PSP makes without a code to pay it by has failed, and its repetition too', async () => {
  const { deps } = trilho;
  const { accountId } = await trilho.openAccount();
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) throw new Error('There is no such account.');
  const pixFor: typeof deps.rails.pixFor = async (choice) => {
    const rail = await deps.rails.pixFor(choice);
    const createCharge: PixRail['createCharge'] = async (request) => {
      const made = await (rail as PixRail).createCharge(request);
      return made.outcome === 'done' ? { ...made, value: { ...made.value, brCode: null } } : made;
    };
    return rail && { ...rail, createCharge };
  };
  const id = uuidv7(deps.clock());
  const create = (over: Deps) =>
    createCharge(over, terms, {
      ...{ id, amountCentavos: 10_00n, customer: NO_CUSTOMER, description: null, callbackUrl: null, split: null },
      ...{ expiresInSeconds: null, merchantFields: NO_MERCHANT_FIELDS },
    });
  const failed = { code: 'charge_not_created' };
  await expect(create({ ...deps, rails: { ...deps.rails, pixFor } })).rejects.toMatchObject(failed);
  expect(await statusOf(id)).toBe('failed');
  await expect(create(deps)).rejects.toMatchObject(failed);
});

test('callbacks that are repeated, forged or out of order credit a payment once', async () => {
  for (const how of ['twice', 'forged', 'reordered', 'delayed', 'failing']) {
    await trilho.setSwitch('pix.callback', how);
    const charge = await newCharge();
    await trilho.pay(charge.id);
    // The callbacks that the sandbox holds back become due.
    aheadMs += 60_000;
    await becomes(charge.id, 'paid');
    await callbacksAreWorkedOff();
    expect(await charge.available(), how).toBe(10);
    expect(await eventsOf(charge.id), how).toEqual([{ type: 'pix_in.paid', previous: 'pending' }]);
  }
  await trilho.setSwitch('pix.callback', 'once');
});

test('fifty callbacks of one payment at once credit it once', async () => {
  await trilho.setSwitch('pix.callback', 'never');
  const charge = await newCharge();
  const { endToEndId } = await trilho.pay(charge.id);
  const answers = await Promise.all(Array.from({ length: 50 }, () => callBack(notice(charge.id, String(endToEndId)))));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  await becomes(charge.id, 'paid');
  await callbacksAreWorkedOff();
  expect(await charge.available()).toBe(10);
  expect(await eventsOf(charge.id)).toHaveLength(1);
});

test('a payment that is called back about before its charge lists it is credited at once', async () => {
  await trilho.setSwitch('pix.callback', 'never');
  const [charge, other] = [await newCharge(), await newCharge()];
  await watchTomorrow(charge.id);
  const { endToEndId } = (await trilho.pay(charge.id)) as { endToEndId: string };
  const pixNamed: Deps['rails']['pixNamed'] = async (name) => {
    const rail = await trilho.deps.rails.pixNamed(name);
    if (!rail) return null;
    return {
      ...rail,
      async findCharge(txid) {
        const found = await rail.findCharge(txid);
        if (found.outcome !== 'done' || found.value === null) return found;
        return { ...found, value: { ...found.value, status: 'active', payments: [] } };
      },
    };
  };
  const deps: Deps = { ...trilho.deps, rails: { ...trilho.deps.rails, pixNamed } };
  expect(await settleCharge(deps, other.id, { named: { endToEndId } })).toBe('unchanged');
  expect(await settleCharge(deps, charge.id, { named: { endToEndId } })).toBe('paid');
  expect(await settleCharge(deps, charge.id, { named: { endToEndId } })).toBe('unchanged');
  expect([await charge.available(), await other.available()]).toEqual([10, 0]);
  await trilho.setSwitch('pix.callback', 'once');
});

test('a callback moves no money by itself: what it claims is asked of the PSP', async () => {
  const charge = await newCharge();
  expect((await callBack(notice(charge.id))).status).toBe(200);
  expect((await callBack(notice('01a1fc74-0489-79b5-9c67-ce0aaeccc008'))).status).toBe(200);
  for (const rubbish of ['', 'nonsense', '<html>', '{"pix":17}', '[]'])
    expect((await callBack(rubbish)).status).toBe(200);
  await callbacksAreWorkedOff();
  expect(await statusOf(charge.id)).toBe('pending');
  const outcomes = await rows<{ outcome: string }>('SELECT DISTINCT outcome FROM inbound_callbacks ORDER BY outcome');
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(['unchanged', 'unknown_charge', 'unreadable']),
  );
});

test('the address that the PSP was given answers by itself too: it is tried when it is registered', async () => {
  const { pathname } = new URL(pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox'));
  expect((await trilho.post(pathname, undefined, '{"evento":"teste_webhook"}')).status).toBe(200);
  expect((await trilho.get(pathname)).status).toBe(405);
  expect((await trilho.post(`${pathname}/other`, undefined, '{}')).status).toBe(404);
});

test('a callback on another path than the one given to the PSP is rejected and not kept', async () => {
  const before = await rows('SELECT FROM inbound_callbacks');
  const wrong = await trilho.post('/inbound/pix/sandbox/wrong-token/pix', undefined, notice((await newCharge()).id));
  expect(wrong.status).toBe(401);
  expect((await callBack('{}', 'unknown')).status).toBe(404);
  expect(await rows('SELECT FROM inbound_callbacks')).toHaveLength(before.length);
});

test('a payment whose callback never comes is found by polling', async () => {
  await trilho.setSwitch('pix.callback', 'never');
  const charge = await newCharge();
  await trilho.pay(charge.id);
  await watchNow(charge.id);
  await becomes(charge.id, 'paid');
  expect(await charge.available()).toBe(10);
  await trilho.setSwitch('pix.callback', 'once');
});

test('another amount than the charge’s is never credited: it waits in suspense for an operator', async () => {
  const charge = await newCharge(100);
  await trilho.pay(charge.id, { amount: '99.99' });
  await becomes(charge.id, 'review');
  expect(await charge.available()).toBe(0);
  expect(
    await rows(
      'SELECT reason, expected_centavos::int, received_centavos::int FROM reviews WHERE transaction_id = $1',
      charge.id,
    ),
  ).toEqual([{ reason: 'amount_differs', expected_centavos: 10_000, received_centavos: 9_999 }]);
  expect(
    await rows(
      `SELECT e.amount_centavos::int AS centavos FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
       WHERE t.transaction_id = $1 AND t.kind = 'suspense' ORDER BY 1`,
      charge.id,
    ),
  ).toEqual([{ centavos: -9_999 }, { centavos: 9_999 }]);
  expect(await eventsOf(charge.id)).toEqual([{ type: 'pix_in.review', previous: 'pending' }]);
  const [payment] = await rows<{ id: string }>(
    'SELECT end_to_end_id AS id FROM reviews WHERE transaction_id = $1',
    charge.id,
  );
  expect(await bodiesOf(charge.id)).toMatchObject([
    {
      status: 'review',
      amount: 100,
      review_reason: 'amount_differs',
      received_amount: 99.99,
      end_to_end_id: payment?.id,
    },
  ]);
  expect(await charge.reviews()).toEqual([
    {
      review_id: expect.any(String),
      reason: 'amount_differs',
      expected_amount: 100,
      received_amount: 99.99,
      end_to_end_id: payment?.id,
      created_at: expect.any(String),
      resolved_at: null,
      resolution: null,
    },
  ]);
  expect(
    await rows(
      `SELECT details FROM audit_records WHERE action = 'review.opened' AND details->>'subject' = $1`,
      charge.id,
    ),
  ).toEqual([
    { details: expect.objectContaining({ reason: expect.any(String), received_centavos: expect.any(Number) }) },
  ]);
});

test('a second payment of a paid charge waits for an operator, once, and is found by its id; the charge stays paid', async () => {
  const charge = await newCharge();
  await trilho.pay(charge.id);
  await becomes(charge.id, 'paid');
  expect(await charge.reviews()).toEqual([]);
  const { endToEndId } = await trilho.pay(charge.id, { force: true });
  const reviews = () => rows('SELECT reason FROM reviews WHERE transaction_id = $1', charge.id);
  await trilho.until('the second payment is in review', async () => ((await reviews()).length > 0 ? true : null));
  await callBack(notice(charge.id));
  await callbacksAreWorkedOff();
  expect(await reviews()).toEqual([{ reason: 'second_payment' }]);
  const second = { received_amount: 10, end_to_end_id: endToEndId };
  expect((await bodiesOf(charge.id))[1]).toMatchObject({ status: 'paid', review_reason: 'second_payment', ...second });
  expect(await charge.reviews()).toMatchObject([{ reason: 'second_payment', expected_amount: 10, ...second }]);
  const { body } = await trilho.get(`/payments/transactions?text=${endToEndId}`, charge.apiKey);
  expect(body.data).toMatchObject([{ transaction_id: charge.id }]);
  for (const account of [charge.accountId, null])
    expect(await findByText(trilho.deps, account, String(endToEndId))).toMatchObject([{ id: charge.id }]);
  expect(await findByText(trilho.deps, (await newCharge()).accountId, String(endToEndId))).toEqual([]);
  expect(await statusOf(charge.id)).toBe('paid');
  expect(await charge.available()).toBe(10);
});

test('a charge expires at its end, not before, and a payment that was made all the same is credited late', async () => {
  const charge = await newCharge();
  await watchNow(charge.id);
  await trilho.until('the watcher has looked', async () => {
    const [task] = await rows<{ due_at: Date; attempts: number }>(
      'SELECT due_at, attempts FROM tasks WHERE subject_id = $1',
      charge.id,
    );
    // A task that is claimed is due later as well, and counts the claim.
    return task && task.due_at > trilho.deps.clock() && task.attempts === 0 ? true : null;
  });
  expect(await statusOf(charge.id)).toBe('pending');
  aheadMs += DAY_MS + 60_000;
  await becomes(charge.id, 'expired');
  await trilho.pay(charge.id, { force: true });
  await becomes(charge.id, 'paid');
  expect(await charge.available()).toBe(10);
  expect(await eventsOf(charge.id)).toEqual([
    { type: 'pix_in.expired', previous: 'pending' },
    { type: 'pix_in.paid', previous: 'expired' },
  ]);
});

test('while the PSP can’t give a charge’s status, it is neither expired nor credited', async () => {
  await trilho.setSwitch('pix.callback', 'never');
  const charge = await newCharge();
  await trilho.pay(charge.id);
  await trilho.setSwitch('pix.query', 'error');
  aheadMs += DAY_MS + 60_000;
  await watchNow(charge.id);
  await trilho.until('the watcher failed to hear', async () => {
    const [task] = await rows<{ attempts: number }>('SELECT attempts FROM tasks WHERE subject_id = $1', charge.id);
    return task && task.attempts > 0 && trilho.log.some((line) => line.includes('asking again later')) ? true : null;
  });
  expect(await statusOf(charge.id)).toBe('pending');
  await trilho.setSwitch('pix.query', 'ok');
  aheadMs += DAY_MS;
  await becomes(charge.id, 'paid');
  await trilho.setSwitch('pix.callback', 'once');
});

test.each(['error', 'refused'])(
  'a charge that the PSP does not create (%s) is rejected, kept as failed, and delivers no event',
  async (how) => {
    await trilho.setSwitch('pix.charge', how);
    const { apiKey, accountId } = await trilho.openAccount({ webhookUrl: 'http://127.0.0.1:9999/hook' });
    const answer = await trilho.post('/payments/transactions', apiKey, { amount: 10 });
    await trilho.setSwitch('pix.charge', 'ok');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, error: 'Não foi possível criar a cobrança' });
    const kept = await rows<{ id: string; status: string }>(
      'SELECT id, status FROM transactions WHERE account_id = $1',
      accountId,
    );
    expect(kept.map(({ status }) => status)).toEqual(['failed']);
    expect(
      await rows('SELECT FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.account_id = $1', accountId),
    ).toEqual([]);
  },
);

test('fee and split divide the amount to the centavo, and the charging account and the receiver each get their own event', async () => {
  const receiver = await trilho.openAccount();
  const payer = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 99, fixedCentavos: 10n } }] });
  const created = await trilho.post('/payments/transactions', payer.apiKey, {
    amount: 33.33,
    splitReceiverUserId: receiver.accountId,
    splitAmount: 11.11,
    customerName: 'Fulana de Tal',
    description: 'Pedido 4711',
  });
  const id = transactionIdOf(created);
  const list = async (key: string) =>
    (await trilho.get('/payments/transactions', key)).body.data as Record<string, unknown>[];
  expect(await list(receiver.apiKey)).toEqual([]);
  const { endToEndId } = await trilho.pay(id);
  await becomes(id, 'paid');
  const of = async (key: string) =>
    ((await trilho.get('/payments/balance', key)).body.data as { available_balance: number }).available_balance;
  // Of 33.33 the fee is 0.33 (0.329967, half up) + 0.10, the split 11.11, the rest the account's.
  expect([await of(payer.apiKey), await of(receiver.apiKey)]).toEqual([21.79, 11.11]);
  const split = { account_id: receiver.accountId, amount: 11.11 };
  expect(await bodiesOf(id)).toMatchObject([{ amount: 33.33, amount_fees: 0.43, split, net_amount: 21.79 }]);

  // The receiver: a transaction of their own in list, detail, event and statement.
  const [part, ...others] = await list(receiver.apiKey);
  expect(others).toEqual([]);
  const partId = String(part?.transaction_id);
  const txid = partId.replaceAll('-', '');
  const known = { type: 'split_in', status: 'paid', amount: 11.11, amount_fees: 0, net_amount: 11.11 };
  expect(part).toMatchObject({ ...known, external_id: txid, description: null, customer_name: null });
  const detail = await trilho.get(`/payments/transactions/${partId}`, receiver.apiKey);
  expect(detail.body.data).toMatchObject({ ...known, split: null, pix: null, crypto: null, callback_url: null });
  const [event] = await bodiesOf(partId);
  expect(event).toEqual({
    ...known,
    transaction_id: partId,
    external_id: txid,
    created_at: part?.created_at,
    paid_at: part?.paid_at,
    previous_status: null,
  });
  const panel = await panelCaller(trilho.deps, receiver.accountId);
  const day = dayOf(trilho.deps.clock());
  const { entries } = await panel.statement.get({ balance: 'available', from: day, to: day });
  const transaction = { id: partId, type: 'split_in', description: null, customer_name: null };
  expect(entries).toMatchObject([{ name: 'split_received', amount: 11.11, fee: null, transaction }]);
  const shown = await panel.detail.get({ transaction_id: partId });
  expect(shown.ledger).toMatchObject([{ kind: 'charge_paid', entries: [{ account: 'available', amount: 11.11 }] }]);
  expect(shown.deliveries).toMatchObject([{ event: 'split_in.paid', status: 'held' }]);
  const { deliveries } = await panel.webhooks.deliveries({ topic: 'deposit' });
  expect(deliveries).toMatchObject([{ type: 'split_in.paid', transaction_id: partId }]);

  // The receiver sees nothing of the payer, and nothing of the charging account.
  const everything = JSON.stringify([part, detail.body, event, entries, shown, deliveries]);
  const ids = [id, id.replaceAll('-', ''), payer.accountId, String(endToEndId)];
  for (const secret of ids) expect(everything).not.toContain(secret);
  // Digits of an id or an instant may be those of an amount.
  const texts = everything.replaceAll(ID_OR_INSTANT, '');
  for (const secret of ['Fulana', '4711', '33.33', '21.79']) expect(texts).not.toContain(secret);
  expect((await trilho.get(`/payments/transactions/${id}`, receiver.apiKey)).status).toBe(404);
  expect((await trilho.get(`/payments/transactions/${partId}`, payer.apiKey)).status).toBe(404);
  expect((await list(payer.apiKey)).map(({ transaction_id }) => transaction_id)).toEqual([id]);
});
