import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { CURRENCY_CODES } from '#domain/quotes/currencies.ts';
import { parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { OTHER_CRYPTO_KEY, SOON } from '../testing/running-sandbox.ts';
import { setUpProcessor } from './testing/processor.ts';

const plisio = setUpProcessor();
const HALF = 500_000_000n;
const WHOLE = 1_000_000_000n;

const newOrder = (more: Record<string, string> = {}) => ({
  currency: 'USDT_TRX',
  amount: '10',
  order_number: randomUUID(),
  order_name: 'Deposito',
  ...more,
});

describe('access to the processor', () => {
  test('is denied to a request without a key of a shop, whatever the path', async () => {
    const order = newOrder();
    for (const key of ['', 'wrong', `${OTHER_CRYPTO_KEY}x`]) {
      for (const path of [
        '/invoices/new',
        '/invoices/1',
        '/operations',
        '/operations/withdraw',
        '/currencies/BRL',
        '/x',
      ]) {
        const { status, body } = await plisio.ask(path, order, { key });
        expect(status).toBe(401);
        expect(body).toMatchObject({ status: 'error', data: { name: 'Unauthorized', code: 0 } });
      }
    }
    expect((await plisio.setup.pool.query('SELECT 1 FROM sandbox.crypto_invoices')).rowCount).toBe(0);
  });

  test('is limited to the shop’s own order numbers, invoices and lists', async () => {
    const order = newOrder();
    const own = await plisio.ask('/invoices/new', order);
    const id = String(own.body.data.txn_id);
    const other = { key: OTHER_CRYPTO_KEY };
    for (const path of [`/invoices/${id}`, `/operations/${id}`]) {
      expect((await plisio.ask(path)).status).toBe(200);
      expect((await plisio.ask(path, {}, other)).status).toBe(404);
    }
    expect((await plisio.ask('/operations', {}, other)).body.data).toMatchObject({
      operations: [],
      _meta: { totalCount: 0 },
    });
    const theirs = await plisio.ask('/invoices/new', order, other);
    expect(theirs.status).toBe(200);
    expect(theirs.body.data.txn_id).not.toBe(id);
  });

  test('is by GET only, and an unknown path is 404 in Plisio’s shape', async () => {
    expect((await plisio.ask('/operations', {}, { method: 'POST' })).status).toBe(405);
    const missing = { status: 404, body: { status: 'error', data: { name: 'Not Found' } } };
    for (const path of ['/x', '/operations/1/2', '/invoices', '/currencies/EUR', '/operations/nothing']) {
      expect(await plisio.ask(path)).toMatchObject(missing);
    }
  });
});

describe('a new invoice', () => {
  test('is answered with an address, and found by its id and by its order', async () => {
    const invoice = await plisio.invoice({ currency: 'USDT_BSC', units: 289_074_074n, expiresInSeconds: 1800 });
    expect(invoice).toMatchObject({
      status: 'open',
      currency: 'USDT_BSC',
      units: 289_074_074n,
      receivedUnits: 0n,
      wallet: expect.stringMatching(/^0x/),
      memo: null,
      confirmations: 0,
      confirmationsNeeded: 3,
      txHashes: [],
      expiresAt: new Date(plisio.setup.now().getTime() + 1_800_000),
    });
    expect(await plisio.rail.findInvoiceByOrder(invoice.orderNumber)).toMatchObject({
      outcome: 'done',
      value: { providerId: invoice.providerId, wallet: invoice.wallet, status: 'open' },
    });
    expect(await plisio.rail.findInvoiceByOrder(randomUUID())).toEqual({ outcome: 'done', value: null });
    expect(await plisio.rail.findInvoice('0123456789abcdef01234567')).toEqual({ outcome: 'done', value: null });
  });

  test.each(CURRENCY_CODES)(
    'of %s asks for the requested quantity, to an address of that network, at the minimum and above',
    async (code) => {
      const known = await plisio.rail.currencies();
      if (known.outcome !== 'done') throw new Error(known.reason);
      const info = known.value.find((currency) => currency.code === code);
      const minimum = info?.minimumUnits ?? 0n;
      expect(info?.active).toBe(true);
      const invoice = await plisio.invoice({ currency: code, units: minimum });
      expect(invoice).toMatchObject({ currency: code, units: minimum });
      expect(parseWallet(invoice.wallet ?? '', code)).toBe(invoice.wallet);
      expect(invoice.memo !== null).toBe(code === 'TON' || code === 'USDT_TON');
      const less = await plisio.rail.createInvoice({ ...request(), currency: code, units: minimum - 100n });
      expect(less).toMatchObject({ outcome: 'rejected', reason: expect.stringContaining('less than the minimum') });
    },
  );

  test('of 2 USDT is the least one', async () => {
    const { body } = await plisio.ask('/currencies/BRL');
    const least = Object.fromEntries(
      (body.data as unknown as { cid: string; min_sum_in: string }[]).map(({ cid, min_sum_in }) => [cid, min_sum_in]),
    );
    expect(Object.keys(least)).toEqual(CURRENCY_CODES);
    for (const code of CURRENCY_CODES.filter((each) => /^USD/.test(each))) expect(least[code]).toBe('2.00000000');
    expect(least.BTC).toBe('0.00010000');
  });

  test('is created once an order number: a repeated request gets the same one, or is rejected without return_existing', async () => {
    const order = newOrder();
    const again = { ...order, amount: '20', return_existing: '1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => plisio.ask('/invoices/new', again)));
    expect(new Set(answers.map(({ body }) => body.data.wallet_hash)).size).toBe(1);
    expect(await plisio.ask('/invoices/new', order)).toMatchObject({
      status: 422,
      body: { data: { message: '{"order_number":"Order number already exists"}', code: 105 } },
    });
    expect((await plisio.ask('/operations')).body.data).toMatchObject({ _meta: { totalCount: 1 } });
  });

  test.each<[Record<string, string>, number, string]>([
    [{ order_name: '' }, 400, 'Missing required parameters: order_name'],
    [{ order_number: '', amount: '' }, 400, 'Missing required parameters: order_number, amount'],
    [{ currency: 'XMR' }, 422, '{"currency":"Currency is not available"}'],
    [{ amount: '1.99' }, 422, '{"amount":"Amount is less than the minimum"}'],
    [{ amount: '10.0000001' }, 422, '{"amount":"Amount is invalid"}'],
    [{ amount: '-10' }, 422, '{"amount":"Amount is invalid"}'],
    [{ amount: '1e3' }, 422, '{"amount":"Amount is invalid"}'],
    [{ amount: `1${'0'.repeat(14)}` }, 422, '{"amount":"Amount is invalid"}'],
    [{ expire_min: '0' }, 422, '{"expire_min":"Invalid value"}'],
    [{ expire_min: '999999' }, 422, '{"expire_min":"Invalid value"}'],
    [{ callback_url: 'javascript:alert(1)' }, 422, '{"callback_url":"Invalid URL"}'],
    [{ order_name: 'a\0b' }, 400, 'A parameter is too long, or has characters that no text has'],
  ])('is rejected with %j', async (change, status, message) => {
    expect(await plisio.ask('/invoices/new', { ...newOrder(), ...change })).toMatchObject({
      status,
      body: { data: { message } },
    });
    expect((await plisio.setup.pool.query('SELECT 1 FROM sandbox.crypto_invoices')).rowCount).toBe(0);
  });

  test('is not created while crypto.invoice is at error, nor at timeout, which does not answer either', async () => {
    await plisio.set('crypto.invoice', 'error');
    const failed = request();
    expect((await plisio.rail.createInvoice(failed)).outcome).toBe('unknown');
    expect(await plisio.rail.findInvoiceByOrder(failed.orderNumber)).toEqual({ outcome: 'done', value: null });
    await plisio.set('crypto.invoice', 'timeout');
    const order = newOrder();
    await expect(plisio.ask('/invoices/new', order, { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
    expect(await plisio.rail.findInvoiceByOrder(order.order_number)).toEqual({ outcome: 'done', value: null });
  });

  test('without white-label is answered with an id, a page and a sum; the adapter still finds what was received', async () => {
    await plisio.set('crypto.white_label', 'off');
    const order = newOrder();
    const { body } = await plisio.ask('/invoices/new', order);
    expect(body.data).toEqual({
      txn_id: expect.any(String),
      invoice_url: `https://plisio.net/invoice/${body.data.txn_id}`,
      invoice_total_sum: '10.00000000',
    });
    await plisio.pay(order.order_number, { share: '0.5' });
    const operation = await plisio.ask(`/operations/${body.data.txn_id}`);
    expect(Object.keys(operation.body.data).sort()).toEqual(['id', 'shop_id', 'status', 'tx_url', 'type', 'user_id']);
    const found = await plisio.look(String(body.data.txn_id));
    expect(found).toMatchObject({ receivedUnits: HALF, units: WHOLE, wallet: null, status: 'open' });
  });
});

describe('a payment', () => {
  test('in full completes the invoice at once, with all its confirmations', async () => {
    const invoice = await plisio.invoice();
    const paid = await plisio.pay(invoice.orderNumber);
    expect(paid).toEqual({
      status: 200,
      body: {
        txnId: invoice.providerId,
        received: '10.00000000',
        currency: 'USDT_TRX',
        txHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        confirmations: 3,
      },
    });
    expect(await plisio.look(invoice.providerId)).toMatchObject({
      status: 'final',
      receivedUnits: WHOLE,
      confirmations: 3,
      txHashes: [paid.body.txHash],
    });
    const [callback] = await plisio.callbacks(1);
    expect(callback).toMatchObject({
      status: 'completed',
      amount: '10.00000000',
      order_number: invoice.orderNumber,
      txn_id: invoice.providerId,
    });
    expect(plisio.receiver.paths).toEqual(['POST /inbound?json=true']);
    expect(plisio.isTrusted(0)).toBe(true);
    expect(Object.values(callback ?? {}).every((value) => typeof value === 'string')).toBe(true);
  });

  test('unconfirmed is seen as pending, and final once the network confirms it', async () => {
    const invoice = await plisio.invoice();
    const paid = await plisio.pay(invoice.orderNumber, { unconfirmed: true });
    expect(paid.body).toMatchObject({ received: '10.00000000', confirmations: 0 });
    expect(await plisio.look(invoice.providerId)).toMatchObject({
      status: 'open',
      receivedUnits: WHOLE,
      confirmations: 0,
    });
    expect((await plisio.ask(`/operations/${invoice.providerId}`)).body.data).toMatchObject({
      status: 'pending',
      amount: '0.00000000',
      pending_sum: '10.00000000',
    });
    const confirmed = await plisio.confirm(invoice.orderNumber);
    expect(confirmed.body).toEqual({ ...paid.body, confirmations: 3 });
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'final', receivedUnits: WHOLE });
    expect((await plisio.callbacks(2)).map(({ status }) => status)).toEqual(['pending', 'completed']);
    expect(await plisio.confirm(invoice.orderNumber)).toMatchObject({ status: 409 });
  });

  test('of less is open until the end of the invoice, then it has expired with what was received', async () => {
    const invoice = await plisio.invoice({ expiresInSeconds: 60 });
    expect((await plisio.pay(invoice.orderNumber, { share: '0.5' })).body.received).toBe('5.00000000');
    plisio.setup.advance(59.999);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'open', receivedUnits: HALF });
    await plisio.callbacks(1);
    plisio.setup.advance(0.001);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'expired', receivedUnits: HALF });
    expect((await plisio.callbacks(2)).map(({ status, amount }) => [status, amount])).toEqual([
      ['pending', '5.00000000'],
      ['expired', '5.00000000'],
    ]);
  });

  test('of the rest adds up to the whole, and a third one is too much', async () => {
    const invoice = await plisio.invoice();
    for (const [share, received] of [
      ['0.3', '3'],
      ['0.5', '8'],
      [undefined, '10'],
    ]) {
      expect((await plisio.pay(invoice.orderNumber, share === undefined ? {} : { share })).body.received).toBe(
        Number(received).toFixed(8),
      );
    }
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'final', receivedUnits: WHOLE });
    expect((await plisio.pay(invoice.orderNumber)).status).toBe(409);
    expect((await plisio.pay(invoice.orderNumber, { share: '0.5', force: true })).body.received).toBe('15.00000000');
    const found = await plisio.look(invoice.providerId);
    expect(found).toMatchObject({ status: 'final', receivedUnits: WHOLE + HALF });
    expect(found.txHashes).toHaveLength(4);
    expect((await plisio.callbacks(4)).map(({ status }) => status)).toEqual([
      'pending',
      'pending',
      'completed',
      'mismatch',
    ]);
  });

  test('after the end has to be forced; it counts all the same', async () => {
    const invoice = await plisio.invoice({ expiresInSeconds: 60 });
    plisio.setup.advance(60);
    await plisio.callbacks(1);
    const late = await plisio.pay(invoice.orderNumber);
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/expired at 2026.*force/) } });
    expect((await plisio.pay(invoice.orderNumber, { share: '0.5', force: true })).status).toBe(200);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'expired', receivedUnits: HALF });
    expect((await plisio.pay(invoice.orderNumber, { force: true })).status).toBe(200);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'final', receivedUnits: WHOLE });
    const reported = (await plisio.callbacks(3)).map(({ status, amount }) => [status, Number(amount)]);
    expect(reported).toEqual([
      ['expired', 0],
      ['expired', 5],
      ['completed', 10],
    ]);
  });

  test('that came in time keeps the invoice open beyond its end until it is confirmed', async () => {
    const invoice = await plisio.invoice({ expiresInSeconds: 60 });
    await plisio.pay(invoice.orderNumber, { share: '0.5', unconfirmed: true });
    plisio.setup.advance(61);
    const { body } = await plisio.ask(`/operations/${invoice.providerId}`);
    expect(body.data).toMatchObject({ status: 'pending', amount: '0.00000000', pending_sum: '5.00000000' });
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'open', receivedUnits: HALF });
    await plisio.confirm(invoice.orderNumber);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'expired', receivedUnits: HALF });
    expect((await plisio.callbacks(2)).map(({ status }) => status)).toEqual(['pending', 'expired']);
  });

  test('happens once, however many try at once', async () => {
    const invoice = await plisio.invoice();
    const answers = await Promise.all(Array.from({ length: 8 }, () => plisio.pay(invoice.orderNumber)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ receivedUnits: WHOLE });
  });

  test('is rejected where no payer could make it, and the answer says what to do', async () => {
    const invoice = await plisio.invoice();
    for (const share of ['0', '-1', '1e3', 'half', '', '101', '0.00000001']) {
      const answer = await plisio.pay(invoice.orderNumber, { share });
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('share') } });
    }
    const inReais = await plisio.pay(invoice.orderNumber, { amount: '12.34' });
    expect(inReais).toMatchObject({ status: 400, body: { detail: expect.stringContaining('share') } });
    const unknown = randomUUID();
    expect(await plisio.pay(unknown)).toMatchObject({ status: 404 });
    expect(await plisio.pay(unknown, { share: '0.5' })).toMatchObject({ status: 404 });
    expect(await plisio.confirm(unknown)).toMatchObject({ status: 404 });
    expect(await plisio.look(invoice.providerId)).toMatchObject({ receivedUnits: 0n });
  });

  test('outlives the process, and so does the callback that was due', async () => {
    plisio.receiver.answerWith(500);
    const invoice = await plisio.invoice();
    await plisio.pay(invoice.orderNumber);
    await plisio.callbacks(1);
    await plisio.sandbox.stop();
    plisio.receiver.answerWith(200);
    plisio.setup.advance(2);
    const next = await plisio.setup.startSandbox();
    await plisio.callbacks(2);
    expect(plisio.isTrusted(1)).toBe(true);
    const found = await fetch(
      `${next.url}/plisio/api/v1/operations/${invoice.providerId}?api_key=crypto-key-of-the-test`,
    );
    expect(await found.json()).toMatchObject({ data: { status: 'completed' } });
  });
});

describe('the switch crypto.callback', () => {
  test('at twice sends two identical callbacks', async () => {
    await plisio.set('crypto.callback', 'twice');
    await plisio.pay((await plisio.invoice()).orderNumber);
    await plisio.callbacks(2);
    expect(plisio.receiver.bodies[0]).toBe(plisio.receiver.bodies[1]);
  });

  test('at never sends no callback of the payment', async () => {
    await plisio.set('crypto.callback', 'never');
    const invoice = await plisio.invoice();
    await plisio.pay(invoice.orderNumber);
    expect((await plisio.setup.pool.query('SELECT 1 FROM sandbox.callbacks')).rowCount).toBe(0);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ status: 'final' });
  });

  test('at forged first claims that an unpaid invoice was completed, with a wrong hash, and is never repeated', async () => {
    plisio.receiver.answerWith(401);
    await plisio.set('crypto.callback', 'forged');
    const unpaid = await plisio.invoice();
    const invoice = await plisio.invoice();
    await plisio.pay(invoice.orderNumber, { share: '0.5' });
    const [forged, genuine] = await plisio.callbacks(2);
    expect(forged).toMatchObject({ status: 'completed', txn_id: unpaid.providerId, order_number: unpaid.orderNumber });
    expect(genuine).toMatchObject({ status: 'pending', txn_id: invoice.providerId });
    expect([plisio.isTrusted(0), plisio.isTrusted(1)]).toEqual([false, true]);
    expect(await plisio.look(unpaid.providerId)).toMatchObject({ status: 'open', receivedUnits: 0n });
    await vi.waitFor(async () => {
      const { rows } = await plisio.setup.pool.query('SELECT state, last_error FROM sandbox.callbacks ORDER BY id');
      expect(rows).toEqual([
        { state: 'given_up', last_error: 'answered 401' },
        { state: 'due', last_error: 'answered 401' },
      ]);
    }, SOON);
  });
});

describe('magic cents, at the fixed price of R$ 5.40', () => {
  /** R$ 54.21, 54.22 … in USDT, rounded up to six decimals. */
  const worth = (cents: string) => ((5_400n + BigInt(cents)) * 10n ** 6n + 539n) / 540n;
  const invoiceWorth = (cents: string) => plisio.invoice({ units: worth(cents) * 100n });
  const comesTo = (providerId: string, expected: object) =>
    vi.waitFor(async () => expect(await plisio.look(providerId)).toMatchObject(expected), SOON);

  test('an invoice of ,21 is paid in full after three seconds and not before', async () => {
    const invoice = await invoiceWorth('21');
    plisio.setup.advance(2.999);
    const other = await invoiceWorth('21');
    plisio.setup.advance(0.001);
    await comesTo(invoice.providerId, { status: 'final', receivedUnits: invoice.units });
    expect(await plisio.look(other.providerId)).toMatchObject({ status: 'open', receivedUnits: 0n });
    expect((await plisio.callbacks(1))[0]).toMatchObject({ status: 'completed' });
  });

  test('an invoice of ,22 gets half of it and expires soon after', async () => {
    const invoice = await invoiceWorth('22');
    plisio.setup.advance(3);
    await plisio.callbacks(1);
    plisio.setup.advance(2);
    await comesTo(invoice.providerId, { status: 'expired' });
    const { receivedUnits } = await plisio.look(invoice.providerId);
    expect(receivedUnits).toBe(invoice.units / 2n - ((invoice.units / 2n) % 100n));
    expect((await plisio.callbacks(2)).map(({ status }) => status)).toEqual(['pending', 'expired']);
  });

  test('an invoice of ,23 gets twice as much', async () => {
    const invoice = await invoiceWorth('23');
    plisio.setup.advance(3);
    await comesTo(invoice.providerId, { status: 'final', receivedUnits: invoice.units * 2n });
    expect((await plisio.callbacks(1))[0]).toMatchObject({ status: 'mismatch' });
  });

  test('an invoice of ,24 expires after two seconds and is paid after four, also by a process that was down meanwhile', async () => {
    const invoice = await invoiceWorth('24');
    expect(invoice.expiresAt).toEqual(new Date(plisio.setup.now().getTime() + 2000));
    plisio.setup.advance(2);
    expect((await plisio.callbacks(1))[0]).toMatchObject({ status: 'expired', amount: '0.00000000' });
    await plisio.sandbox.stop();
    plisio.setup.advance(60);
    await plisio.setup.startSandbox();
    expect((await plisio.callbacks(2))[1]).toMatchObject({ status: 'completed' });
  });

  test('an invoice that was paid by hand is not paid again', async () => {
    const invoice = await invoiceWorth('21');
    const plain = await invoiceWorth('20');
    await plisio.pay(invoice.orderNumber);
    plisio.setup.advance(10);
    await vi.waitFor(async () => {
      const { rows } = await plisio.setup.pool.query(
        "SELECT 1 FROM sandbox.due_steps WHERE step->>'kind' = 'pay_invoice'",
      );
      expect(rows).toEqual([]);
    }, SOON);
    expect(await plisio.look(invoice.providerId)).toMatchObject({ receivedUnits: invoice.units });
    expect(await plisio.look(plain.providerId)).toMatchObject({ status: 'open', receivedUnits: 0n });
  });
});

const request = () => ({
  orderNumber: randomUUID(),
  currency: 'USDT_TRX' as const,
  units: WHOLE,
  title: 'x',
  expiresInSeconds: 3600,
  callbackUrl: `${plisio.receiver.url}/inbound`,
});
