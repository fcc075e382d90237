import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, refusal, startWebhookMerchants, type WebhookMerchants } from '../testing/webhook-merchants.ts';
import { failingEndpoints } from './failing-endpoints.ts';

const HOUR_MS = 3_600_000;

let world: WebhookMerchants;
beforeAll(async () => {
  world = await startWebhookMerchants();
});
afterAll(() => world.stop());

test('each topic has one URL: set, changed, removed, and every change is noted without the URL’s query', async () => {
  const one = await world.merchant();
  await one.panel.setEndpoint({ topic: 'deposit', url: 'https://shop.example/hook?token=secret' });
  await one.panel.setEndpoint({ topic: 'deposit', url: 'https://shop.example/other' });
  await one.panel.setEndpoint({ topic: 'usdt', url: 'https://shop.example/crypto' });
  const urls = async () => (await one.panel.overview()).endpoints.map(({ topic, url }) => [topic, url]);
  expect(await urls()).toEqual([
    ['deposit', 'https://shop.example/other'],
    ['withdrawal', null],
    ['usdt', 'https://shop.example/crypto'],
  ]);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  expect((await urls())[0]).toEqual(['deposit', null]);
  expect(await refusal(one.panel.removeEndpoint({ topic: 'deposit' }))).toMatchObject({ code: 'not_now' });
  expect(await world.auditOf(one.accountId)).toEqual([
    {
      action: 'webhook_endpoint.set',
      details: { topic: 'deposit', url: 'https://shop.example/hook?…', previous_url: null },
    },
    {
      action: 'webhook_endpoint.set',
      details: { topic: 'deposit', url: 'https://shop.example/other', previous_url: 'https://shop.example/hook?…' },
    },
    {
      action: 'webhook_endpoint.set',
      details: { topic: 'usdt', url: 'https://shop.example/crypto', previous_url: null },
    },
    { action: 'webhook_endpoint.removed', details: { topic: 'deposit', url: 'https://shop.example/other' } },
  ]);
  // What REST says of the account is the same.
  const profile = await world.trilho.get('/account', one.apiKey);
  expect(profile.text).toContain('https://shop.example/crypto');
  expect(profile.text).not.toContain('https://shop.example/other');
});

test.each([
  ['test', 'ftp://shop.example/', 'scheme'],
  ['test', 'https://shop.example:25/', 'port'],
  ['test', 'https://me:you@shop.example/', 'credentials'],
  ['test', 'not a url', 'invalid'],
  ['test', 'https://10.0.0.1/', 'address'],
  ['live', 'http://shop.example/', 'scheme'],
  ['live', 'https://localhost/', 'address'],
] as const)('in %s mode %s is refused by the rule that it breaks', async (mode, url, rule) => {
  const one = await world.merchant(null, { mode });
  expect(await refusal(one.panel.setEndpoint({ topic: 'deposit', url }))).toEqual({ code: 'invalid', message: rule });
  expect((await one.panel.overview()).endpoints[0]?.url).toBeNull();
  expect(await world.auditOf(one.accountId)).toEqual([]);
});

test('events that wait go to the new URL once it is changed, with the same bytes', async () => {
  const broken = await world.receiver(500);
  const mended = await world.receiver();
  const one = await world.merchant(broken.url);
  const id = await world.paidCharge(one);
  const waiting = await world.settled(one, 'pending', 1, id);
  expect(waiting).toMatchObject({ url: broken.url, last_attempt: { status_code: 500 } });
  await one.panel.setEndpoint({ topic: 'deposit', url: mended.url });
  world.timePasses(10_000);
  expect(await world.settled(one, 'delivered', 2, id)).toMatchObject({ url: mended.url, next_try_at: null });
  expect(mended.calls[0]?.body).toBe(broken.calls[0]?.body);
  expect(mended.calls[0]?.headers['webhook-id']).toBe(broken.calls[0]?.headers['webhook-id']);
});

test('410 stops a URL until it is switched on again: what waits is given up, and can be sent again then', async () => {
  const gone = await world.receiver(500);
  const one = await world.merchant(gone.url);
  const first = await world.paidCharge(one);
  await world.settled(one, 'pending', 1, first);
  // The second attempt is five minutes away.
  world.timePasses(10_000);
  await world.settled(one, 'pending', 2, first);
  gone.answer.status = 410;
  const second = await world.paidCharge(one);
  const failed = await world.settled(one, 'failed', 1, second);
  const given = await world.trilho.until('the waiting one is given up', async () => {
    const { deliveries } = await one.panel.deliveries({ transaction_id: first });
    return deliveries[0]?.status === 'failed' ? deliveries[0] : null;
  });
  expect(given).toMatchObject({ attempts: 2, endpoint_off: true, next_try_at: null });
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ disabled_at: expect.any(String), url: gone.url });
  expect(await failingEndpoints(world.trilho.deps, one.accountId)).toMatchObject([
    { topic: 'deposit', url: gone.url, disabled: true, waiting: 0, failingSince: expect.any(Date) },
  ]);
  expect(await refusal(one.panel.resend(failed))).toMatchObject({ code: 'not_now' });
  expect(await refusal(one.panel.sendTest({ topic: 'deposit' }))).toMatchObject({ code: 'not_now' });

  gone.answer.status = 200;
  await one.panel.enableEndpoint({ topic: 'deposit' });
  expect(await refusal(one.panel.enableEndpoint({ topic: 'deposit' }))).toMatchObject({ code: 'not_now' });
  expect((await one.panel.overview()).failed).toBe(2);
  expect(await one.panel.resendFailed({})).toEqual({ resent: 2, more: false });
  await world.settled(one, 'delivered', 2, second);
  await world.settled(one, 'delivered', 3, first);
  expect((await world.auditOf(one.accountId)).map(({ action }) => action)).toEqual([
    'webhook_endpoint.enabled',
    'webhooks.resent',
  ]);
});

test('a removed URL is sent nothing more, and what waited for it follows the next one', async () => {
  const old = await world.receiver(500);
  const one = await world.merchant(old.url);
  const id = await world.paidCharge(one);
  await world.settled(one, 'pending', 1, id);
  world.timePasses(10_000);
  const waiting = await world.settled(one, 'pending', 2, id);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  expect(await world.settled(one, 'failed', 2, id)).toMatchObject({ endpoint_off: true, url: old.url });
  const unheard = await world.paidCharge(one);
  await world.trilho.until('its event', async () => {
    const { rows } = await world.trilho.deps.db.pool.query('SELECT FROM events WHERE transaction_id = $1', [unheard]);
    return rows.length === 1 ? true : null;
  });
  world.timePasses(HOUR_MS);
  const fresh = await world.receiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: fresh.url });
  expect(await one.panel.resend(waiting)).toEqual({ outcome: 'due' });
  await world.settled(one, 'delivered', 3, id);
  expect([old.calls.length, fresh.calls.length]).toEqual([2, 1]);
});

test('for 24 hours after a rotation both secrets verify every delivery, after that only the new one', async () => {
  const server = await world.receiver();
  const one = await world.merchant(server.url);
  const before = one.secretKey;
  const { secret: after, overlap_until } = await one.panel.rotateSecret();
  expect(Date.parse(overlap_until) - world.trilho.deps.clock().getTime()).toBeGreaterThan(23.9 * HOUR_MS);
  expect(after).not.toBe(before);

  const delivery = async () => {
    const calls = server.calls.length;
    await world.paidCharge(one);
    await world.called(server, calls + 1);
    const { body, headers } = server.calls[calls] as Call;
    // The library judges a timestamp by its own clock, which is not ahead; both signatures are over the id and bytes that were sent.
    const signatures = String(headers['webhook-signature']).split(' ');
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const verifies = (secret: string) =>
      signatures.includes(new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body));
    return { count: signatures.length, before: verifies(before), after: verifies(after) };
  };
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  world.timePasses(23.9 * HOUR_MS);
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  world.timePasses(0.2 * HOUR_MS);
  expect(await delivery()).toEqual({ count: 1, before: false, after: true });
  expect((await one.panel.overview()).secret_overlap_until).toBeNull();
  await one.panel.rotateSecret();
});

test('the standard’s own library accepts a delivery of the overlap with either secret, and with no other', async () => {
  const server = await world.receiver();
  world.backToNow();
  const one = await world.merchant(server.url);
  const { secret } = await one.panel.rotateSecret();
  await world.paidCharge(one);
  await world.called(server, 1);
  const { body, headers } = server.calls[0] as Call;
  const verify = (key: string) => new Webhook(key).verify(body, headers as Record<string, string>);
  expect(verify(secret)).toEqual(JSON.parse(body));
  expect(verify(one.secretKey)).toEqual(JSON.parse(body));
  expect(() => verify(`whsec_${'A'.repeat(43)}=`)).toThrow();
});

test('a second rotation waits for the end of the first one’s day, or for the merchant to end it', async () => {
  const server = await world.receiver();
  const one = await world.merchant(server.url);
  expect(await refusal(one.panel.endSecretOverlap())).toMatchObject({ code: 'not_now' });
  const { secret } = await one.panel.rotateSecret();
  expect(await refusal(one.panel.rotateSecret())).toMatchObject({ code: 'not_now' });
  expect(await one.panel.revealSecret()).toEqual({ secret });
  await one.panel.endSecretOverlap();
  await world.paidCharge(one);
  await world.called(server, 1);
  expect(String(server.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const { secret: next } = await one.panel.rotateSecret();
  expect(await one.panel.revealSecret()).toEqual({ secret: next });
  expect((await world.auditOf(one.accountId)).map(({ action }) => action)).toEqual([
    'webhook_secret.rotated',
    'webhook_secret.revealed',
    'webhook_secret.overlap_ended',
    'webhook_secret.rotated',
    'webhook_secret.revealed',
  ]);
  const noted = JSON.stringify(await world.auditOf(one.accountId));
  const logged = world.trilho.log.join('');
  for (const key of [one.secretKey, secret, next]) {
    expect(logged).not.toContain(key.slice('whsec_'.length));
    expect(noted).not.toContain(key.slice('whsec_'.length));
  }
});
