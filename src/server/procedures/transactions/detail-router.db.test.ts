import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/** What must be in no row of provider_calls, however the provider quotes it. */
const CANARIES = {
  name: 'Zuleica Canario',
  document: '52998224725',
  email: 'canario@example.com',
  phone: '+5511987650001',
  description: 'Bilhete de Zuleica',
};

let trilho: TestService;
let account: Awaited<ReturnType<TestService['openAccount']>>;
let panel: Awaited<ReturnType<typeof panelCaller>>;

beforeAll(async () => {
  trilho = await startTestService();
  account = await trilho.openAccount({
    currency: 'USDT_BSC',
    fees: [
      { type: 'pix_in', fee: { bps: 100, fixedCentavos: 10n } },
      { type: 'pix_out', fee: { bps: 0, fixedCentavos: 90n } },
      { type: 'crypto_in', fee: { bps: 150, fixedCentavos: 0n } },
    ],
    limits: [
      { name: 'maximal_value_out_pix', centavos: 100_000n },
      { name: 'daily_limit_out_pix', centavos: 500_000n },
    ],
    webhookUrl: `${trilho.url}/healthz`,
  });
  panel = await panelCaller(trilho.deps, account.accountId);
});
afterAll(() => trilho.stop());

async function charge(amount: number): Promise<string> {
  return transactionIdOf(
    await trilho.post('/payments/transactions', account.apiKey, {
      amount,
      customerName: CANARIES.name,
      customerDocument: CANARIES.document,
      customerDocumentType: 'cpf',
      customerEmail: CANARIES.email,
      customerPhone: CANARIES.phone,
      description: CANARIES.description,
    }),
  );
}

const detail = (transaction_id: string) => panel.detail.get({ transaction_id });
const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => {
    const found = await detail(id);
    return found.transaction.status === status ? found : null;
  });
const withCalls = (id: string, operation: string) =>
  trilho.until(`${operation} is recorded`, async () => {
    const found = await detail(id);
    return found.provider_calls.some((call) => call.operation === operation) ? found : null;
  });

async function paidCharge(amount: number): Promise<string> {
  const id = await charge(amount);
  await trilho.pay(id);
  await becomes(id, 'paid');
  return id;
}

describe('a paid charge, with its records', () => {
  it('its fee is explained by its terms, and its entries sum to zero', async () => {
    const found = await detail(await paidCharge(100.5));
    expect(found.transaction).toMatchObject({ amount: 100.5, amount_fees: 1.11, net_amount: 99.39 });
    expect(found.fee).toEqual({ percent: 1, fixed: 0.1 });
    expect(found.ledger).toMatchObject([
      {
        kind: 'charge_paid',
        entries: [
          { account: 'pix_settlement', amount: -100.5, balance_after: null },
          { account: 'fees', amount: 1.11, balance_after: null },
          { account: 'available', amount: 99.39, balance_after: 99.39 },
        ],
      },
    ]);
  });

  it('people’s numbers are masked', async () => {
    const found = await detail(await paidCharge(20));
    expect(found.transaction.customer).toMatchObject({
      name: CANARIES.name,
      document: '***.982.247-**',
      phone: '+55 11 *****-0001',
    });
    expect(JSON.stringify(found)).not.toContain(CANARIES.document);
  });

  it('its timeline is in order', async () => {
    const { timeline, transaction } = await detail(await paidCharge(30));
    expect(timeline.slice(0, 2)).toMatchObject([
      { what: 'created', amount: 30 },
      { what: 'paid', reference: transaction.pix?.end_to_end_id },
    ]);
    const times = timeline.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  it('can be refunded until 90 days later, as far as it was not', async () => {
    const id = await paidCharge(40);
    const before = await detail(id);
    expect(before.refundable?.amount).toBe(40);
    expect(Date.parse(before.refundable?.until ?? '') - Date.parse(before.transaction.paid_at ?? '')).toBe(
      90 * 86_400_000,
    );
    expect(before.cancellable).toBe(false);
    await panel.transactions.refund({ transactionId: id, amount: 15 });
    const after = await detail(id);
    expect(after.refundable?.amount).toBe(25);
    expect(after.timeline.some(({ what, amount }) => what === 'refund_requested' && amount === 15)).toBe(true);
    expect(after.ledger.map(({ kind }) => kind)).toContain('refund_requested');
  });

  it('names its webhooks with their attempts', async () => {
    const id = await paidCharge(50);
    const { deliveries } = await trilho.until('an attempt was made', async () => {
      const found = await detail(id);
      return found.deliveries.some(({ attempts }) => attempts > 0) ? found : null;
    });
    expect(deliveries).toMatchObject([{ event: 'pix_in.paid', topic: 'deposit', url: `${trilho.url}/healthz` }]);
  });
});

describe('what was said to the provider', () => {
  it('is there with its outcome and its masked bodies, for a charge and for its refund', async () => {
    const id = await paidCharge(60);
    await panel.transactions.refund({ transactionId: id });
    const { provider_calls } = await withCalls(id, 'refundPayment');
    expect(provider_calls[0]).toMatchObject({ operation: 'createCharge', method: 'PUT', status: 201, outcome: 'done' });
    expect(JSON.parse(provider_calls[0]?.request ?? '')).toMatchObject({
      valor: { original: '60.00' },
      devedor: { cpf: '***', nome: '***' },
      chave: '***',
    });
  });

  it('is there for a withdrawal and for an invoice', async () => {
    await paidCharge(500);
    const key = { pixKey: CANARIES.email, pixKeyType: 'EMAIL' as const };
    const out = await panel.withdrawals.pix({ amount: 10, ...key, description: CANARIES.description });
    expect((await withCalls(out.data.transaction_id, 'sendPayout')).provider_calls[0]).toMatchObject({ method: 'PUT' });
    const invoice = await panel.deposits.crypto({ amount: 100 });
    await trilho.pay(invoice.data.transaction_id);
    const { provider_calls } = await withCalls(invoice.data.transaction_id, 'findInvoice');
    expect(provider_calls.map(({ operation }) => operation)).toContain('createInvoice');
    expect(provider_calls[0]?.target).not.toContain('?');
  });

  it('holds nothing of people, and no secret, in any row', async () => {
    await withCalls(await paidCharge(70), 'findCharge');
    const { rows } = await trilho.deps.db.pool.query<{ text: string }>(
      'SELECT row_to_json(c)::text AS text FROM provider_calls c',
    );
    expect(rows.length).toBeGreaterThan(5);
    const all = rows.map(({ text }) => text).join('\n');
    expect(all.match(/zuleica|canario|52998224725|529\.982|5511987650001|98765-?0001|bilhete/gi)).toBeNull();
    expect(all.match(/bearer|basic |api_key|client_secret|br\.gov\.bcb\.pix/gi)).toBeNull();
    // Nor the beginning of a BR code.
    const { rows: keys } = await trilho.deps.db.pool.query<{ br: string }>(
      'SELECT br_code AS br FROM transactions WHERE br_code IS NOT NULL LIMIT 1',
    );
    expect(all).not.toContain(keys[0]?.br.slice(0, 40));
  });
});

describe('a withdrawal', () => {
  it('shows the limits that were checked, with the figures', async () => {
    await paidCharge(800);
    const key = { pixKey: CANARIES.email, pixKeyType: 'EMAIL' as const };
    const first = await panel.withdrawals.pix({ amount: 30, ...key });
    const found = await detail(first.data.transaction_id);
    expect(found.limits[0]).toEqual({ name: 'maximal_value_out_pix', limit: 1000, value: 30 });
    const today = found.limits.find(({ name }) => name === 'daily_limit_out_pix');
    expect(today?.limit).toBe(5000);
    expect(today?.value).toBeGreaterThanOrEqual(30);
    expect(found.fee).toEqual({ percent: 0, fixed: 0.9 });
  });
});

describe('a transaction’s detail', () => {
  it('does not exist for another account, like one that never was', async () => {
    const id = await paidCharge(10);
    const other = await panelCaller(trilho.deps, (await trilho.openAccount()).accountId);
    for (const transaction_id of [id, '0191f3a2-7c41-7d55-8a3b-0123456789c2', 'nothing']) {
      await expect(other.detail.get({ transaction_id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        cause: { code: 'transaction_not_found' },
      });
    }
  });
});
