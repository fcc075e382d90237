import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import {
  RECEIVED_A_MINUTE_MAX,
  RECEIVED_BYTES_MAX,
  RECEIVED_KEPT_MAX,
  TEST_RECEIVER_URL,
} from '#domain/webhooks/test-receiver.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { errorOf } from '#testing/webhook-merchants.ts';

const DAY_MS = 24 * 60 * 60_000;

// Not a demonstration: no webhook goes to http, to loopback or to a private network.
let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({
    clock: () => new Date(Date.now() + aheadMs),
    variables: { DEMO: 'false' },
  });
});
afterAll(() => trilho.stop());

async function merchant(input: { mode?: 'live' | 'test'; webhookUrl?: string } = {}) {
  const account = await trilho.openAccount(input);
  const panel = (await panelCaller(trilho.deps, account.accountId)).webhooks;
  const urls = async () => (await panel.overview()).endpoints.map(({ url }) => url);
  const received = async () => (await panel.received()).received;
  return { ...account, panel, urls, received };
}
type Merchant = Awaited<ReturnType<typeof merchant>>;

/** The receiver's own address, which no answer ever holds. */
const addressOf = ({ accountId }: Pick<Merchant, 'accountId'>) => trilho.deps.settings.testReceiverUrl(accountId);
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

test('a paid charge’s event arrives in the panel as it was sent, signed, and only in its own account’s', async () => {
  const one = await merchant();
  const other = await merchant();
  await one.panel.setTestReceiver();
  await other.panel.setTestReceiver();
  expect(await one.urls()).toEqual([TEST_RECEIVER_URL, TEST_RECEIVER_URL, TEST_RECEIVER_URL]);

  const created = await trilho.post('/payments/transactions', one.apiKey, { amount: 37 });
  const { transaction_id } = created.body.data as { transaction_id: string };
  await trilho.pay(transaction_id);
  const [arrived] = await trilho.until('the event has arrived', async () => {
    const received = await one.received();
    return received.length > 0 ? received : null;
  });
  expect(arrived).toMatchObject({ verified: true, headers: { 'user-agent': 'Trilho-Webhooks/1' } });
  const { body = '', headers = {} } = arrived ?? {};
  expect(new Webhook(one.secretKey).verify(body, headers)).toMatchObject({
    type: 'pix_in.paid',
    data: { transaction_id },
  });

  // The delivery is one like all others: an attempt with an answer, to the URL that members see.
  const delivery = await trilho.until('the delivery is over', async () => {
    const [newest] = (await one.panel.deliveries({ transaction_id })).deliveries;
    return newest?.status === 'delivered' ? newest : null;
  });
  expect(delivery).toMatchObject({ url: TEST_RECEIVER_URL, attempts: 1, last_attempt: { status_code: 200 } });
  expect((await one.panel.delivery({ delivery_id: delivery.delivery_id })).body).toBe(body);
  expect(await other.received()).toEqual([]);
  // Sealed: the table shows nothing of it.
  const { rows } = await trilho.deps.db.pool.query('SELECT sealed FROM received_webhooks');
  expect(rows.map(({ sealed }) => String(sealed)).join()).not.toContain(transaction_id);
});

test('events from before the built-in receiver is chosen are held, and arrive once it is', async () => {
  const one = await merchant();
  const created = await trilho.post('/payments/transactions', one.apiKey, { amount: 41 });
  const { transaction_id } = created.body.data as { transaction_id: string };
  await trilho.pay(transaction_id);
  await trilho.until('the event is held', async () => {
    const { deliveries } = await one.panel.deliveries({ transaction_id });
    return deliveries[0]?.status === 'held' ? true : null;
  });
  await one.panel.setTestReceiver();
  const arrived = await trilho.until('it has arrived', async () => (await one.received())[0]);
  expect(JSON.parse(arrived.body)).toMatchObject({ type: 'pix_in.paid', data: { transaction_id } });
});

test('the built-in receiver takes the topics without a URL, of test accounts only, and its address can’t be entered', async () => {
  const one = await merchant();
  await one.panel.setEndpoint({ topic: 'usdt', url: 'https://shop.example/hook' });
  await one.panel.setTestReceiver();
  expect(await one.urls()).toEqual([TEST_RECEIVER_URL, TEST_RECEIVER_URL, 'https://shop.example/hook']);
  expect(await errorOf(one.panel.setTestReceiver())).toMatchObject({ code: 'invalid_state' });
  await one.panel.setEndpoint({ topic: 'deposit', url: 'https://shop.example/hook' });
  await one.panel.removeEndpoint({ topic: 'withdrawal' });
  expect(await one.urls()).toEqual(['https://shop.example/hook', null, 'https://shop.example/hook']);

  const live = await merchant({ mode: 'live' });
  expect(await errorOf(live.panel.setTestReceiver())).toMatchObject({ code: 'invalid_state' });
  for (const typing of [one, live]) {
    for (const url of [TEST_RECEIVER_URL, addressOf(one), addressOf(typing), `${trilho.url}/inbound/test-webhooks/x`]) {
      const typed = typing.panel.setEndpoint({ topic: 'withdrawal', url });
      expect(await errorOf(typed)).toEqual({ code: 'invalid_input', issue: 'url_not_https' });
    }
  }
  const charge = { amount: 10, callbackUrl: addressOf(one) };
  expect((await trilho.post('/payments/transactions', one.apiKey, charge)).status).toBe(400);
});

test('the built-in receiver gets nothing from a live account, even when its endpoint has that URL', async () => {
  const live = await merchant({ mode: 'live', webhookUrl: 'https://shop.example/hook' });
  await trilho.deps.db.pool.query('UPDATE endpoints SET url = $2 WHERE account_id = $1', [
    live.accountId,
    TEST_RECEIVER_URL,
  ]);
  const { delivery_id } = await live.panel.sendTest({ topic: 'deposit' });
  const delivery = await trilho.until('the attempt is over', async () => {
    const found = await live.panel.delivery({ delivery_id });
    return found.attempts > 0 ? found : null;
  });
  expect(delivery.last_attempt).toMatchObject({ status_code: null, error: 'connection' });
  expect(await live.received()).toEqual([]);
});

test('the built-in receiver rejects an unknown address, another account’s token, other methods and large bodies', async () => {
  const one = await merchant();
  const other = await merchant();
  const live = await merchant({ mode: 'live' });
  const address = addressOf(one);
  const forged = [
    address.slice(0, -1),
    address.replace(one.accountId, other.accountId),
    `${trilho.url}/inbound/test-webhooks/${one.accountId}/`,
    `${trilho.url}/inbound/test-webhooks/${one.accountId}`,
    // The right token, but of an account that has no receiver.
    addressOf(live),
    addressOf({ accountId: '00000000-0000-7000-8000-000000000000' }),
  ];
  for (const url of forged) expect([url, (await post(url, '{}')).status]).toEqual([url, 404]);
  expect((await fetch(address)).status).toBe(405);
  expect((await post(address, 'x'.repeat(RECEIVED_BYTES_MAX + 1))).status).toBe(413);
  for (const who of [one, other, live]) expect(await who.received()).toEqual([]);
});

test('a message without a signature of the account, or with an old one, is shown as unverified and rejected as a merchant would', async () => {
  const one = await merchant();
  const body = '{"id":"evt_1"}';
  const signed = (at: Date, secret = one.secretKey) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  });
  const now = trilho.deps.clock();
  const stranger = await merchant();
  const statuses = [];
  for (const headers of [
    signed(now),
    {},
    signed(now, stranger.secretKey),
    signed(new Date(now.getTime() - 6 * 60_000)),
  ]) {
    statuses.push((await post(addressOf(one), body, { ...headers, 'x-forwarded-for': '10.0.0.7' })).status);
  }
  expect(statuses).toEqual([200, 401, 401, 401]);
  const received = await one.received();
  expect(received.map(({ verified }) => verified)).toEqual([false, false, false, true]);
  // Headers that a proxy adds are not shown.
  expect(JSON.stringify(received)).not.toContain('10.0.0.7');
});

test('the built-in receiver keeps the newest messages for a week, and rejects those above its limit a minute', async () => {
  const one = await merchant();
  const statuses = [];
  for (let n = 1; n <= RECEIVED_A_MINUTE_MAX + 1; n++) {
    statuses.push((await post(addressOf(one), `{"n":${n}}`)).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.at(-1)).toBe(429);
  const bodies = (await one.received()).map(({ body }) => body);
  expect(bodies).toHaveLength(RECEIVED_KEPT_MAX);
  expect(bodies[0]).toBe(`{"n":${RECEIVED_A_MINUTE_MAX}}`);
  const count = async () =>
    (
      await trilho.deps.db.pool.query<{ count: bigint }>(
        'SELECT count(*) AS count FROM received_webhooks WHERE account_id = $1',
        [one.accountId],
      )
    ).rows[0]?.count;
  expect(await count()).toBe(BigInt(RECEIVED_KEPT_MAX));
  aheadMs = 8 * DAY_MS;
  expect(await one.received()).toEqual([]);
  await purgeExpired(trilho.deps);
  expect(await count()).toBe(0n);
  aheadMs = 0;
});

test('a URL that is set while the built-in receiver is chosen stays', async () => {
  const one = await merchant();
  const { deps } = trilho;
  const prisma = deps.db.prisma.$extends({
    query: {
      endpoint: {
        async findMany({ args, query }) {
          const found = await query(args);
          await one.panel.setEndpoint({ topic: 'deposit', url: 'https://shop.example/hook' });
          return found;
        },
      },
    },
  });
  const db = { ...deps.db, prisma } as unknown as Database;
  await (await panelCaller({ ...deps, db }, one.accountId)).webhooks.setTestReceiver();
  expect(await one.urls()).toEqual(['https://shop.example/hook', TEST_RECEIVER_URL, TEST_RECEIVER_URL]);
});
