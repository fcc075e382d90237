import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishTask, type Task } from '#db/tasks/tasks.ts';
import { takeOldestHeld } from '#db/webhooks/held-deliveries.ts';
import { type Call, errorOf, startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';
import { failingEndpoints } from './failing-endpoints.ts';

const HOUR_MS = 3_600_000;

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

test('each topic has one URL, and the audit has every change of it, without the URL’s query', async () => {
  const one = await setup.merchant();
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
  expect(await errorOf(one.panel.removeEndpoint({ topic: 'deposit' }))).toMatchObject({ code: 'invalid_state' });
  expect(await setup.auditOf(one.accountId)).toEqual([
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
  const profile = await setup.trilho.get('/account', one.apiKey);
  expect(profile.text).toContain('https://shop.example/crypto');
  expect(profile.text).not.toContain('https://shop.example/other');
});

test.each([
  ['test', 'ftp://shop.example/', 'url_not_https'],
  ['test', 'https://shop.example:25/', 'url_port'],
  ['test', 'https://me:you@shop.example/', 'url_with_credentials'],
  ['test', 'not a url', 'url_incomplete'],
  ['test', 'https://10.0.0.1/', 'url_inside_network'],
  ['live', 'http://shop.example/', 'url_not_https'],
  ['live', 'https://localhost/', 'url_inside_network'],
] as const)('in %s mode the URL %s is rejected with the rule that it breaks', async (mode, url, issue) => {
  const one = await setup.merchant(null, { mode });
  expect(await errorOf(one.panel.setEndpoint({ topic: 'deposit', url }))).toEqual({ code: 'invalid_input', issue });
  expect((await one.panel.overview()).endpoints[0]?.url).toBeNull();
  expect(await setup.auditOf(one.accountId)).toEqual([]);
});

test('events that wait go to the new URL once it is changed, with the same bytes', async () => {
  const broken = await setup.receiver(500);
  const mended = await setup.receiver();
  const one = await setup.merchant(broken.url);
  const id = await setup.paidCharge(one);
  const waiting = await setup.settled(one, 'pending', 1, id);
  expect(waiting).toMatchObject({ url: broken.url, last_attempt: { status_code: 500 } });
  await one.panel.setEndpoint({ topic: 'deposit', url: mended.url });
  setup.retryIsDue();
  expect(await setup.settled(one, 'delivered', 2, id)).toMatchObject({ url: mended.url, next_try_at: null });
  expect(mended.calls[0]?.body).toBe(broken.calls[0]?.body);
  expect(mended.calls[0]?.headers['webhook-id']).toBe(broken.calls[0]?.headers['webhook-id']);
});

test('a 410 from the URL that an endpoint had before holds nothing back from the one that it has now', async () => {
  const old = await setup.receiver(410);
  const fresh = await setup.receiver();
  const one = await setup.merchant(old.url);
  old.answer.before = () => one.panel.setEndpoint({ topic: 'deposit', url: fresh.url });
  const id = await setup.paidCharge(one);
  const waiting = await setup.settled(one, 'pending', 1, id);
  expect(waiting).toMatchObject({ endpoint_off: false, last_attempt: { status_code: 410 } });
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ url: fresh.url, disabled_at: null, held: 0 });
  setup.retryIsDue();
  expect(await setup.settled(one, 'delivered', 2, id)).toMatchObject({ url: fresh.url });
  expect(fresh.calls[0]?.body).toBe(old.calls[0]?.body);
});

test('after a 410 every event is held until the merchant sends it, in order, with its own id and bytes', async () => {
  const gone = await setup.receiver(500);
  const one = await setup.merchant(gone.url);
  const first = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, first);
  // The next attempt is ten minutes away.
  setup.retryIsDue();
  await setup.settled(one, 'pending', 2, first);
  gone.answer.status = 410;
  const second = await setup.paidCharge(one);
  const held = await setup.settled(one, 'held', 1, second);
  // An event that waits is held too, and so is a new one.
  expect(await setup.settled(one, 'held', 2, first)).toMatchObject({ endpoint_off: true, next_try_at: null });
  const third = await setup.paidCharge(one);
  expect(await setup.settled(one, 'held', 0, third)).toMatchObject({ url: gone.url, finished_at: null });
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({
    disabled_at: expect.any(String),
    disabled_reason: 'gone',
    url: gone.url,
    held: 3,
    held_is_more: false,
  });
  expect(await failingEndpoints(setup.trilho.deps, one.accountId)).toMatchObject([
    { topic: 'deposit', url: gone.url, disabledReason: 'gone', waiting: 0, failingSince: expect.any(Date) },
  ]);
  expect((await one.panel.deliveries({ status: 'held' })).deliveries).toHaveLength(3);
  for (const call of [() => one.panel.resend(held), () => one.events.sendHeld({ topic: 'deposit' })]) {
    expect(await errorOf(call())).toMatchObject({ code: 'webhook_disabled' });
  }
  expect(await errorOf(one.panel.sendTest({ topic: 'deposit' }))).toMatchObject({ code: 'invalid_state' });

  gone.answer.status = 200;
  await one.panel.enableEndpoint({ topic: 'deposit' });
  expect(await errorOf(one.panel.enableEndpoint({ topic: 'deposit' }))).toMatchObject({ code: 'invalid_state' });
  // Held events are not sent by themselves: the merchant decides whether, and when.
  expect(gone.calls).toHaveLength(3);
  expect(await one.events.sendHeld({ topic: 'usdt' })).toMatchObject({ data: { sending: 0 } });
  expect(await one.events.sendHeld({ topic: 'deposit' })).toMatchObject({ data: { sending: 3 } });
  await setup.settled(one, 'delivered', 3, first);
  await setup.settled(one, 'delivered', 2, second);
  await setup.settled(one, 'delivered', 1, third);
  const sent = gone.calls.slice(3);
  expect(sent.map(({ body }) => JSON.parse(body).data.transaction_id)).toEqual([first, second, third]);
  expect(sent[1]?.body).toBe(gone.calls[2]?.body);
  expect(sent[1]?.headers['webhook-id']).toBe(gone.calls[2]?.headers['webhook-id']);
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ held: 0, disabled_at: null });
  expect((await setup.auditOf(one.accountId)).map(({ action, details }) => [action, details.count])).toEqual([
    ['webhook_endpoint.enabled', undefined],
    ['webhooks.held_sent', 3],
  ]);
});

test('sending held events ends at the first that is not accepted, and a worker that dies in between loses none', async () => {
  const one = await setup.merchant();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await setup.paidCharge(one));
  for (const id of ids) await setup.settled(one, 'held', 0, id);
  const server = await setup.receiver(500);
  await one.panel.setEndpoint({ topic: 'deposit', url: server.url });
  expect(await one.events.sendHeld({ topic: 'deposit' })).toMatchObject({ data: { sending: 4 } });
  await setup.settled(one, 'pending', 1, ids[0]);
  await sendingEnded(one);
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ held: 3 });
  expect(server.calls).toHaveLength(1);

  // What the database looks like when a worker is killed after it took the next one.
  const { pool } = setup.trilho.deps.db;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM endpoints WHERE account_id = $1 AND topic = 'deposit'`,
    [one.accountId],
  );
  await takeOldestHeld(pool, rows[0]?.id ?? '', setup.trilho.deps.clock());
  server.answer.status = 200;
  await setup.settled(one, 'delivered', 1, ids[1]);
  expect(await one.events.sendHeld({ topic: 'deposit' })).toMatchObject({ data: { sending: 2 } });
  await setup.settled(one, 'delivered', 1, ids[2]);
  await setup.settled(one, 'delivered', 1, ids[3]);
  // The one that was not accepted continues by the schedule.
  setup.retryIsDue();
  await setup.settled(one, 'delivered', 2, ids[0]);

  // A 410 in between ends the sending, and enabling the endpoint does not begin it again.
  server.answer.status = 410;
  const last = [await setup.paidCharge(one), await setup.paidCharge(one)];
  for (const id of last) await setup.trilho.until('it is held', async () => (await heldOf(one)).includes(id) || null);
  await one.panel.enableEndpoint({ topic: 'deposit' });
  await one.events.sendHeld({ topic: 'deposit' });
  await setup.trilho.until('the receiver is gone again', async () =>
    (await one.panel.overview()).endpoints[0]?.disabled_at ? true : null,
  );
  server.answer.status = 200;
  await one.panel.enableEndpoint({ topic: 'deposit' });
  await sendingEnded(one);
  expect((await heldOf(one)).sort()).toEqual(last.sort());
});

test('events from before the first URL are held, listed, and sent to it one by one or together', async () => {
  const one = await setup.merchant();
  const ids = [await setup.paidCharge(one), await setup.paidCharge(one), await setup.paidCharge(one)];
  for (const id of ids) {
    expect(await setup.settled(one, 'held', 0, id)).toMatchObject({ url: null, topic: 'deposit', endpoint_off: true });
  }
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ url: null, disabled_at: null, held: 3 });
  const [alone] = (await one.panel.deliveries({ transaction_id: ids[2] as string })).deliveries;
  if (!alone) throw new Error('There is no delivery.');
  expect(await errorOf(one.panel.resend(alone))).toMatchObject({ code: 'webhook_disabled' });
  const server = await setup.receiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: server.url });
  expect(await one.panel.resend(alone)).toEqual({ outcome: 'due' });
  await setup.settled(one, 'delivered', 1, ids[2]);
  expect(server.calls).toHaveLength(1);
  // A worker that found nothing left is about to end its task: the task runs again.
  const { pool } = setup.trilho.deps.db;
  const leaseUntil = new Date(setup.trilho.deps.clock().getTime() + HOUR_MS);
  const { rows } = await pool.query<Task>(
    `INSERT INTO tasks (kind, subject_id, due_at, attempts)
      SELECT 'send_held', id, $2, 1 FROM endpoints WHERE account_id = $1 AND topic = 'deposit'
      RETURNING kind, subject_id AS "subjectId", attempts, due_at AS "leaseUntil"`,
    [one.accountId, leaseUntil],
  );
  expect(await one.events.sendHeld({ topic: 'deposit' })).toMatchObject({ data: { sending: 2 } });
  for (const task of rows) await finishTask(pool, task);
  setup.timePasses(HOUR_MS);
  await setup.called(server, 3);
  expect(server.calls.map(({ body }) => JSON.parse(body).data.transaction_id)).toEqual([ids[2], ids[0], ids[1]]);
  // Another account's can't be sent.
  const other = await setup.merchant(server.url);
  expect(await other.events.sendHeld({ topic: 'deposit' })).toMatchObject({ data: { sending: 0 } });
});

test('a removed URL is sent nothing more, and events that waited for it are sent to the next one', async () => {
  const old = await setup.receiver(500);
  const one = await setup.merchant(old.url);
  const id = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, id);
  setup.retryIsDue();
  const waiting = await setup.settled(one, 'pending', 2, id);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  expect(await setup.settled(one, 'held', 2, id)).toMatchObject({ endpoint_off: true, url: old.url });
  await setup.settled(one, 'held', 0, await setup.paidCharge(one));
  setup.timePasses(HOUR_MS);
  const fresh = await setup.receiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: fresh.url });
  expect(await one.panel.resend(waiting)).toEqual({ outcome: 'due' });
  await setup.settled(one, 'delivered', 3, id);
  expect([old.calls.length, fresh.calls.length]).toEqual([2, 1]);
});

test('a charge’s own URL that says 410 is not called again, and nothing else is held for it', async () => {
  const own = await setup.receiver(410);
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const id = await setup.paidCharge(one, { callbackUrl: own.url });
  expect(await setup.settled(one, 'failed', 1, id)).toMatchObject({ topic: null, url: own.url, endpoint_off: false });
  await setup.settled(one, 'delivered', 1, await setup.paidCharge(one));
});

test('for 24 hours after a rotation both secrets verify every delivery, after that only the new one', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const before = one.secretKey;
  const { secret: after, overlap_until } = await one.panel.rotateSecret();
  expect(Date.parse(overlap_until) - setup.trilho.deps.clock().getTime()).toBeGreaterThan(23.9 * HOUR_MS);
  expect(after).not.toBe(before);

  const delivery = async () => {
    const calls = server.calls.length;
    // One that is still being sent when the clock moves by hours would be sent again.
    await setup.settled(one, 'delivered', 1, await setup.paidCharge(one));
    const { body, headers } = server.calls[calls] as Call;
    // The library judges a timestamp by its own clock, which is not ahead; both signatures are over
    // the id and bytes that were sent.
    const signatures = String(headers['webhook-signature']).split(' ');
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const verifies = (secret: string) =>
      signatures.includes(new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body));
    return { count: signatures.length, before: verifies(before), after: verifies(after) };
  };
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  setup.timePasses(23.9 * HOUR_MS);
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  setup.timePasses(0.2 * HOUR_MS);
  expect(await delivery()).toEqual({ count: 1, before: false, after: true });
  expect((await one.panel.overview()).secret_overlap_until).toBeNull();
  await one.panel.rotateSecret();
});

test('the standard’s own library accepts a delivery of the overlap with either secret, and with no other', async () => {
  const server = await setup.receiver();
  setup.backToNow();
  const one = await setup.merchant(server.url);
  const { secret } = await one.panel.rotateSecret();
  await setup.paidCharge(one);
  await setup.called(server, 1);
  const { body, headers } = server.calls[0] as Call;
  const verify = (key: string) => new Webhook(key).verify(body, headers as Record<string, string>);
  expect(verify(secret)).toEqual(JSON.parse(body));
  expect(verify(one.secretKey)).toEqual(JSON.parse(body));
  expect(() => verify(`whsec_${'A'.repeat(43)}=`)).toThrow();
});

test('a second rotation waits for the end of the first one’s day, or for the merchant to end it', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  expect(await errorOf(one.panel.endSecretOverlap())).toMatchObject({ code: 'invalid_state' });
  const { secret } = await one.panel.rotateSecret();
  expect(await errorOf(one.panel.rotateSecret())).toMatchObject({ code: 'invalid_state' });
  expect(await one.panel.revealSecret()).toEqual({ secret });
  await one.panel.endSecretOverlap();
  await setup.paidCharge(one);
  await setup.called(server, 1);
  expect(String(server.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const { secret: next } = await one.panel.rotateSecret();
  expect(await one.panel.revealSecret()).toEqual({ secret: next });
  expect((await setup.auditOf(one.accountId)).map(({ action }) => action)).toEqual([
    'webhook_secret.rotated',
    'webhook_secret.revealed',
    'webhook_secret.overlap_ended',
    'webhook_secret.rotated',
    'webhook_secret.revealed',
  ]);
  const noted = JSON.stringify(await setup.auditOf(one.accountId));
  const logged = setup.trilho.log.join('');
  for (const key of [one.secretKey, secret, next]) {
    expect(logged).not.toContain(key.slice('whsec_'.length));
    expect(noted).not.toContain(key.slice('whsec_'.length));
  }
});

type Merchant = Awaited<ReturnType<WebhookMerchants['merchant']>>;

const sendingEnded = (one: Merchant) =>
  setup.trilho.until('nothing is being sent', async () =>
    (await one.panel.overview()).endpoints[0]?.held_is_sending ? null : true,
  );

/** The transactions whose events are held. */
const heldOf = async ({ panel }: Merchant) =>
  (await panel.deliveries({ status: 'held' })).deliveries.map(({ transaction_id }) => transaction_id);
