import { Webhook } from 'standardwebhooks';
import { expect, test } from '../fixtures.ts';

test('a charge is created, paid, credited, and its webhook arrives signed', async ({
  merchant,
  payerPays,
  receiver,
}) => {
  const charge = await merchant.createCharge({ amount: 100.5, callbackUrl: receiver.url });
  await payerPays(charge);

  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  const event = new Webhook(merchant.secretKey).verify(body, headers) as {
    type: string;
    data: Record<string, unknown>;
  };
  expect(event.type).toBe('pix_in.paid');
  expect(event.data).toMatchObject({
    transaction_id: charge.id,
    status: 'paid',
    previous_status: 'pending',
    amount: 100.5,
    amount_fees: 1.09,
    net_amount: 99.41,
  });
  expect(await merchant.get(`/api/payments/transactions/${charge.id}/status?type=pix_in`)).toMatchObject({
    status: 'paid',
  });
  expect(await merchant.get('/payments/balance')).toEqual({
    available_balance: 99.41,
    pending_balance: 0,
    blocked_balance: 0,
  });
});

test('both prefixes lead to the same operations, and an unknown path is answered in JSON', async ({
  request,
  merchant,
}) => {
  const headers = { 'x-api-key': merchant.apiKey };
  for (const path of ['/payments/balance', '/api/payments/balance']) {
    expect((await request.get(path, { headers })).status()).toBe(200);
  }
  const nothing = await request.get('/payments/nothing', { headers });
  expect(nothing.status()).toBe(404);
  expect(await nothing.json()).toMatchObject({ success: false, error: 'Rota não encontrada' });
});
