import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';

let service: WebhookMerchants;
beforeAll(async () => {
  service = await startWebhookMerchants();
});
afterAll(() => service.stop());

const METADATA = { loja: 'Centro', pedido: '7' };

test('an event carries the reference and the metadata of its charge, in the same bytes however often it is sent', async () => {
  const receiver = await service.receiver(500);
  const merchant = await service.merchant(receiver.url);
  await service.paidCharge(merchant, { reference: 'PED-1', metadata: METADATA });
  const [first] = await service.trilho.until('it was sent', async () =>
    receiver.calls.length > 0 ? receiver.calls : null,
  );
  expect(JSON.parse(first?.body ?? '').data).toMatchObject({ status: 'paid', reference: 'PED-1', metadata: METADATA });

  receiver.answer.status = 200;
  const { body } = await service.trilho.get('/events', merchant.apiKey);
  const [{ event_id: id } = { event_id: '' }] = body.data as { event_id: string }[];
  await service.trilho.post(`/events/${id}/resend`, merchant.apiKey, {});
  await service.trilho.until('it was sent again', async () => (receiver.calls.length > 1 ? true : null));
  expect(receiver.calls[1]?.body).toBe(first?.body);
  const shown = await service.trilho.get(`/events/${id}`, merchant.apiKey);
  expect((shown.body.data as { body: string }).body).toBe(first?.body);
});

test('an event of a charge without them says null', async () => {
  const receiver = await service.receiver();
  await service.paidCharge(await service.merchant(receiver.url));
  const [call] = await service.trilho.until('it was sent', async () =>
    receiver.calls.length > 0 ? receiver.calls : null,
  );
  expect(JSON.parse(call?.body ?? '').data).toMatchObject({ reference: null, metadata: null });
});
