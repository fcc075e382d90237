import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { API_ISSUE_CODES } from '#domain/errors/issues.ts';
import { API_ENDPOINTS_MAX } from '#domain/webhooks/api-endpoints.ts';
import { verifyWebhook } from '#domain/webhooks/webhook-signature.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';

/** Endpoints of webhooks that are managed over REST, beside those of the topics. */

const HOUR_MS = 3_600_000;
const PUBLIC_URL = 'https://93.184.215.14/hook';

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

type Receiver = Awaited<ReturnType<WebhookMerchants['receiver']>>;
type Endpoint = { endpoint_id: string; secret: string; enabled: boolean } & Record<string, unknown>;
type Delivery = {
  status: string;
  topic: string | null;
  endpoint_id: string | null;
  attempt_count: number;
  finished_at: string | null;
};
type Event = { event_id: string; type: string; transaction_id: string | null; deliveries: Delivery[] };

/** A merchant without a webhook, with a key that manages endpoints and does nothing else. */
async function merchant(webhookUrl: string | null = null) {
  const one = await setup.merchant(webhookUrl);
  const made = await createApiKey(setup.trilho.deps, {
    ...{ accountId: one.accountId, name: 'ERP', permissions: ['webhooks:write'] },
  });
  const key = made?.apiKey ?? '';
  const ask = (path: string, body: object = {}, headers = {}) =>
    setup.trilho.post(`/webhook-endpoints${path}`, key, body, headers);
  const panel = await panelCaller(setup.trilho.deps, one.accountId);
  return {
    ...one,
    key,
    failing: async () => (await panel.overview.get({ period: '7d' })).attention.webhooks,
    ask,
    create: async (body: object) => (await ask('', body)).body.data as Endpoint,
    list: async () => (await setup.trilho.get('/webhook-endpoints', key)).body.data as Endpoint[],
    events: async (query = '') =>
      (await setup.trilho.get(`/events?${query}`, one.apiKey)).body.data as unknown as Event[],
    replay: async (body: object) =>
      ((await setup.trilho.post('/events/replay/start', one.apiKey, body)).body.data as { sending: number }).sending,
  };
}
type One = Awaited<ReturnType<typeof merchant>>;

const instant = () => setup.trilho.deps.clock();
const typesAt = ({ calls }: Receiver) => calls.map(({ body }) => JSON.parse(body).type as string);
const idsAt = ({ calls }: Receiver) => calls.map(({ headers }) => headers['webhook-id']);

/** Waits until an event's delivery to an endpoint is so. */
const settledAt = (one: One, endpointId: string, transactionId: string, status: string) =>
  setup.trilho.until(`the delivery to ${endpointId} is ${status}`, async () => {
    const [event] = await one.events(`transaction_id=${transactionId}`);
    const found = event?.deliveries.find(({ endpoint_id: id }) => id === endpointId);
    return found?.status === status ? found : null;
  });

/** Waits until the first attempt is recorded; one under way would be repeated once time passes. */
const triedAt = (one: One, endpointId: string, transactionId: string) =>
  setup.trilho.until('the first attempt is recorded', async () => {
    const [event] = await one.events(`transaction_id=${transactionId}`);
    const found = event?.deliveries.find(({ endpoint_id: id }) => id === endpointId);
    return found?.attempt_count === 1 || null;
  });

test('an event goes to every endpoint that takes its type, beside its topic’s webhook or its own URL', async () => {
  const [topic, all, payments, refunds, off, own] = await Promise.all(
    Array.from({ length: 6 }, () => setup.receiver()),
  );
  if (!topic || !all || !payments || !refunds || !off || !own) throw new Error('There is no receiver.');
  const one = await merchant(topic.url);
  const ofAll = await one.create({ url: all.url });
  const ofPayments = await one.create({ url: payments.url, event_types: ['pix_in.paid', 'pix_in.paid'] });
  await one.create({ url: refunds.url, event_types: ['pix_in.refunded', 'pix_out.paid'] });
  await one.create({ url: off.url, enabled: false });
  const first = await setup.paidCharge(one);
  const second = await setup.paidCharge(one, { callbackUrl: own.url });
  for (const id of [first, second]) {
    await settledAt(one, ofAll.endpoint_id, id, 'delivered');
    await settledAt(one, ofPayments.endpoint_id, id, 'delivered');
  }
  await setup.called(own, 1);
  expect(typesAt(topic)).toEqual(['pix_in.paid']);
  for (const server of [all, payments]) expect(typesAt(server)).toEqual(['pix_in.paid', 'pix_in.paid']);
  expect([refunds.calls, off.calls]).toEqual([[], []]);
  expect(idsAt(all)[0]).toBe(idsAt(topic)[0]);
  expect(all.calls[0]?.body).toBe(topic.calls[0]?.body);
  const [event] = await one.events(`transaction_id=${first}`);
  expect(event?.deliveries).toMatchObject([
    { topic: 'deposit', endpoint_id: null, url: topic.url },
    { topic: null, endpoint_id: ofAll.endpoint_id, url: all.url, status: 'delivered', attempt_count: 1 },
    { topic: null, endpoint_id: ofPayments.endpoint_id, url: payments.url },
  ]);
  // Shown whole, it has the attempts of each.
  const { body } = await setup.trilho.get(`/events/${event?.event_id}`, one.apiKey);
  expect(
    (body.data as { deliveries: { attempts: unknown[] }[] }).deliveries.map(({ attempts }) => attempts.length),
  ).toEqual([1, 1, 1]);
  // Page by page, each delivery is in the panel's list once.
  const listed: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { deliveries: { delivery_id: string }[]; next_cursor: string | null } = await one.panel.deliveries({
      limit: 2,
      ...(cursor && { cursor }),
    });
    listed.push(...page.deliveries.map(({ delivery_id: id }) => id));
    cursor = page.next_cursor;
  }
  expect([listed.length, new Set(listed).size]).toEqual([6, 6]);
});

test('what an endpoint gets is signed with its own secret, which is shown when it is made and never again', async () => {
  const server = await setup.receiver();
  const one = await merchant();
  const headers = { 'idempotency-key': 'endpoint-1' };
  const made = await one.ask('', { url: server.url, description: 'ERP' }, headers);
  const { secret, ...endpoint } = made.body.data as Endpoint;
  expect([made.status, secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(endpoint).toEqual({
    endpoint_id: expect.any(String),
    ...{ url: server.url, description: 'ERP', event_types: null, enabled: true },
    ...{ disabled_reason: null, disabled_at: null, failing_since: null, last_delivered_at: null },
    ...{ secret_overlap_until: null, created_at: expect.any(String) },
  });
  // The same request again makes no other one, and shows no secret.
  const repeated = await one.ask('', { url: server.url, description: 'ERP' }, headers);
  expect([repeated.status, repeated.body.data]).toEqual([201, { ...endpoint, secret: null }]);
  expect(await one.list()).toEqual([endpoint]);
  const shown = await setup.trilho.get(`/webhook-endpoints/${endpoint.endpoint_id}`, one.key);
  expect(shown.body.data).toEqual(endpoint);

  await setup.paidCharge(one);
  await setup.called(server, 1);
  const [call] = server.calls;
  const isSigned = (by: string) =>
    verifyWebhook([by], (call?.headers ?? {}) as Record<string, string>, call?.body ?? '', instant());
  const account = await one.panel.revealSecret();
  expect([isSigned(secret), isSigned(account.secret)]).toEqual([true, false]);
  const { rows } = await setup.trilho.deps.db.pool.query('SELECT secret FROM endpoints WHERE id = $1', [
    endpoint.endpoint_id,
  ]);
  expect(rows).toEqual([{ secret: expect.stringMatching(/^v1\.[\w+/=-]+$/) }]);
  await setup.trilho.until('it is noted', async () => (await one.list())[0]?.last_delivered_at);
  const entries = (await setup.auditOf(one.accountId)).filter(({ action }) => action === 'webhook_endpoint.created');
  expect(entries).toMatchObject([{ details: { endpoint_id: endpoint.endpoint_id, key_id: expect.any(String) } }]);
});

test('an attempt to make an endpoint that died before it responded makes one, with a secret nobody has seen', async () => {
  const one = await merchant();
  const headers = { 'idempotency-key': 'endpoint-1' };
  // The endpoint is written, then its notice fails: as if the database had gone away in between.
  await setup.trilho.asOwner(
    `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`,
  );
  await setup.trilho.asOwner(
    'CREATE TRIGGER planted BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION fail_once()',
  );
  const { accountId, merchantId } = one;
  await addMember(setup.trilho.deps.db.pool, { id: accountId, merchantId, email: 'ana@example.com' });
  expect((await one.ask('', { url: PUBLIC_URL }, headers)).status).toBe(500);
  await setup.trilho.asOwner('DROP TRIGGER planted ON notices; DROP FUNCTION fail_once()');
  const again = await one.ask('', { url: PUBLIC_URL }, headers);
  expect([again.status, (again.body.data as Endpoint).secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(await one.list()).toHaveLength(1);
});

test('an attempt at an endpoint that died before it responded is done once, and answered as it was', async () => {
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: PUBLIC_URL });
  const ask = (act: string) => one.ask(`/${id}/${act}`, {}, { 'idempotency-key': act });
  // The process died between the commit and the record of its answer.
  const die = () =>
    setup.trilho.asOwner(
      `UPDATE idempotency_keys SET status = NULL, body = NULL, owner = 0 WHERE account_id = '${one.accountId}'`,
    );
  for (const act of ['test', 'rotate-secret', 'remove']) {
    const first = await ask(act);
    if (act === 'rotate-secret') {
      // An overlap that began before this request is another one's.
      const move = (by: string) =>
        `UPDATE endpoints SET previous_secret_until = previous_secret_until + '${by}' WHERE id = '${id}'`;
      await setup.trilho.asOwner(move('-1 minute'));
      await die();
      expect((await ask(act)).body.code).toBe('secret_overlap');
      await setup.trilho.asOwner(move('1 minute'));
    }
    await die();
    expect([act, await ask(act)]).toMatchObject([act, { status: 200, body: first.body }]);
  }
  expect(await one.events('type=webhook.test')).toHaveLength(1);
});

test('an account has ten endpoints at most, however many are asked for at once', async () => {
  const one = await merchant();
  const answers = await Promise.all(Array.from({ length: 13 }, () => one.ask('', { url: PUBLIC_URL })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409, 409]);
  expect(await one.list()).toHaveLength(API_ENDPOINTS_MAX);
  const [first] = await one.list();
  await one.ask(`/${first?.endpoint_id}/remove`);
  expect((await one.ask('', { url: PUBLIC_URL })).status).toBe(201);
});

test('a key without the permission is rejected, and a first key does not have it', async () => {
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: PUBLIC_URL });
  const { get, post } = setup.trilho;
  for (const answer of [
    await get('/webhook-endpoints', one.apiKey),
    await get(`/webhook-endpoints/${id}`, one.apiKey),
    await post('/webhook-endpoints', one.apiKey, { url: PUBLIC_URL }),
    await post(`/webhook-endpoints/${id}`, one.apiKey, { enabled: false }),
    await post(`/webhook-endpoints/${id}/remove`, one.apiKey, {}),
    await post(`/webhook-endpoints/${id}/rotate-secret`, one.apiKey, {}),
    await post(`/webhook-endpoints/${id}/test`, one.apiKey, {}),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied']);
  const operators = await createApiKey(setup.trilho.deps, { accountId: one.accountId, name: 'sem lista' });
  expect((await get('/webhook-endpoints', operators?.apiKey)).status).toBe(403);
  expect(await one.list()).toMatchObject([{ enabled: true, secret_overlap_until: null }]);
});

test.each([
  ['shop.example', 'url_incomplete'],
  ['ftp://shop.example', 'url_not_https'],
  ['https://me:you@shop.example', 'url_with_credentials'],
  ['https://shop.example:25', 'url_port'],
  ['https://10.0.0.1', 'url_inside_network'],
])('the URL %s is rejected by a code that the reference of the API has', async (url, code) => {
  const { status, body } = await (await merchant()).ask('', { url });
  expect([status, body.details]).toEqual([400, [{ field: 'url', code, message: expect.any(String) }]]);
  expect(API_ISSUE_CODES).toContain(code);
});

test('another account’s endpoint is answered like one that never was', async () => {
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: PUBLIC_URL });
  const other = await merchant();
  expect(await other.list()).toEqual([]);
  const absent = await setup.trilho.get('/webhook-endpoints/01a1f8fc-21d4-7f98-8ea6-90a1b2c3d4e6', other.key);
  expect([absent.status, absent.body.error]).toEqual([404, 'Endpoint não encontrado']);
  for (const named of [id, id.toUpperCase(), 'x', '%00']) {
    for (const answer of [
      await setup.trilho.get(`/webhook-endpoints/${named}`, other.key),
      await other.ask(`/${named}`, { enabled: false }),
      await other.ask(`/${named}/remove`),
      await other.ask(`/${named}/rotate-secret`),
      await other.ask(`/${named}/test`),
    ])
      expect([answer.status, answer.body], named).toEqual([404, absent.body]);
  }
  const named = { since: instant().toISOString(), endpoint_id: id };
  expect((await setup.trilho.post('/events/replay/start', other.apiKey, named)).body).toEqual(absent.body);
  // The planted failure: its own account finds it as it was.
  expect(await one.list()).toMatchObject([{ endpoint_id: id, enabled: true, secret_overlap_until: null }]);
});

test('what happens while an endpoint is disabled, or before there is one, is kept and can be sent to it later, once', async () => {
  const [early, late] = [await setup.receiver(), await setup.receiver()];
  const one = await merchant();
  const since = instant().toISOString();
  const { endpoint_id: id } = await one.create({ url: early.url });
  const seen = await setup.paidCharge(one);
  await settledAt(one, id, seen, 'delivered');
  early.answer.status = 500;
  const waiting = await setup.paidCharge(one);
  await triedAt(one, id, waiting);
  const disabled = await one.ask(`/${id}`, { enabled: false });
  expect(disabled.body.data).toMatchObject({ enabled: false, disabled_reason: 'merchant', url: early.url });
  // A worker may have it: it is held when its next attempt is due.
  setup.retryIsDue();
  await settledAt(one, id, waiting, 'held');
  const missed = await setup.paidCharge(one);
  // Disabled on purpose, it needs no attention.
  expect(await one.failing()).toEqual([]);
  expect((await one.events(`transaction_id=${missed}`))[0]?.deliveries).toMatchObject([
    { topic: 'deposit', status: 'held' },
  ]);
  expect(await one.replay({ since, endpoint_id: id })).toBe(0);
  const [held] = await one.events(`transaction_id=${waiting}`);
  for (const body of [{ endpoint_id: id }, {}]) {
    const resent = await setup.trilho.post(`/events/${held?.event_id}/resend`, one.apiKey, body);
    expect([resent.status, resent.body]).toMatchObject([409, { code: 'endpoint_disabled' }]);
  }

  early.answer.status = 200;
  await one.ask(`/${id}`, { enabled: true });
  const calls = early.calls.length;
  expect(await one.replay({ since, endpoint_id: id, status: ['held'] })).toBe(2);
  for (const charge of [waiting, missed]) await settledAt(one, id, charge, 'delivered');
  expect(early.calls.slice(calls).map(({ body }) => JSON.parse(body).data.transaction_id)).toEqual([waiting, missed]);
  expect(await one.replay({ since, endpoint_id: id, status: ['held'] })).toBe(0);

  // An endpoint that is made afterwards: one event, asked for twice at once, then all of the rest.
  const other = await one.create({ url: late.url, event_types: ['pix_in.paid'] });
  const [event] = await one.events(`transaction_id=${seen}`);
  const resend = () =>
    setup.trilho.post(`/events/${event?.event_id}/resend`, one.apiKey, { endpoint_id: other.endpoint_id });
  expect((await Promise.all([resend(), resend()])).map(({ status }) => status)).toEqual([200, 200]);
  await settledAt(one, other.endpoint_id, seen, 'delivered');
  expect(early.calls).toHaveLength(calls + 2);
  // The second one may come when the first is over: then it is sent again, by the same delivery.
  const [resent] = await one.events(`transaction_id=${seen}`);
  expect(resent?.deliveries.filter(({ endpoint_id: at }) => at === other.endpoint_id)).toHaveLength(1);
  expect(await one.replay({ since, endpoint_id: other.endpoint_id, status: ['held'] })).toBe(2);
  for (const charge of [waiting, missed]) await settledAt(one, other.endpoint_id, charge, 'delivered');
  expect(new Set(idsAt(late)).size).toBe(3);
});

test('a rotation signs with both secrets for a day, and one without overlap with the new one alone at once', async () => {
  const server = await setup.receiver();
  const one = await merchant();
  const first = await one.create({ url: server.url });
  const rotate = async (body = {}) => one.ask(`/${first.endpoint_id}/rotate-secret`, body);
  /** Whether each of the secrets signs the next event. */
  const signing = async (...secrets: string[]) => {
    const id = await setup.paidCharge(one);
    await settledAt(one, first.endpoint_id, id, 'delivered');
    const call = server.calls.at(-1);
    const headers = (call?.headers ?? {}) as Record<string, string>;
    const valid = secrets.map((secret) => verifyWebhook([secret], headers, call?.body ?? '', instant()));
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(valid.filter(Boolean).length);
    return valid;
  };
  const rotated = (await rotate()).body.data as Endpoint;
  const until = Date.parse(String(rotated.secret_overlap_until));
  expect(until - instant().getTime()).toBeGreaterThan(23 * HOUR_MS);
  expect(await signing(first.secret, rotated.secret)).toEqual([true, true]);
  expect((await rotate()).body).toMatchObject({ code: 'secret_overlap' });
  setup.timePasses(25 * HOUR_MS);
  expect(await signing(first.secret, rotated.secret)).toEqual([false, true]);
  expect((await one.list())[0]).toMatchObject({ secret_overlap_until: null });

  const third = (await rotate()).body.data as Endpoint;
  const fourth = (await rotate({ overlap: false })).body.data as Endpoint;
  expect(fourth).toMatchObject({ secret_overlap_until: null });
  expect(await signing(rotated.secret, third.secret, fourth.secret)).toEqual([false, false, true]);
  setup.backToNow();
});

test('a removed endpoint gets nothing more, and what waited for it or was held ends', async () => {
  const server = await setup.receiver();
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: server.url });
  const accepted = [await setup.paidCharge(one), await setup.paidCharge(one)];
  const before = await Promise.all(accepted.map((charge) => settledAt(one, id, charge, 'delivered')));
  server.answer.status = 500;
  const failing = await setup.paidCharge(one);
  await triedAt(one, id, failing);
  await one.ask(`/${id}`, { enabled: false });
  setup.retryIsDue();
  await settledAt(one, id, failing, 'held');
  await one.ask(`/${id}`, { enabled: true });
  const sendAgain = async (charge: string | undefined) => {
    const [event] = await one.events(`transaction_id=${charge}`);
    const calls = server.calls.length;
    await setup.trilho.post(`/events/${event?.event_id}/resend`, one.apiKey, { endpoint_id: id });
    await setup.called(server, calls + 1);
  };
  await sendAgain(accepted[0]);
  // So soon that at the removal it counts as being sent.
  server.answer.retryAfterMs = 0;
  await sendAgain(accepted[1]);
  const another = await setup.paidCharge(one);
  await setup.called(server, 6);
  expect((await one.ask(`/${id}/remove`)).body.data).toEqual({ endpoint_id: id });
  await settledAt(one, id, failing, 'failed');
  // What a worker may have been sending at that moment ends when its next attempt is due.
  setup.timePasses(10_000);
  await settledAt(one, id, another, 'failed');
  // What was accepted before it was sent again stays so.
  const keepsAccepted = async () => {
    for (const [at, charge] of accepted.entries()) {
      const { finished_at } = await settledAt(one, id, charge, 'delivered');
      expect(finished_at).toBe(before[at]?.finished_at);
    }
  };
  await keepsAccepted();
  const after = await setup.paidCharge(one);
  const [event] = await one.events(`transaction_id=${after}`);
  expect(event?.deliveries.map(({ endpoint_id: at }) => at)).toEqual([null]);
  expect(await one.list()).toEqual([]);
  expect((await one.ask(`/${id}/test`)).status).toBe(404);
  // There is no endpoint left that the event could be sent to again.
  const resent = await setup.trilho.post(`/events/${event?.event_id}/resend`, one.apiKey, {});
  expect(resent.body).toMatchObject({ code: 'webhook_disabled' });
  // What comes to be held after the removal ends too.
  const { pool } = setup.trilho.deps.db;
  const late = 'UPDATE deliveries SET status = $2, finished_at = NULL WHERE endpoint_id = $1 RETURNING id';
  expect((await pool.query(late, [id, 'held'])).rowCount).toBe(4);
  setup.timePasses(60_000);
  for (const charge of [failing, another]) await settledAt(one, id, charge, 'failed');
  await keepsAccepted();
  await setup.trilho.until('its task is over', async () => {
    const { rowCount } = await pool.query('SELECT FROM tasks WHERE subject_id = $1', [id]);
    return rowCount === 0 || null;
  });
  const { rows } = await setup.trilho.deps.db.pool.query(
    'SELECT secret, previous_secret, description, url FROM endpoints WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ secret: null, previous_secret: null, description: null, url: '' }]);
  setup.backToNow();
});

test('an endpoint that hangs delays no other one', async () => {
  const answers: (() => void)[] = [];
  const hanging = createServer((_req, res) => answers.push(() => res.end()));
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo;
  const server = await setup.receiver();
  const one = await merchant();
  const slow = await one.create({ url: `http://127.0.0.1:${port}/hook` });
  const quick = await one.create({ url: server.url });
  for (let n = 0; n < 3; n++) {
    const id = await setup.paidCharge(one);
    await settledAt(one, quick.endpoint_id, id, 'delivered');
    await settledAt(one, slow.endpoint_id, id, 'pending');
  }
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) answer();
  hanging.close();
  hanging.closeAllConnections();
});

test('an endpoint that answers 410 is disabled until it is enabled again, and says why', async () => {
  const server = await setup.receiver(410);
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: server.url });
  const charge = await setup.paidCharge(one);
  await settledAt(one, id, charge, 'held');
  const gone = await setup.trilho.until('it is disabled', async () =>
    (await one.list()).find(({ enabled }) => !enabled),
  );
  expect(gone).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(String) });
  expect(await one.failing()).toMatchObject([
    { endpoint_id: id, topic: null, host: new URL(server.url).host, disabled_reason: 'gone' },
  ]);
  const { body } = await one.ask(`/${id}`, { enabled: true });
  expect(body.data).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
});

test('a test event goes to the endpoint that it was asked for, whatever types it takes, in one attempt', async () => {
  const [server, others] = [await setup.receiver(), await setup.receiver()];
  const one = await merchant();
  await one.create({ url: others.url });
  const { endpoint_id: id } = await one.create({ url: server.url, event_types: ['pix_out.paid'] });
  const { body } = await one.ask(`/${id}/test`);
  await setup.called(server, 1);
  expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({
    ...{ id: (body.data as { event_id: string }).event_id, type: 'webhook.test' },
    data: { topic: null, endpoint_id: id },
  });
  expect(others.calls).toEqual([]);
});

test('a change keeps what is not sent with it, and clears what is sent as null', async () => {
  const one = await merchant();
  const { endpoint_id: id } = await one.create({ url: PUBLIC_URL, description: 'ERP', event_types: ['pix_in.paid'] });
  const change = async (body: object) => (await one.ask(`/${id}`, body)).body.data;
  const whole = { url: PUBLIC_URL, description: 'ERP', event_types: ['pix_in.paid'], enabled: true };
  expect(await change({})).toMatchObject(whole);
  expect(await change({ url: `${PUBLIC_URL}/2` })).toMatchObject({ ...whole, url: `${PUBLIC_URL}/2` });
  expect(await change({ event_types: null })).toMatchObject({ description: 'ERP', event_types: null });
  expect(await change({ description: null, enabled: false })).toMatchObject({ description: null, enabled: false });
});

test.each([
  [{}, 'url'],
  [{ url: 'https://10.0.0.1/hook' }, 'url'],
  [{ url: 'trilho:test-receiver' }, 'url'],
  [{ url: PUBLIC_URL, event_types: [] }, 'event_types'],
  [{ url: PUBLIC_URL, event_types: ['webhook.test'] }, 'event_types.0'],
  [{ url: PUBLIC_URL, event_types: 'pix_in.paid' }, 'event_types'],
  [{ url: PUBLIC_URL, enabled: 'yes' }, 'enabled'],
  [{ url: PUBLIC_URL, description: 'x'.repeat(201) }, 'description'],
])('an endpoint of %j is rejected by its %s', async (body, field) => {
  const one = await merchant();
  const answer = await one.ask('', body);
  expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid_input', details: [{ field }] }]);
  expect(await one.list()).toEqual([]);
});

test('an endpoint is changed and removed while a payment that goes there is being booked', async () => {
  const one = await merchant(PUBLIC_URL);
  const { endpoint_id: id } = await one.create({ url: PUBLIC_URL });
  const statuses: number[] = [];
  await askDuring(
    setup.trilho.deps.db.pool,
    async (session) => {
      // As the deliveries of the payment's event do.
      await session.query('SELECT FROM endpoints WHERE account_id = $1 FOR KEY SHARE', [one.accountId]);
      for (const act of ['', '/rotate-secret', '/remove']) statuses.push((await one.ask(`/${id}${act}`)).status);
      await one.panel.removeEndpoint({ topic: 'deposit' });
    },
    async () => {},
  );
  expect(statuses).toEqual([200, 200, 200]);
});
