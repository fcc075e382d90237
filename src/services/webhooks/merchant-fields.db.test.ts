import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';

let service: WebhookMerchants;
beforeAll(async () => {
  service = await startWebhookMerchants();
});
afterAll(() => service.stop());

const METADATA = { loja: 'Centro', pedido: '7' };

test('an event carries the reference and the metadata of its charge, in the same bytes when it is sent again', async () => {
  const receiver = await service.receiver();
  const merchant = await service.merchant(receiver.url);
  await service.paidCharge(merchant, { reference: 'PED-1', metadata: METADATA });
  await service.called(receiver, 1);
  const [first] = receiver.calls;
  expect(JSON.parse(first?.body ?? '').data).toMatchObject({ status: 'paid', reference: 'PED-1', metadata: METADATA });

  const { body } = await service.trilho.get('/events', merchant.apiKey);
  const [{ event_id: id } = { event_id: '' }] = body.data as { event_id: string }[];
  await service.trilho.post(`/events/${id}/resend`, merchant.apiKey, {});
  await service.called(receiver, 2);
  expect(receiver.calls[1]?.body).toBe(first?.body);
  const shown = await service.trilho.get(`/events/${id}`, merchant.apiKey);
  expect((shown.body.data as { body: string }).body).toBe(first?.body);
});
