import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { findFirstSweep, type SweepSpan } from '#db/sweeps/sweeps.ts';
import { listUnmatched } from '#db/unmatched/unmatched.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { PixSentPayment } from '#rails/ports.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import type { Deps } from '../deps.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { listAllForeignPayouts, writeOffPayout } from '../unmatched/decide-foreign-payout.ts';
import { depositPayment } from '../unmatched/decide-unmatched.ts';
import { planSweeps, runSweep } from './sweep-payments.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The service's clock is moved by the tests; the sandbox reads the same clock. It begins at the
 * next noon of UTC: the worker runs by itself what is due at night.
 */
let aheadMs = DAY_MS - ((Date.now() + DAY_MS / 2) % DAY_MS);
let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
  await planSweeps(trilho.deps);
});
beforeEach(async () => {
  const { accountId, apiKey } = await trilho.openAccount({ kycStatus: 'approved' });
  account = { id: accountId, apiKey: apiKey ?? '' };
  await trilho.setSwitch('pix.callback', 'never');
  await trilho.setSwitch('pix.psp_acts', 'none');
});
afterAll(() => trilho.stop());

async function newCharge(amount: number): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount }));
}

const rowOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT status, refunded_centavos AS refunded FROM transactions WHERE id = $1',
    [id],
  );
  return rows[0];
};

/** Runs the sweeps of a span, page by page. */
async function sweep(span: SweepSpan, deps: Deps = trilho.deps) {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>('SELECT id FROM sweeps WHERE span = $1', [span]);
  for (const { id } of rows) await runSweep(deps, id);
}

/** The service with a PSP that lists these as sent, each in the period in which it was. */
async function withListOfSent(sent: readonly PixSentPayment[]): Promise<Deps> {
  const rail = await trilho.deps.rails.pixNamed('sandbox');
  if (!rail?.payouts) throw new Error('The sandbox sends nothing.');
  const listPayouts = async ({ from, to }: { from: Date; to: Date }) => ({
    outcome: 'done' as const,
    value: { payouts: sent.filter(({ sentAt }) => sentAt >= from && sentAt < to), unreadable: 0, hasMore: false },
  });
  const listing = { ...rail, payouts: { ...rail.payouts, listPayouts } };
  return { ...trilho.deps, rails: { ...trilho.deps.rails, pixNamed: async () => listing } };
}

const balances = async () => {
  const found = await findBalances(trilho.deps.db.pool, account.id);
  return found && { available: found.availableCentavos, owed: found.owedCentavos };
};

/** Expects that the sandbox holds what the ledger says that it holds. */
async function expectSameBooks() {
  const { rows } = await trilho.deps.db.pool.query<{ ours: bigint }>(
    `SELECT -coalesce(sum(e.amount_centavos), 0)::bigint AS ours FROM ledger_entries e
      JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE a.kind = 'pix_settlement'`,
  );
  const { rows: theirs } = await trilho.deps.db.pool.query<{ theirs: bigint }>(
    `SELECT ((SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payments)
      - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.refunds WHERE status = 'DEVOLVIDO')
      - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payouts WHERE status = 'REALIZADO'))::bigint AS theirs`,
  );
  expect(rows[0]?.ours).toBe(theirs[0]?.theirs);
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
}

test('a payment that no callback reported is credited by the sweep', async () => {
  const id = await newCharge(12.34);
  await trilho.pay(id);
  await sweep('recent');
  expect(await rowOf(id)).toEqual({ status: 'paid', refunded: 0n });
  await expectSameBooks();
});

test('a payment to the key without a charge goes to suspense, once, and waits for a decision', async () => {
  await trilho.setSwitch('pix.psp_acts', 'pay_key');
  const id = await newCharge(20);
  await trilho.pay(id);
  await sweep('recent');
  await sweep('days');
  const waiting = await listUnmatched(trilho.deps.db.pool, { waiting: true, accountId: null, limit: 10 });
  expect(waiting).toMatchObject([{ centavos: 2000n, txid: null, state: 'open', rail: 'sandbox', accountId: null }]);
  expect(await balances()).toEqual({ available: 2000n, owed: 0n });
  await expectSameBooks();
});

test('a refund made at the bank is booked once, and takes the balance', async () => {
  await trilho.setSwitch('pix.psp_acts', 'refund_in_app');
  const id = await newCharge(15);
  await trilho.pay(id);
  await sweep('recent');
  expect(await rowOf(id)).toEqual({ status: 'refunded', refunded: 1500n });
  expect(await balances()).toEqual({ available: 0n, owed: 0n });
  const { timeline } = await (await panelCaller(trilho.deps, account.id)).detail.get({ transaction_id: id });
  expect(timeline.map(({ what }) => what).filter((what) => what.startsWith('refund_'))).toEqual([
    'refund_made_at_bank',
  ]);
  await sweep('days');
  await sweep('quarter');
  expect(await balances()).toEqual({ available: 0n, owed: 0n });
  await expectSameBooks();
});

test('a devolução of money that the account no longer has is owed, and the next receipt pays it first', async () => {
  const id = await newCharge(50);
  const paid = await trilho.pay(id);
  await sweep('recent');
  const withdrawn = await trilho.post('/payments/transfers/pix', account.apiKey, {
    amount: 40,
    pixKey: 'maria@example.com',
    pixKeyType: 'email',
  });
  expect(withdrawn.status).toBe(200);
  await trilho.deps.db.pool.query(
    `INSERT INTO sandbox.refunds (end_to_end_id, id, return_id, amount_centavos, nature, status, ends_as, asked_at, settled_at)
     VALUES ($1, 'med1', 'D99999999202611201200AbCdEfGhIjK', 5000, 'MED_FRAUDE', 'DEVOLVIDO', 'DEVOLVIDO', $2, $2)`,
    [paid.endToEndId, trilho.deps.clock()],
  );
  await sweep('recent');
  expect(await rowOf(id)).toEqual({ status: 'refunded', refunded: 5000n });
  expect(await balances()).toEqual({ available: 0n, owed: 4000n });
  const balance = await trilho.get('/payments/balance', account.apiKey);
  expect(balance.body.data).toMatchObject({ available_balance: 0, owed_balance: 40 });
  await trilho.until('the withdrawal has ended', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      "SELECT FROM transactions WHERE type = 'pix_out' AND status = 'paid'",
    );
    return rows.length > 0 ? true : null;
  });
  await expectSameBooks();

  const next = await newCharge(30);
  await trilho.pay(next);
  await sweep('recent');
  expect(await balances()).toEqual({ available: 0n, owed: 1000n });
  const refused = await trilho.post('/payments/transfers/pix', account.apiKey, {
    amount: 1,
    pixKey: 'maria@example.com',
    pixKeyType: 'email',
  });
  expect(refused.status).toBe(400);

  const last = await newCharge(30);
  await trilho.pay(last);
  await sweep('recent');
  expect(await balances()).toEqual({ available: 2000n, owed: 0n });
  expect((await trilho.get('/payments/balance', account.apiKey)).body.data).not.toHaveProperty('owed_balance');
  await expectSameBooks();
});

test('what goes back on the last days that a payment can, just after a weekly sweep, is booked by the next one', async () => {
  const id = await newCharge(18);
  const { endToEndId } = await trilho.pay(id);
  await sweep('recent');
  await trilho.asOwner(`UPDATE sweeps SET finished_at = now() - interval '7 days' WHERE span = 'quarter';
    UPDATE sandbox.payments SET paid_at = now() - interval '95 days' WHERE end_to_end_id = '${endToEndId}';
    INSERT INTO sandbox.refunds (end_to_end_id, id, return_id, amount_centavos, nature, status, ends_as, asked_at, settled_at)
    SELECT '${endToEndId}', 'med2', 'D77777777202611201200AbCdEfGhIjK', 1800, 'MED_FRAUDE', 'DEVOLVIDO', 'DEVOLVIDO', at, at
    FROM (SELECT now() - interval '6 days' AS at) AS settled`);
  await sweep('quarter');
  expect(await rowOf(id)).toEqual({ status: 'refunded', refunded: 1800n });
});

test('money that was sent in the bank’s app is booked once, waits, and can be written off', async () => {
  await trilho.setSwitch('pix.psp_acts', 'send_in_app');
  await trilho.pay(await newCharge(21));
  await sweep('recent');
  await sweep('sent_recent');
  await sweep('sent_recent');
  const [sent, ...others] = await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null });
  expect(sent).toMatchObject({ centavos: 2100n, state: 'open', rail: 'sandbox', mode: 'test', accountId: null });
  expect(others).toEqual([]);
  expect(await balances()).toEqual({ available: 2100n, owed: 0n });
  await expectSameBooks();

  const decision = { id: sent?.id ?? '', reason: 'a supplier of ours', by: byOperator('ana') };
  expect(await writeOffPayout(trilho.deps, decision)).toBe('written_off');
  expect(await writeOffPayout(trilho.deps, decision)).toBe('decided');
  expect(await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null })).toEqual([]);
  expect(await listAllForeignPayouts(trilho.deps, { waiting: false, accountId: null })).toMatchObject([
    { state: 'written_off', reason: 'a supplier of ours', decidedBy: 'ana' },
  ]);
  expect(
    (
      await trilho.deps.db.pool.query(
        "SELECT merchant_id, details->>'operator' AS by FROM audit_records WHERE action = 'foreign_payout.written_off'",
      )
    ).rows,
  ).toEqual([{ merchant_id: null, by: 'ana' }]);
  await expectSameBooks();
});

test('a sent Pix that comes back waits for a decision, in whichever way the PSP lists it, once for each id', async () => {
  await trilho.pay(await newCharge(100));
  await sweep('recent');
  const withdrawn = await trilho.post('/payments/transfers/pix', account.apiKey, {
    ...{ amount: 40, pixKey: 'maria@example.com', pixKeyType: 'email' },
  });
  const id = transactionIdOf(withdrawn);
  const sentAs = await trilho.until('it is sent', async () => {
    const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
      "SELECT end_to_end_id AS id FROM transactions WHERE id = $1 AND status = 'paid'",
      [id],
    );
    return rows[0]?.id;
  });
  const returnId = 'D99999999202611201200AbCdEfGhIjK';
  await trilho.deps.db.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
     SELECT ids.id, document, NULL, chave, 4000, $2 FROM unnest($1::text[]) AS ids (id),
       (SELECT document, chave FROM sandbox.payments LIMIT 1) AS p`,
    [[returnId, sentAs], trilho.deps.clock()],
  );
  await sweep('recent');
  await sweep('days');
  const listed: PixSentPayment = {
    ...{ payoutId: uuidToTxid(id), endToEndId: sentAs, status: 'completed', amountCentavos: 4000n },
    sentAt: trilho.deps.clock(),
    returns: [returnId, returnId.replace('D9', 'D8')].map((one) => ({
      ...{ returnId: one, amountCentavos: 4000n, at: trilho.deps.clock() },
    })),
  };
  expect(await bookSentPayment(trilho.deps, 'sandbox', listed)).toBe('unmatched');
  expect(await bookSentPayment(trilho.deps, 'sandbox', listed)).toBe('unchanged');
  const open = await listUnmatched(trilho.deps.db.pool, { waiting: true, accountId: null, limit: 1_000 });
  const back = open.filter(({ centavos }) => centavos === 4000n);
  expect(back.map(({ endToEndId }) => endToEndId).sort()).toEqual([returnId.replace('D9', 'D8'), returnId, sentAs]);
  expect(await rowOf(id)).toMatchObject({ status: 'paid' });

  const before = await balances();
  for (const { id: one } of back) {
    const decision = {
      id: one,
      accountId: null,
      toAccountId: account.id,
      reason: 'it came back',
      by: byOperator('ana'),
    };
    expect(await depositPayment(trilho.deps, decision)).toBe('deposited');
  }
  expect((await balances())?.available).toBeGreaterThan(before?.available ?? 0n);
  // The sandbox lists one of them only now: after that the books agree.
  await trilho.deps.db.pool.query(
    `INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
     SELECT $1, document, NULL, chave, 4000, $2 FROM sandbox.payments LIMIT 1`,
    [returnId.replace('D9', 'D8'), trilho.deps.clock()],
  );
  await sweep('recent');
  await expectSameBooks();
});

test('a sweep that is interrupted goes on with its page, and one of a PSP that does not answer is asked again', async () => {
  await trilho.setSwitch('pix.query', 'error');
  await expect(sweep('recent')).rejects.toThrow();
  await trilho.setSwitch('pix.query', 'ok');
  await trilho.asOwner(
    "UPDATE sweeps SET from_at = now() - interval '1 hour', to_at = now(), page = 7 WHERE span = 'days'",
  );
  await sweep('days');
  const { rows } = await trilho.deps.db.pool.query("SELECT from_at, page, finished_at FROM sweeps WHERE span = 'days'");
  expect(rows).toEqual([{ from_at: null, page: 0, finished_at: expect.any(Date) }]);
});

test('more payments than a page are read page by page, by the worker, without a callback', async () => {
  await trilho.asOwner(`INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
    SELECT 'E9999999920261120' || lpad(n::text, 15, '0'), document, NULL, chave, 1, '${trilho.deps.clock().toISOString()}'
    FROM generate_series(1, 250) AS n, (SELECT document, chave FROM sandbox.payments LIMIT 1) AS p`);
  aheadMs += 11 * MINUTE_MS;
  await trilho.until('all are in suspense', async () => {
    const waiting = await listUnmatched(trilho.deps.db.pool, { waiting: true, accountId: null, limit: 1_000 });
    return waiting.length === 251 ? true : null;
  });
  await expectSameBooks();
});

test('a payment from before the first sweep is left alone', async () => {
  const { rows } = await trilho.deps.db.pool.query<{ count: bigint }>('SELECT count(*) FROM unmatched_payments');
  await trilho.asOwner(`INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
    SELECT 'E88888888202611201200AbCdEfGhIjK', document, NULL, chave, 1, now() - interval '2 days' FROM sandbox.payments LIMIT 1`);
  await sweep('days');
  const { rows: after } = await trilho.deps.db.pool.query<{ count: bigint }>('SELECT count(*) FROM unmatched_payments');
  expect(after).toEqual(rows);
});

test('money that was sent before the first sweep is left alone', async () => {
  const first = await findFirstSweep(trilho.deps.db.pool, 'sandbox');
  const earliest = (first?.getTime() ?? 0) - SWEEP_PLAN.sent_recent.lengthMs;
  const bookAt = (ms: number) =>
    bookSentPayment(trilho.deps, 'sandbox', {
      ...{ payoutId: null, endToEndId: 'E55555555202611201200AbCdEfGhIjK', status: 'completed', returns: [] },
      ...{ amountCentavos: 55n, sentAt: new Date(ms) },
    });
  expect(await bookAt(earliest - 1)).toBe('unchanged');
  expect(await bookAt(earliest)).toBe('foreign_payout');
});

test('after an outage a sweep reads from where the last one ended', async () => {
  await trilho.asOwner(`UPDATE sweeps SET created_at = now() - interval '6 days' WHERE span = 'days';
    UPDATE sweeps SET finished_at = now() - interval '5 days', from_at = NULL, to_at = NULL, page = 0 WHERE span = 'days';
    INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
    SELECT 'E66666666202611201200AbCdEfGhIjK', document, NULL, chave, 66, now() - interval '5 days 1 hour' FROM sandbox.payments LIMIT 1`);
  await sweep('days');
  const { rows } = await trilho.deps.db.pool.query(
    "SELECT centavos FROM unmatched_payments WHERE end_to_end_id LIKE 'E666%'",
  );
  expect(rows).toEqual([{ centavos: 66n }]);
});

test('a Pix that comes back on the last days that it can, just after a weekly sweep, is booked by the next one', async () => {
  const deps = await withListOfSent([
    {
      ...{ payoutId: null, endToEndId: 'E44444444202611201200AbCdEfGhIjK', status: 'completed', amountCentavos: 700n },
      sentAt: new Date(trilho.deps.clock().getTime() - 95 * DAY_MS),
      returns: [
        { returnId: 'D44444444202611201200AbCdEfGhIjK', amountCentavos: 700n, at: new Date(trilho.deps.clock()) },
      ],
    },
  ]);
  await trilho.asOwner("UPDATE sweeps SET finished_at = now() - interval '7 days' WHERE span::text LIKE 'sent_%'");
  for (const span of ['sent_recent', 'sent_days', 'sent_quarter', 'sent_quarter'] as const) await sweep(span, deps);
  const open = await listUnmatched(trilho.deps.db.pool, { waiting: true, accountId: null, limit: 1_000 });
  expect(open.filter(({ centavos }) => centavos === 700n)).toMatchObject([
    { endToEndId: 'D44444444202611201200AbCdEfGhIjK', state: 'open' },
  ]);
});
