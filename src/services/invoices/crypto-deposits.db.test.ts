import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import type { OpenAccountInput } from '../accounts/open-account.ts';
import { listAllReviews, type Resolution, resolveReview } from '../reviews/resolve-review.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { settleInvoice } from './settle-invoice.ts';

/**
 * Crypto deposits from the request to the balance, over HTTP, with the sandbox's processor and its
 * callbacks in between.
 */

const START = new Date('2026-11-20T15:00:00Z');
/**
 * Milliseconds by which tests moved the clock. It also runs: the sandbox does some things a moment
 * later.
 */
let offset = 0;
const began = performance.now();
const clock = () => new Date(START.getTime() + offset + performance.now() - began);
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  await trilho.setSwitch('crypto.callback', 'once');
  await trilho.setSwitch('crypto.invoice', 'ok');
  await trilho.setSwitch('crypto.white_label', 'on');
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

type Details = Record<string, unknown> & { crypto: Record<string, unknown>; history: { event: string }[] };

/** An invoice, of R$ 108.00 or 20 USDT unless said otherwise, on an account with a fee of 1 %. */
async function invoice(terms: Partial<OpenAccountInput> = {}, amount = 108) {
  const { apiKey } = await trilho.openAccount({
    currency: 'USDT_BSC',
    fees: [{ type: 'crypto_in', fee: { bps: 100, fixedCentavos: 0n } }],
    ...terms,
  });
  const answer = await trilho.post('/payments/deposits/crypto', apiKey, { amount });
  expect(answer.status).toBe(201);
  const id = transactionIdOf(answer);
  const balance = async () => {
    const { data } = (await trilho.get('/payments/balance', apiKey)).body;
    const { available_balance: available, pending_balance: pending } = data as Record<string, number>;
    return { available, pending };
  };
  const details = async () => (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Details;
  return {
    id,
    balance,
    details,
    /** The data of the event that was written last. */
    async lastEvent() {
      return (await readEventData(trilho.deps, id)).at(-1);
    },
    /** Waits until the transaction has this status and sub-status. */
    becomes: (status: string, subStatus: string | null = null) =>
      trilho.until(`the invoice is ${status} ${subStatus ?? ''}`, async () => {
        const found = await details();
        return found.status === status && found.sub_status === subStatus ? found : null;
      }),
  };
}
/** Makes every sync due, which finds payments that no callback reported. */
const pollNow = () => trilho.deps.db.pool.query(`UPDATE tasks SET due_at = $1 WHERE kind = 'sync_invoice'`, [clock()]);
const passes = (ms: number) => {
  offset += ms;
};

test('a payment that is seen but not confirmed is pending, without the fee; its confirmation makes it available', async () => {
  const deposit = await invoice();
  await trilho.pay(deposit.id, { unconfirmed: true });
  await deposit.becomes('pending', 'detected');
  expect(await deposit.balance()).toEqual({ available: 0, pending: 106.92 });
  await trilho.confirm(deposit.id);
  const details = await deposit.becomes('completed');
  expect(await deposit.balance()).toEqual({ available: 106.92, pending: 0 });
  expect(details.history.map(({ event }) => event)).toEqual([
    'crypto_in.created',
    'crypto_in.detected',
    'crypto_in.completed',
  ]);
});

test('an answer of the processor that is older than what is known by now changes nothing', async () => {
  await trilho.setSwitch('crypto.callback', 'never');
  const deposit = await invoice();
  await trilho.pay(deposit.id, { share: '0.5', unconfirmed: true });
  const { deps } = trilho;
  let asked = 0;
  /** The first answer arrives only after somebody else has seen and taken a later one. */
  const cryptoNamed: typeof deps.rails.cryptoNamed = async (name) => {
    const rail = await deps.rails.cryptoNamed(name);
    if (!rail) return null;
    const findInvoice: typeof rail.findInvoice = async (id) => {
      const answer = await rail.findInvoice(id);
      if (asked++ > 0) return answer;
      await trilho.pay(deposit.id, { unconfirmed: true });
      expect(await settleInvoice(deps, deposit.id)).toBe('detected');
      return answer;
    };
    return { ...rail, findInvoice };
  };
  expect(await settleInvoice({ ...deps, rails: { ...deps.rails, cryptoNamed } }, deposit.id)).toBe('unchanged');
  expect(asked).toBe(2);
  expect((await deposit.details()).crypto).toMatchObject({ received_amount: 20 });
  await trilho.confirm(deposit.id);
  passes(3_700_000);
  await pollNow();
  await deposit.becomes('completed');
});

test('source, time and value of the quote are kept with the transaction', async () => {
  const deposit = await invoice({ spreadBps: 200 });
  const { crypto } = await deposit.details();
  // Money in: the price is lowered by the spread, so that the payer pays more.
  expect(crypto.quote).toMatchObject({
    price: 5.292,
    spread_percent: 2,
    quoted_at: expect.any(String),
    sources: [
      { source: 'binance', price: 5.4, at: expect.any(String) },
      { source: 'foxbit', price: 5.4, at: expect.any(String) },
      { source: 'mercado-bitcoin', price: 5.4, at: expect.any(String) },
    ],
  });
});

describe('a payment, while the market price stays the same,', () => {
  test('of half is credited, and the invoice underpaid once it is over', async () => {
    const deposit = await invoice();
    await trilho.pay(deposit.id, { share: '0.5' });
    await deposit.becomes('pending', 'partial');
    expect(await deposit.balance()).toEqual({ available: 0, pending: 53.46 });
    passes(3_700_000);
    await pollNow();
    const { crypto } = await deposit.becomes('completed', 'underpaid');
    expect(crypto).toMatchObject({ received_amount: 10, credited_net_amount: 53.46, credited_fees: 0.54 });
    // Detail and event state what was credited, not what was asked for.
    expect(await deposit.details()).toMatchObject({ amount: 108, net_amount: 53.46, amount_fees: 0.54 });
    expect(await deposit.lastEvent()).toMatchObject({ amount: 108, net_amount: 53.46, amount_fees: 0.54 });
    expect(await deposit.balance()).toEqual({ available: 53.46, pending: 0 });
  });

  test('in two parts that add up to the amount completes the invoice', async () => {
    const deposit = await invoice();
    await trilho.pay(deposit.id, { share: '0.5' });
    await deposit.becomes('pending', 'partial');
    await trilho.pay(deposit.id);
    await deposit.becomes('completed');
    expect(await deposit.balance()).toEqual({ available: 106.92, pending: 0 });
  });

  test.each(['on', 'off'])(
    'of twice as much is credited, and the invoice overpaid, with white-label %s',
    async (whiteLabel) => {
      await trilho.setSwitch('crypto.white_label', whiteLabel);
      const deposit = await invoice();
      await trilho.pay(deposit.id, { share: '2' });
      await deposit.becomes('completed', 'overpaid');
      expect(await deposit.balance()).toEqual({ available: 213.84, pending: 0 });
    },
  );

  test('within the account’s tolerance counts as what was asked for', async () => {
    const deposit = await invoice({ toleranceBps: 1_000 });
    await trilho.pay(deposit.id, { share: '1.05' });
    await deposit.becomes('completed');
    expect(await deposit.balance()).toEqual({ available: 112.27, pending: 0 });
  });

  test('that comes after a full one is credited as well', async () => {
    const deposit = await invoice();
    await trilho.pay(deposit.id);
    const { paid_at } = await deposit.becomes('completed');
    await trilho.pay(deposit.id, { force: true });
    expect(await deposit.becomes('completed', 'paid_again')).toMatchObject({ paid_at });
    expect(await deposit.balance()).toEqual({ available: 213.84, pending: 0 });
    // The event of the second payment says when the invoice was paid, as its details do.
    expect(await deposit.lastEvent()).toMatchObject({ sub_status: 'paid_again', paid_at });
  });

  test('after the end of its invoice is late, and credited all the same', async () => {
    const deposit = await invoice();
    passes(3_700_000);
    await pollNow();
    await deposit.becomes('expired');
    await trilho.pay(deposit.id, { force: true });
    await deposit.becomes('completed', 'late');
    expect(await deposit.balance()).toEqual({ available: 106.92, pending: 0 });
  });
});

describe('an invoice is no free option on its quote', () => {
  /**
   * In 10^-8 BRL. The invoice of R$ 500.00 is quoted at R$ 540,000.00 per BTC; then the account
   * gets a spread that lowers its price to about R$ 400,000.00, as a falling market would.
   */
  const fallenPrice = 39_997_800_000_000n;
  async function expiredInvoice() {
    const deposit = await invoice(
      { currency: 'BTC', fees: [], limits: [{ name: 'maximal_value_in_crypto', centavos: 200_000n }] },
      500,
    );
    await setSpread(deposit.id, 2593);
    passes(3_700_000);
    await pollNow();
    await deposit.becomes('expired');
    return deposit;
  }
  const setSpread = (id: string, bps: number) =>
    trilho.deps.db.pool.query(
      'UPDATE accounts SET spread_bps = $2 WHERE id = (SELECT account_id FROM transactions WHERE id = $1)',
      [id, bps],
    );
  const held = async (id: string) => {
    const { rows } = await trilho.deps.db.pool.query<{
      units: bigint;
      settled: bigint;
      credited: bigint;
      reviewed: bigint;
      n: bigint;
    }>(
      `SELECT received_units AS units, settled_units AS settled, credited_centavos AS credited, reviewed_centavos AS reviewed,
        (SELECT count(*) FROM reviews WHERE transaction_id = t.id) AS n FROM transactions t WHERE id = $1`,
      [id],
    );
    return rows[0] as (typeof rows)[number];
  };
  const settledIs = (id: string, units: bigint) =>
    trilho.until('all of it is settled', async () => ((await held(id)).settled === units ? true : null));

  test('repeated payments after the end are credited at the current price, up to the limit; the rest waits for review', async () => {
    const deposit = await expiredInvoice();
    await trilho.pay(deposit.id, { force: true });
    await deposit.becomes('completed', 'late');
    expect(await deposit.balance()).toEqual({ available: 370.35, pending: 0 });

    await trilho.pay(deposit.id, { share: '99', force: true });
    await deposit.becomes('completed', 'paid_again');
    for (const share of ['1', '50', '1']) await trilho.pay(deposit.id, { share, force: true });
    const units = 152n * 92_593n;
    await settledIs(deposit.id, units);
    expect(await deposit.balance()).toEqual({ available: 2_000, pending: 0 });
    const { credited, reviewed, n } = await held(deposit.id);
    const worth = (units * fallenPrice) / 10n ** 14n;
    expect(credited).toBe(200_000n);
    expect(credited + reviewed <= worth && worth - credited - reviewed <= 5n).toBe(true);
    expect(n).toBeGreaterThanOrEqual(2n);
    const details = await deposit.details();
    expect(details.crypto).toMatchObject({ credited_net_amount: 2_000, review_amount: Number(reviewed) / 100 });
    const reviews = details.reviews as { received_amount: number }[];
    expect(reviews).toHaveLength(Number(n));
    for (const review of reviews) {
      expect(review).toMatchObject({ reason: 'above_maximum', expected_amount: 500, end_to_end_id: null });
    }
    const waiting = reviews.reduce((sum, { received_amount: brl }) => sum + Math.round(brl * 100), 0);
    expect(waiting).toBe(Number(reviewed));

    // The operator credits one of the reviews and writes the others off.
    const open = (await listAllReviews(trilho.deps, { waiting: true })).filter(
      (one) => one.transactionId === deposit.id,
    );
    expect(open).toHaveLength(Number(n));
    for (const [at, { id, leftCentavos }] of open.entries()) {
      const decision = { id, reason: 'agreed', by: byOperator('ana') };
      const resolve = (resolution: Resolution) => resolveReview(trilho.deps, { ...decision, resolution });
      expect(await resolve('return')).toBe('not_possible');
      expect(await resolve(at === 0 ? 'credit' : 'write_off')).toBe(at === 0 ? 'credited' : 'written_off');
      expect(await resolve('credit')).toBe('decided');
      const available = 2_000 + Number(open[0]?.leftCentavos ?? leftCentavos) / 100;
      expect(await deposit.balance()).toEqual({ available, pending: 0 });
    }
    expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
  });

  test('a late payment is credited at the quote where the market is above it', async () => {
    const deposit = await invoice({ currency: 'BTC', fees: [], spreadBps: 2593 }, 500);
    await setSpread(deposit.id, 0);
    passes(3_700_000);
    await pollNow();
    await deposit.becomes('expired');
    await trilho.pay(deposit.id, { force: true });
    await deposit.becomes('completed', 'late');
    expect(await deposit.balance()).toEqual({ available: 500, pending: 0 });
  });

  test('a late payment is not credited without a current quote, and is once there is one', async () => {
    const deposit = await expiredInvoice();
    await trilho.setSwitch('quotes', 'down');
    passes(60_000);
    try {
      await trilho.pay(deposit.id, { force: true });
      // It is tried again, though the invoice's own next check is an hour away.
      const waiting = `SELECT FROM tasks WHERE last_error LIKE '%There is no quote%'`;
      await trilho.until('it waits', async () => (await trilho.deps.db.pool.query(waiting)).rowCount || null);
      expect((await held(deposit.id)).units).toBeGreaterThan(0n);
      expect(await deposit.balance()).toEqual({ available: 0, pending: 0 });
      expect((await deposit.details()).status).toBe('expired');
    } finally {
      await trilho.setSwitch('quotes', 'ok');
    }
    const soon = "UPDATE tasks SET due_at = $1 WHERE due_at < $1::timestamptz + interval '15 minutes'";
    await trilho.deps.db.pool.query(soon, [clock()]);
    await deposit.becomes('completed', 'late');
    expect(await deposit.balance()).toEqual({ available: 370.35, pending: 0 });
  });
});

describe('callbacks', () => {
  test.each(['twice', 'forged'])('that come %s credit once', async (value) => {
    await trilho.setSwitch('crypto.callback', value);
    const deposit = await invoice();
    await trilho.pay(deposit.id);
    await deposit.becomes('completed');
    expect(await deposit.balance()).toEqual({ available: 106.92, pending: 0 });
  });

  test('that never come are not needed: the payment is found by polling', async () => {
    await trilho.setSwitch('crypto.callback', 'never');
    const deposit = await invoice();
    await trilho.pay(deposit.id);
    passes(20_000);
    await pollNow();
    await deposit.becomes('completed');
    expect(await deposit.balance()).toEqual({ available: 106.92, pending: 0 });
  });

  test('on another path than the one that the processor was given are rejected', async () => {
    const answer = await trilho.post('/inbound/crypto/sandbox-crypto/wrong', undefined, {});
    expect(answer.status).toBe(401);
  });
});

test('an invoice that the processor does not answer is rejected, and kept as failed', async () => {
  await trilho.setSwitch('crypto.invoice', 'timeout');
  const { apiKey } = await trilho.openAccount({ currency: 'USDT_BSC' });
  const answer = await trilho.post('/payments/deposits/crypto', apiKey, { amount: 108 });
  expect([answer.status, answer.body.message]).toEqual([400, 'Não foi possível criar invoice']);
  const { body } = await trilho.get('/payments/transactions', apiKey);
  expect(body.data).toEqual([expect.objectContaining({ type: 'crypto_in', status: 'failed' })]);
});

test('the payment page says what to send, where, and what has arrived', async () => {
  const deposit = await invoice();
  const page = async () => {
    const input = encodeURIComponent(JSON.stringify({ transactionId: deposit.id }));
    const { body } = await trilho.get(`/api/trpc/payment.get?input=${input}`);
    return (body.result as { data: Record<string, unknown> }).data;
  };
  const { crypto } = await deposit.details();
  expect(await page()).toMatchObject({
    status: 'pending',
    amount: 108,
    br_code: null,
    crypto: { currency: 'USDT_BSC', asset: 'USDT', network: 'bsc', wallet: crypto.wallet, amount: '20', missing: '20' },
  });
  await trilho.pay(deposit.id, { share: '0.25', unconfirmed: true });
  await deposit.becomes('pending', 'partial');
  expect(await page()).toMatchObject({ status: 'pending', crypto: { received: '5', missing: '15', confirmations: 0 } });
});

test('an invoice takes a description and a customer, as a charge does: shown, found by the search, and optional', async () => {
  const { apiKey } = await trilho.openAccount({ currency: 'USDT_BSC' });
  const create = (more: object) => trilho.post('/payments/deposits/crypto', apiKey, { amount: 108, ...more });
  const customer = { customerName: 'Maria da Silva', customerEmail: 'maria@example.com', customerPhone: '51998259765' };
  const document = { customerDocument: '123.456.789-09', customerDocumentType: 'CPF' };
  const answer = await create({ description: 'Pedido 42', ...customer, ...document });
  expect(answer.status).toBe(201);
  const id = transactionIdOf(answer);
  const { body } = await trilho.get(`/payments/transactions/${id}`, apiKey);
  expect(body.data).toMatchObject({
    description: 'Pedido 42',
    customer: { name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909', document_type: 'cpf' },
  });
  const found = (await trilho.get('/payments/transactions?q=silva', apiKey)).body.data as { transaction_id: string }[];
  expect(found.map((one) => one.transaction_id)).toEqual([id]);

  for (const wrong of [
    { ...customer, customerDocument: '123', customerDocumentType: 'cpf' },
    { customerDocument: '123.456.789-09' },
    { customerEmail: 'maria' },
  ]) {
    const { status, body: rejection } = await create(wrong);
    expect([status, rejection]).toEqual([
      400,
      { success: false, message: 'Dados inválidos', code: 'invalid_input', details: [expect.any(Object)] },
    ]);
  }
  expect((await create({})).status).toBe(201);
});
