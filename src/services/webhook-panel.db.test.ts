import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resendFailed } from '#db/resends.ts';
import { panelCaller } from '../testing/panel-caller.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { failingEndpoints } from './failing-endpoints.ts';

const HOUR_MS = 3_600_000;

let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + aheadMs);
  trilho = await startTestService({ clock, variables: { DEMO: 'true' } });
});
afterAll(() => trilho.stop());

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

type Call = { headers: IncomingHttpHeaders; body: string };
type Receiver = { url: string; calls: Call[]; answer: { status: number; text: string } };

/** A merchant's server; what it answers can be changed while it runs. */
async function receiver(status = 200, text = ''): Promise<Receiver> {
  const calls: Call[] = [];
  const answer = { status, text };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    calls.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
    res.writeHead(answer.status).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, calls, answer };
}

async function merchant(webhookUrl: string | null = null, options: { mode?: 'live' | 'test' } = {}) {
  const account = await trilho.openAccount({ webhookUrl, ...options });
  return { ...account, panel: (await panelCaller(trilho.deps, account.accountId)).webhooks };
}
type Merchant = Awaited<ReturnType<typeof merchant>>;

async function paidCharge({ apiKey }: { apiKey: string }, body: object = {}) {
  const created = await trilho.post('/payments/transactions', apiKey, { amount: 37, ...body });
  const { transaction_id: id } = created.body.data as { transaction_id: string };
  await trilho.pay(id);
  return id;
}

/** Waits until the newest delivery of a transaction (or of all) has a status and as many attempts as said. */
const settled = ({ panel }: Merchant, status: string, attempts: number, transaction_id?: string) =>
  trilho.until(`a delivery is ${status} after ${attempts} attempts`, async () => {
    const { deliveries } = await panel.deliveries({ ...(transaction_id && { transaction_id }) });
    const [newest] = deliveries;
    return newest?.status === status && newest.attempts === attempts ? newest : null;
  });
const called = ({ calls }: Receiver, times: number) =>
  trilho.until(`${times} calls`, async () => (calls.length >= times ? true : null));

const auditOf = async (accountId: string) =>
  (
    await trilho.deps.db.pool.query<{ action: string; details: Record<string, unknown> }>(
      'SELECT action, details FROM audit_records WHERE account_id = $1 ORDER BY id',
      [accountId],
    )
  ).rows;

const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (caught: { cause?: { code?: string; details?: { field: string; message: string }[] } }) => caught,
  );
  return { code: error?.cause?.code, message: error?.cause?.details?.[0]?.message };
};

test('each topic has one URL: set, changed, removed, and every change is noted without the URL’s query', async () => {
  const one = await merchant();
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
  expect(await auditOf(one.accountId)).toEqual([
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
  const profile = await trilho.get('/account', one.apiKey);
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
  const one = await merchant(null, { mode });
  expect(await refusal(one.panel.setEndpoint({ topic: 'deposit', url }))).toEqual({ code: 'invalid', message: rule });
  expect((await one.panel.overview()).endpoints[0]?.url).toBeNull();
  expect(await auditOf(one.accountId)).toEqual([]);
});

test('events that wait go to the new URL once it is changed, with the same bytes', async () => {
  const broken = await receiver(500);
  const mended = await receiver();
  const one = await merchant(broken.url);
  const id = await paidCharge(one);
  const waiting = await settled(one, 'pending', 1, id);
  expect(waiting).toMatchObject({ url: broken.url, last_attempt: { status_code: 500 } });
  await one.panel.setEndpoint({ topic: 'deposit', url: mended.url });
  aheadMs += 10_000;
  expect(await settled(one, 'delivered', 2, id)).toMatchObject({ url: mended.url, next_try_at: null });
  expect(mended.calls[0]?.body).toBe(broken.calls[0]?.body);
  expect(mended.calls[0]?.headers['webhook-id']).toBe(broken.calls[0]?.headers['webhook-id']);
});

test('410 stops a URL until it is switched on again: what waits is given up, and can be sent again then', async () => {
  const gone = await receiver(500);
  const one = await merchant(gone.url);
  const first = await paidCharge(one);
  await settled(one, 'pending', 1, first);
  // The second attempt is five minutes away.
  aheadMs += 10_000;
  await settled(one, 'pending', 2, first);
  gone.answer.status = 410;
  const second = await paidCharge(one);
  const failed = await settled(one, 'failed', 1, second);
  const given = await trilho.until('the waiting one is given up', async () => {
    const { deliveries } = await one.panel.deliveries({ transaction_id: first });
    return deliveries[0]?.status === 'failed' ? deliveries[0] : null;
  });
  expect(given).toMatchObject({ attempts: 2, endpoint_off: true, next_try_at: null });
  expect((await one.panel.overview()).endpoints[0]).toMatchObject({ disabled_at: expect.any(String), url: gone.url });
  expect(await failingEndpoints(trilho.deps, one.accountId)).toMatchObject([
    { topic: 'deposit', url: gone.url, disabled: true, waiting: 0, failingSince: expect.any(Date) },
  ]);
  expect(await refusal(one.panel.resend(failed))).toMatchObject({ code: 'not_now' });
  expect(await refusal(one.panel.sendTest({ topic: 'deposit' }))).toMatchObject({ code: 'not_now' });

  gone.answer.status = 200;
  await one.panel.enableEndpoint({ topic: 'deposit' });
  expect(await refusal(one.panel.enableEndpoint({ topic: 'deposit' }))).toMatchObject({ code: 'not_now' });
  expect((await one.panel.overview()).failed).toBe(2);
  expect(await one.panel.resendFailed({})).toEqual({ resent: 2, more: false });
  await settled(one, 'delivered', 2, second);
  await settled(one, 'delivered', 3, first);
  expect((await auditOf(one.accountId)).map(({ action }) => action)).toEqual([
    'webhook_endpoint.enabled',
    'webhooks.resent',
  ]);
});

test('a removed URL is sent nothing more, and what waited for it follows the next one', async () => {
  const old = await receiver(500);
  const one = await merchant(old.url);
  const id = await paidCharge(one);
  await settled(one, 'pending', 1, id);
  aheadMs += 10_000;
  const waiting = await settled(one, 'pending', 2, id);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  expect(await settled(one, 'failed', 2, id)).toMatchObject({ endpoint_off: true, url: old.url });
  const unheard = await paidCharge(one);
  await trilho.until('its event', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT FROM events WHERE transaction_id = $1', [unheard]);
    return rows.length === 1 ? true : null;
  });
  aheadMs += HOUR_MS;
  const fresh = await receiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: fresh.url });
  expect(await one.panel.resend(waiting)).toEqual({ outcome: 'due' });
  await settled(one, 'delivered', 3, id);
  expect([old.calls.length, fresh.calls.length]).toEqual([2, 1]);
});

test('for 24 hours after a rotation both secrets verify every delivery, after that only the new one', async () => {
  const server = await receiver();
  const one = await merchant(server.url);
  const before = one.secretKey;
  const { secret: after, overlap_until } = await one.panel.rotateSecret();
  expect(Date.parse(overlap_until) - trilho.deps.clock().getTime()).toBeGreaterThan(23.9 * HOUR_MS);
  expect(after).not.toBe(before);

  const delivery = async () => {
    const calls = server.calls.length;
    await paidCharge(one);
    await called(server, calls + 1);
    const { body, headers } = server.calls[calls] as Call;
    // The library judges a timestamp by its own clock, which is not ahead; both signatures are over the id and bytes that were sent.
    const signatures = String(headers['webhook-signature']).split(' ');
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const verifies = (secret: string) =>
      signatures.includes(new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body));
    return { count: signatures.length, before: verifies(before), after: verifies(after) };
  };
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  aheadMs += 23.9 * HOUR_MS;
  expect(await delivery()).toEqual({ count: 2, before: true, after: true });
  aheadMs += 0.2 * HOUR_MS;
  expect(await delivery()).toEqual({ count: 1, before: false, after: true });
  expect((await one.panel.overview()).secret_overlap_until).toBeNull();
  await one.panel.rotateSecret();
});

test('the standard’s own library accepts a delivery of the overlap with either secret, and with no other', async () => {
  const server = await receiver();
  aheadMs = 0;
  const one = await merchant(server.url);
  const { secret } = await one.panel.rotateSecret();
  await paidCharge(one);
  await called(server, 1);
  const { body, headers } = server.calls[0] as Call;
  const verify = (key: string) => new Webhook(key).verify(body, headers as Record<string, string>);
  expect(verify(secret)).toEqual(JSON.parse(body));
  expect(verify(one.secretKey)).toEqual(JSON.parse(body));
  expect(() => verify(`whsec_${'A'.repeat(43)}=`)).toThrow();
});

test('a second rotation waits for the end of the first one’s day, or for the merchant to end it', async () => {
  const server = await receiver();
  const one = await merchant(server.url);
  expect(await refusal(one.panel.endSecretOverlap())).toMatchObject({ code: 'not_now' });
  const { secret } = await one.panel.rotateSecret();
  expect(await refusal(one.panel.rotateSecret())).toMatchObject({ code: 'not_now' });
  expect(await one.panel.revealSecret()).toEqual({ secret });
  await one.panel.endSecretOverlap();
  await paidCharge(one);
  await called(server, 1);
  expect(String(server.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const { secret: next } = await one.panel.rotateSecret();
  expect(await one.panel.revealSecret()).toEqual({ secret: next });
  expect((await auditOf(one.accountId)).map(({ action }) => action)).toEqual([
    'webhook_secret.rotated',
    'webhook_secret.revealed',
    'webhook_secret.overlap_ended',
    'webhook_secret.rotated',
    'webhook_secret.revealed',
  ]);
  const noted = JSON.stringify(await auditOf(one.accountId));
  const logged = trilho.log.join('');
  for (const key of [one.secretKey, secret, next]) {
    expect(logged).not.toContain(key.slice('whsec_'.length));
    expect(noted).not.toContain(key.slice('whsec_'.length));
  }
});

test('a delivery is shown with the exact bytes and headers that its receiver got, and never with the secret', async () => {
  const server = await receiver(500, '<b>out of order</b>');
  const one = await merchant(server.url);
  const id = await paidCharge(one);
  const { delivery_id } = await settled(one, 'pending', 1, id);
  const shown = await one.panel.delivery({ delivery_id });
  const [call] = server.calls;
  expect(shown).toMatchObject({ body: call?.body, type: 'pix_in.paid', transaction_id: id, topic: 'deposit' });
  expect(shown.tries).toEqual([
    {
      number: 1,
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
      status_code: 500,
      error: null,
      answer: '<b>out of order</b>',
      headers: expect.any(Object),
    },
  ]);
  expect(call?.headers).toMatchObject(shown.tries[0]?.headers ?? { none: true });
  expect(Object.keys(shown.tries[0]?.headers ?? {})).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  // After a rotation the signature of before can't be made again for certain, and is not guessed.
  await one.panel.rotateSecret();
  aheadMs += 10_000;
  await settled(one, 'pending', 2, id);
  const later = await one.panel.delivery({ delivery_id });
  expect(later.tries.map(({ headers }) => headers['webhook-signature'])).toEqual([
    null,
    server.calls[1]?.headers['webhook-signature'],
  ]);
  expect(JSON.stringify(later)).not.toContain(one.secretKey.slice('whsec_'.length));
});

test('the log has the newest event first, page by page, and holds what is asked for', async () => {
  const server = await receiver();
  const own = await receiver(500);
  const one = await merchant(server.url);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await paidCharge(one, n === 4 ? { callbackUrl: own.url } : {}));
  await settled(one, 'pending', 1, ids[0]);
  for (const id of ids.slice(1)) await settled(one, 'delivered', 1, id);
  await one.panel.sendTest({ topic: 'usdt' });
  await settled(one, 'delivered', 1);

  const seen: (string | null)[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await one.panel.deliveries({ limit: 2, ...(cursor && { cursor }) });
    seen.push(...page.deliveries.map(({ transaction_id }) => transaction_id));
    cursor = page.next_cursor;
  }
  expect(new Set(seen).size).toBe(6);
  expect([...seen].sort()).toEqual([null, ...ids].sort());
  expect(seen[0]).toBeNull();

  const found = async (filter: Parameters<typeof one.panel.deliveries>[0]) =>
    (await one.panel.deliveries(filter)).deliveries.map(({ transaction_id }) => transaction_id);
  expect(await found({ status: 'pending', topic: 'deposit' })).toEqual([ids[0]]);
  expect((await found({ status: 'delivered', topic: 'deposit' })).sort()).toEqual(ids.slice(1).sort());
  expect(await found({ topic: 'usdt' })).toEqual([null]);
  expect(await found({ topic: 'withdrawal' })).toEqual([]);
  expect(await found({ transaction_id: ids[2] as string })).toEqual([ids[2]]);
  expect(await found({ transaction_id: 'nothing' })).toEqual([]);
  const { deliveries } = await one.panel.deliveries({ status: 'pending' });
  expect(deliveries[0]).toMatchObject({ topic: null, url: own.url, attempts: 1, next_try_at: expect.any(String) });
});

test('another account’s deliveries are as absent as those that never were', async () => {
  const server = await receiver(500);
  const one = await merchant(server.url);
  const other = await merchant(server.url);
  const { delivery_id } = await settled(one, 'pending', 1, await paidCharge(one));
  for (const id of [delivery_id, '01a1f8f4-91c0-7d55-a1b2-c3d4e5f60718', 'nothing']) {
    expect(await refusal(other.panel.delivery({ delivery_id: id }))).toMatchObject({ code: 'not_found' });
    expect(await refusal(other.panel.resend({ delivery_id: id }))).toMatchObject({ code: 'not_found' });
  }
  expect(await other.panel.deliveries({})).toEqual({ deliveries: [], next_cursor: null });
  expect(await other.panel.resendFailed({})).toEqual({ resent: 0, more: false });
  expect(await failingEndpoints(trilho.deps, other.accountId)).toEqual([]);
  expect(await other.panel.overview()).toMatchObject({ failed: 0, endpoints: [{ failing_since: null }, {}, {}] });
  // The planted failure: its own account finds it.
  expect(await one.panel.delivery({ delivery_id })).toMatchObject({ delivery_id });
});

test('a delivered event is sent again with the same id and bytes, one that waits is tried at once', async () => {
  const server = await receiver(200);
  const one = await merchant(server.url);
  const id = await paidCharge(one);
  const done = await settled(one, 'delivered', 1, id);
  expect(await one.panel.resend(done)).toEqual({ outcome: 'due' });
  await settled(one, 'delivered', 2, id);
  expect(server.calls[1]?.body).toBe(server.calls[0]?.body);
  expect(server.calls[1]?.headers['webhook-id']).toBe(server.calls[0]?.headers['webhook-id']);

  server.answer.status = 500;
  const late = await paidCharge(one);
  await settled(one, 'pending', 1, late);
  aheadMs += 10_000;
  const waiting = await settled(one, 'pending', 2, late);
  server.answer.status = 200;
  expect(await one.panel.resend(waiting)).toEqual({ outcome: 'due' });
  await settled(one, 'delivered', 3, late);
  expect(server.calls).toHaveLength(5);
});

test('an event that is being sent is not sent beside itself', async () => {
  const one = await merchant('https://shop.example/hook');
  const id = await paidCharge(one);
  const delivery = await trilho.until(
    'it waits',
    async () => (await one.panel.deliveries({ transaction_id: id })).deliveries[0],
  );
  const inHand = new Date(trilho.deps.clock().getTime() + 20_000);
  await trilho.deps.db.pool.query(`UPDATE deliveries SET status = 'pending', finished_at = NULL WHERE id = $1`, [
    delivery.delivery_id,
  ]);
  await trilho.deps.db.pool.query(
    `INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', $1, $2)
     ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = $2`,
    [delivery.delivery_id, inHand],
  );
  expect(await one.panel.resend(delivery)).toEqual({ outcome: 'under_way' });
  const { rows } = await trilho.deps.db.pool.query('SELECT due_at FROM tasks WHERE subject_id = $1', [
    delivery.delivery_id,
  ]);
  expect(rows).toEqual([{ due_at: inHand }]);
});

test('all that failed is sent again, as many as one call may, and only to the topic that is named', async () => {
  const server = await receiver(500);
  const one = await merchant(server.url);
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push(await paidCharge(one));
  for (const id of ids) await settled(one, 'pending', 1, id);
  await trilho.deps.db.pool.query(
    `WITH given_up AS (
        UPDATE deliveries d SET status = 'failed', finished_at = d.created_at FROM events e
        WHERE e.id = d.event_id AND e.account_id = $1 RETURNING d.id)
     DELETE FROM tasks USING given_up WHERE subject_id = given_up.id`,
    [one.accountId],
  );
  server.answer.status = 200;
  expect((await one.panel.overview()).failed).toBe(2);
  expect(await one.panel.resendFailed({ topic: 'usdt' })).toEqual({ resent: 0, more: false });
  const { accountId } = one;
  const wish = { accountId, topic: null, since: new Date(0), limit: 1, now: trilho.deps.clock() };
  expect(await resendFailed(trilho.deps.db.pool, wish)).toEqual({ resent: 1, more: true });
  await settled(one, 'delivered', 2, ids[0]);
  expect(await one.panel.resendFailed({ topic: 'deposit' })).toEqual({ resent: 1, more: false });
  await settled(one, 'delivered', 2, ids[1]);
});

test('a failing webhook says since when and how many events wait, until they arrive', async () => {
  const server = await receiver(500);
  const one = await merchant(server.url);
  expect(await failingEndpoints(trilho.deps, one.accountId)).toEqual([]);
  const first = await paidCharge(one);
  await settled(one, 'pending', 1, first);
  aheadMs += 10_000;
  await settled(one, 'pending', 2, first);
  const second = await paidCharge(one);
  await settled(one, 'pending', 1, second);
  const [failing, ...others] = await failingEndpoints(trilho.deps, one.accountId);
  expect(others).toEqual([]);
  const [delivery] = (await one.panel.deliveries({ transaction_id: first })).deliveries;
  const { tries } = await one.panel.delivery({ delivery_id: delivery?.delivery_id ?? '' });
  expect(failing).toMatchObject({ topic: 'deposit', url: server.url, waiting: 2, disabled: false });
  expect(failing?.failingSince.toISOString()).toBe(tries[0]?.started_at);

  server.answer.status = 200;
  aheadMs += 10_000;
  await settled(one, 'delivered', 2, second);
  expect(await one.panel.resendFailed({})).toEqual({ resent: 1, more: false });
  await settled(one, 'delivered', 3, first);
  expect(await failingEndpoints(trilho.deps, one.accountId)).toEqual([]);
});

test('a test event goes the way of all others, signed and in the same envelope, but once', async () => {
  const server = await receiver();
  aheadMs = 0;
  const one = await merchant(server.url);
  const { delivery_id } = await one.panel.sendTest({ topic: 'withdrawal' });
  const sent = await settled(one, 'delivered', 1);
  expect(sent).toMatchObject({ delivery_id, type: 'webhook.test', transaction_id: null, topic: 'withdrawal' });
  const { body, headers } = server.calls[0] as Call;
  expect(new Webhook(one.secretKey).verify(body, headers as Record<string, string>)).toEqual({
    id: sent.event_id,
    type: 'webhook.test',
    timestamp: sent.created_at,
    livemode: false,
    data: { topic: 'withdrawal', message: expect.any(String) },
  });
  server.answer.status = 500;
  await one.panel.sendTest({ topic: 'withdrawal' });
  expect(await settled(one, 'failed', 1)).toMatchObject({ next_try_at: null, last_attempt: { status_code: 500 } });
  expect(await failingEndpoints(trilho.deps, one.accountId)).toEqual([]);
  expect(await refusal((await merchant()).panel.sendTest({ topic: 'usdt' }))).toMatchObject({ code: 'not_now' });
  for (let n = 2; n < 20; n++) await one.panel.sendTest({ topic: 'withdrawal' });
  expect(await refusal(one.panel.sendTest({ topic: 'withdrawal' }))).toMatchObject({ code: 'too_many_attempts' });
});
