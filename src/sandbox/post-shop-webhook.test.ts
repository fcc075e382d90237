import { describe, expect, test } from 'vitest';
import { postShopWebhook } from './post-shop-webhook.ts';

const HAPPENED_AT = Date.parse('2026-11-21T12:00:00.000Z');
const ask = (id: string, secondsLater: number) =>
  postShopWebhook({
    headers: { 'webhook-timestamp': String(HAPPENED_AT / 1000 + secondsLater) },
    params: [],
    query: new URLSearchParams(),
    readBody: async () => JSON.stringify({ id, timestamp: new Date(HAPPENED_AT).toISOString() }),
  });
const ids = Array.from({ length: 400 }, (_, n) => `evt_${n}`);

describe('the shop’s own system', () => {
  test('is unavailable for some events at first, and accepts each of them a minute later', async () => {
    const first = await Promise.all(ids.map((id) => ask(id, 1)));
    const away = first.filter((reply) => typeof reply === 'object' && reply.status === 503).length;
    expect(away).toBeGreaterThan(4);
    expect(away).toBeLessThan(60);
    const later = await Promise.all(ids.map((id) => ask(id, 61)));
    expect(later.every((reply) => typeof reply === 'object' && reply.status === 200)).toBe(true);
  });

  test.each(['', '{}', '[]', 'null', '{"id":1}'])('rejects what is no webhook: %s', async (body) => {
    const request = { headers: {}, params: [], query: new URLSearchParams(), readBody: async () => body };
    await expect(postShopWebhook(request)).rejects.toMatchObject({ status: 400 });
  });
});
