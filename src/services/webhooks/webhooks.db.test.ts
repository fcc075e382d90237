import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '#domain/webhooks/webhook-signature.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

let aheadMs = 0;
/** The instant at which the clock stands; null: it goes. */
let standsAt: number | null = null;
const clock = () => new Date(standsAt ?? Date.now() + aheadMs);
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock });
});
afterEach(() => {
  if (standsAt !== null) aheadMs = standsAt - Date.now();
  standsAt = null;
});
afterAll(() => trilho.stop());

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

type Call = { path: string; headers: IncomingHttpHeaders; body: string };

/** A merchant's server with scripted responses; the last one repeats. */
async function merchantServer(...answers: { status: number; headers?: Record<string, string> }[]) {
  const calls: Call[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    calls.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() });
    const answer = answers[Math.min(calls.length, answers.length) - 1] ?? { status: 200 };
    res.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function rows<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  return (await trilho.deps.db.pool.query(sql, values)).rows as T[];
}

async function paidCharge(account: { apiKey: string }, body: object = {}) {
  const created = await trilho.post('/payments/transactions', account.apiKey, { amount: 37, ...body });
  const id = transactionIdOf(created);
  await trilho.pay(id);
  return id;
}

const deliveryOf = async (id: string) =>
  (
    await rows<{ id: string; status: string }>(
      'SELECT d.id, d.status FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.transaction_id = $1',
      id,
    )
  )[0];
/** When a charge's event is tried again after this attempt, which took so long. */
const nextAttempt = (id: string, attempt: number) =>
  trilho.until('the next attempt has its time', async () => {
    const [next] = await rows<{ at: Date; tookMs: number }>(
      `SELECT t.due_at AS at, a.duration_ms AS "tookMs"
       FROM tasks t JOIN attempts a ON a.delivery_id = t.subject_id JOIN deliveries d ON d.id = t.subject_id
         JOIN events e ON e.id = d.event_id
       WHERE e.transaction_id = $1 AND a.number = $2`,
      id,
      attempt,
    );
    return next;
  });
const attemptsOf = (deliveryId: string) =>
  rows<{ number: number; status_code: number | null; error: string | null }>(
    'SELECT number, status_code, error FROM attempts WHERE delivery_id = $1 ORDER BY number',
    deliveryId,
  );
const delivered = (id: string, status = 'delivered') =>
  trilho.until(`the delivery is ${status}`, async () => {
    const delivery = await deliveryOf(id);
    return delivery?.status === status ? delivery : null;
  });
const called = (server: { calls: Call[] }, times: number) =>
  trilho.until(`${times} calls`, async () => (server.calls.length >= times ? true : null));

test('a paid charge is reported with exactly the promised body, signed so that an independent verifier accepts it', async () => {
  const server = await merchantServer();
  const account = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 0, fixedCentavos: 50n } }] });
  const id = await paidCharge(account, { callbackUrl: `${server.url}/mine` });
  await delivered(id);
  const [call] = server.calls;
  if (!call) throw new Error('no call');
  expect(call.path).toBe('/mine');
  const event = new Webhook(account.secretKey).verify(call.body, call.headers as Record<string, string>);
  const status = (await trilho.get(`/payments/transactions/${id}/status?type=pix_in`, account.apiKey)).body.data as {
    external_id: string;
  };
  const pix = { txid: id.replaceAll('-', ''), end_to_end_id: status.external_id, description: null, payer: null };
  expect(event).toEqual({
    id: call.headers['webhook-id'],
    type: 'pix_in.paid',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    livemode: false,
    data: { ...status, net_amount: 36.5, split: null, previous_status: 'pending', ...pix },
  });
  // The verifier rejects a changed byte and another secret.
  const headers = call.headers as Record<string, string>;
  expect(() => new Webhook(account.secretKey).verify(`${call.body} `, headers)).toThrow();
  const other = await trilho.openAccount();
  expect(() => new Webhook(other.secretKey).verify(call.body, headers)).toThrow();
});

test('an event goes to the charge’s own URL, else to the account’s endpoint, and is held without either', async () => {
  const own = await merchantServer();
  const registered = await merchantServer();
  const account = await trilho.openAccount({ webhookUrl: `${registered.url}/registered` });
  await delivered(await paidCharge(account, { callbackUrl: own.url }));
  expect([own.calls.length, registered.calls.length]).toEqual([1, 0]);
  await delivered(await paidCharge(account));
  expect([own.calls.length, registered.calls.length]).toEqual([1, 1]);

  const silent = await paidCharge(await trilho.openAccount());
  await delivered(silent, 'held');
});

test('a failed delivery, a redirected one too, is tried ten times over three days with the same bytes and id, one row an attempt, then given up', async () => {
  const statuses = [301, 302, 307, 308, 404, 500];
  const server = await merchantServer(...statuses.map((status) => ({ status })));
  standsAt = clock().getTime();
  const id = await paidCharge(await trilho.openAccount(), { callbackUrl: server.url });
  const gaps: number[] = [];
  for (let attempt = 1; attempt < 10; attempt++) {
    await called(server, attempt);
    const due = await nextAttempt(id, attempt);
    gaps.push((due.at.getTime() - standsAt - due.tookMs) / 1000);
    standsAt = due.at.getTime();
  }
  const delivery = await delivered(id, 'failed');
  expect(await attemptsOf(delivery.id)).toHaveLength(10);
  expect(server.calls).toHaveLength(10);
  const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [index, seconds] of planned.entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(seconds);
    expect(gaps[index]).toBeLessThanOrEqual(seconds * 1.1);
  }
  expect(new Set(server.calls.map(({ body }) => body)).size).toBe(1);
  expect(new Set(server.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(server.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  expect(new Set(server.calls.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
});

test('a receiver that recovers gets its event, and nothing after it', async () => {
  const server = await merchantServer({ status: 503 }, { status: 204 });
  const id = await paidCharge(await trilho.openAccount(), { callbackUrl: server.url });
  await called(server, 1);
  await trilho.until('the attempt is recorded', async () => {
    const delivery = await deliveryOf(id);
    return delivery && (await attemptsOf(delivery.id)).length === 1 ? true : null;
  });
  aheadMs += 10_000;
  const delivery = await delivered(id);
  expect((await attemptsOf(delivery.id)).map(({ status_code }) => status_code)).toEqual([503, 204]);
  aheadMs += 600_000;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(server.calls).toHaveLength(2);
});

test('the next attempt of a delivery waits for as long as Retry-After of its receiver says', async () => {
  const server = await merchantServer({ status: 429, headers: { 'retry-after': '600' } });
  standsAt = clock().getTime();
  const id = await paidCharge(await trilho.openAccount(), { callbackUrl: server.url });
  const due = await nextAttempt(id, 1);
  expect(due.at.getTime() - standsAt - due.tookMs).toBe(600_000);
});

test('an answer of 410 disables the endpoint, and holds its event and those that follow', async () => {
  const server = await merchantServer({ status: 410 });
  const account = await trilho.openAccount({ webhookUrl: server.url });
  await delivered(await paidCharge(account), 'held');
  const disabled = await trilho.until('the endpoint is disabled', async () => {
    const found = await rows(
      `SELECT FROM endpoints WHERE account_id = $1 AND topic = 'deposit' AND disabled_at IS NOT NULL`,
      account.accountId,
    );
    return found.length === 1 ? true : null;
  });
  expect(disabled).toBe(true);
  await delivered(await paidCharge(account), 'held');
  expect(server.calls).toHaveLength(1);
});

test('a worker that dies between sending and recording delivers again, with the same id', async () => {
  const server = await merchantServer();
  const id = await paidCharge(await trilho.openAccount(), { callbackUrl: server.url });
  const delivery = await delivered(id);
  // What the database looks like when the process is killed right after the receiver's answer.
  await rows('DELETE FROM attempts WHERE delivery_id = $1', delivery.id);
  await rows(`UPDATE deliveries SET status = 'pending', finished_at = NULL WHERE id = $1`, delivery.id);
  await rows(
    `INSERT INTO tasks (kind, subject_id, due_at, attempts) VALUES ('deliver_webhook', $1, $2, 1)`,
    delivery.id,
    trilho.deps.clock(),
  );
  await called(server, 2);
  await delivered(id);
  expect(server.calls[0]?.headers['webhook-id']).toBe(server.calls[1]?.headers['webhook-id']);
  expect(server.calls[0]?.body).toBe(server.calls[1]?.body);
});

test('a receiver that hangs holds up no healthy one, nor another merchant behind the same origin', async () => {
  const hanging = createServer((req, res) => {
    if (req.url === '/answers') res.end();
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const dead = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const account = await trilho.openAccount();
  const other = await trilho.openAccount();
  // At once: one after the other they take longer, on a busy machine, than an attempt may hang. Not
  // more than run for one account: those that would wait may get 429 there.
  for (const from of [0, 30])
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => paidCharge(account, { callbackUrl: `${dead}/${from + n}` })),
    );
  const healthy = await merchantServer();
  const ids = [
    await paidCharge(account, { callbackUrl: healthy.url }),
    await paidCharge(other, { callbackUrl: `${dead}/answers` }),
  ];
  for (const id of ids) await delivered(id);
  // All the other attempts still hang.
  expect(
    await rows(`SELECT FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE starts_with(d.url, '${dead}') AND d.url <> '${dead}/answers'`),
  ).toEqual([]);
});

test('a webhook whose secret no master key opens is not sent, and the log says which key is missing', async () => {
  const server = await merchantServer({ status: 200 });
  const account = await trilho.openAccount({ webhookUrl: `${server.url}/hook` });
  const [{ sealed } = { sealed: '' }] = await rows<{ sealed: string }>(
    'SELECT webhook_secret AS sealed FROM accounts WHERE id = $1',
    account.accountId,
  );
  const setSecret = (value: string) =>
    rows('UPDATE accounts SET webhook_secret = $2 WHERE id = $1', account.accountId, value);
  await setSecret(sealed.replace(/^v1/, 'v9'));
  const id = await paidCharge(account);
  await trilho.until('the log says so', async () =>
    trilho.log.find((line) => line.includes('Sealed with master key v9, which is not in MASTER_KEYS.')),
  );
  expect([server.calls.length, (await deliveryOf(id))?.status]).toEqual([0, 'pending']);
  await setSecret(sealed);
  await rows(`UPDATE tasks SET due_at = now() WHERE kind = 'deliver_webhook'`);
  await trilho.until('the webhook', async () => server.calls[0]);
  const { headers = {}, body = '' } = server.calls[0] ?? {};
  const [messageId = '', timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  expect(headers['webhook-signature']).toBe(signWebhook(account.secretKey, messageId, timestamp, body));
});
