import { Webhook } from 'standardwebhooks';
import { expect, test, trilho, trilhoJson } from '../fixtures.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('a PIX withdrawal is sent, reported by a signed webhook, and the ledger balances', async ({
  merchant,
  payerPays,
  receiver,
}) => {
  await trilho('account', 'set', merchant.accountId, '--webhook-url', receiver.url, '--fee', 'pix_out=+100');
  await payerPays(await merchant.createCharge({ amount: 100 }));
  await expect.poll(async () => (await merchant.get('/payments/balance')).available_balance).toBe(98.91);

  const { status, body } = await merchant.post('/api/payments/transfers/pix', {
    amount: 50,
    pixKey: 'maria@example.com',
    pixKeyType: 'EMAIL',
    description: 'Repasse',
  });
  expect(status).toBe(200);
  const { transaction_id: id } = body.data as { transaction_id: string };
  await expect
    .poll(() => merchant.get(`/payments/transactions/${id}/status?type=pix_out`))
    .toMatchObject({ status: 'paid', amount: 50, amount_fees: 1, external_id: expect.stringMatching(/^E/) });
  expect(await merchant.get('/payments/balance')).toMatchObject({ available_balance: 47.91, blocked_balance: 0 });

  const types = () => receiver.received.map(({ body: text }) => JSON.parse(text).type);
  await expect.poll(types).toContain('pix_out.paid');
  const webhook = receiver.received.find(({ body: text }) => text.includes('pix_out.paid'));
  const event = new Webhook(merchant.secretKey).verify(webhook?.body ?? '', webhook?.headers ?? {});
  expect(event).toMatchObject({ type: 'pix_out.paid', data: { transaction_id: id, status: 'paid' } });
  expect(await trilhoJson('ledger', 'check')).toMatchObject({ ok: true, discrepancies: [] });
});

test('a crypto deposit is seen, confirmed and credited; a crypto withdrawal is sent', async ({
  merchant,
  payerPays,
  networkConfirms,
}) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  await payerPays(invoice, { unconfirmed: true });
  const balance = () => merchant.get('/payments/balance');
  await expect.poll(balance).toMatchObject({ available_balance: 0, pending_balance: 540 });
  await networkConfirms(invoice);
  await expect.poll(balance).toMatchObject({ available_balance: 540, pending_balance: 0 });
  expect(await merchant.get(`/payments/transactions/${invoice.id}`)).toMatchObject({
    type: 'crypto_in',
    status: 'completed',
    crypto: { received_amount: 100, credited_net_amount: 540 },
  });

  const { status, body } = await merchant.post('/payments/transfers/crypto', { amount: 270, wallet: WALLET });
  expect([status, body.data]).toEqual([200, expect.objectContaining({ crypto_amount: 50, wallet: WALLET })]);
  const { transaction_id: id } = body.data as { transaction_id: string };
  await expect
    .poll(async () => (await merchant.get(`/payments/transactions/${id}`)).status, { timeout: 15_000 })
    .toBe('completed');
  expect(await balance()).toMatchObject({ available_balance: 270, pending_balance: 0, blocked_balance: 0 });
});

test('a paid charge is refunded in part and in full; a pending one is cancelled', async ({ merchant, payerPays }) => {
  const paid = await merchant.createCharge({ amount: 30 });
  await payerPays(paid);
  await payerPays(await merchant.createCharge({ amount: 30 }));
  await expect.poll(async () => (await merchant.get('/payments/balance')).available_balance).toBeGreaterThan(58);
  const refund = (body: object) => merchant.post(`/payments/transactions/${paid.id}/refund`, body);
  expect(await refund({ amount: 10 })).toMatchObject({
    status: 200,
    body: { data: { amount: 10, status: 'pending' } },
  });
  expect(await refund({ amount: 20.01 })).toMatchObject({ status: 400 });
  expect(await refund({})).toMatchObject({ status: 200, body: { data: { amount: 20 } } });
  await expect
    .poll(() => merchant.get(`/payments/transactions/${paid.id}`))
    .toMatchObject({ status: 'refunded', refunded_amount: 30 });

  const pending = await merchant.createCharge({ amount: 30 });
  const cancelled = await merchant.post(`/payments/transactions/${pending.id}/cancel`, {});
  expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
  await expect(payerPays(pending)).rejects.toThrow();
});
