import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookMerchants, type WebhookMerchants } from '../../testing/webhook-merchants.ts';

/** Events over REST: listed, read and sent with an API key, as a member does it in the panel. */

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

type Attempt = { number: number; status_code: number | null; error: string | null; answer?: string | null };
type Event = {
  event_id: string;
  type: string;
  transaction_id: string | null;
  created_at: string;
  body?: string;
  deliveries: {
    status: string;
    topic: string | null;
    url: string | null;
    attempt_count: number;
    last_attempt: Attempt | null;
    next_attempt_at: string | null;
    attempts?: Attempt[];
  }[];
};
type Page = { data: Event[]; next_cursor: string | null };
type Keyed = { apiKey: string };

const list = async ({ apiKey }: Keyed, query = '') =>
  (await setup.trilho.get(`/events${query && `?${query}`}`, apiKey)).body as unknown as Page;
const look = (by: Keyed, id: string) => setup.trilho.get(`/events/${id}`, by.apiKey);
const resend = (by: Keyed, id: string, headers = {}) =>
  setup.trilho.post(`/events/${id}/resend`, by.apiKey, {}, headers);
const sendHeld = (by: Keyed, topic: string) => setup.trilho.post('/events/held/send', by.apiKey, { topic });
const eventOf = async (by: Keyed, transactionId: string) => {
  const [event] = (await list(by, `transaction_id=${transactionId}`)).data;
  if (!event) throw new Error('There is no event.');
  return event;
};
const statuses = (page: Page) => page.data.map(({ deliveries }) => deliveries[0]?.status);

/** A receiver that responds when the test releases it. */
async function slowReceiver() {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let calls = 0;
  const server = createServer(async (_req, res) => {
    calls++;
    await answered;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, answer, calls: () => calls, close: () => server.close() };
}

test('a page is full although newer events are not reported: those of charges that the provider did not take', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const paid = [await setup.paidCharge(one), await setup.paidCharge(one)];
  await setup.trilho.setSwitch('pix.charge', 'refused');
  for (let charge = 0; charge < 3; charge++) {
    expect((await setup.trilho.post('/payments/transactions', one.apiKey, { amount: 37 })).status).toBe(400);
  }
  await setup.trilho.setSwitch('pix.charge', 'ok');
  const first = await list(one, 'limit=1');
  expect(first.data.map(({ transaction_id: id }) => id)).toEqual([paid[1]]);
  const second = await list(one, `limit=1&cursor=${first.next_cursor}`);
  expect(second.data.map(({ transaction_id: id }) => id)).toEqual([paid[0]]);
  expect(second.next_cursor).toBeNull();
});

test('events are listed newest first, page by page, with the URL and the status of each', async () => {
  const server = await setup.receiver();
  const broken = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const delivered = await setup.paidCharge(one);
  await setup.settled(one, 'delivered', 1, delivered);
  const begin = setup.trilho.deps.clock();
  const failing = await setup.paidCharge(one, { callbackUrl: broken.url });
  await setup.settled(one, 'pending', 1, failing);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  const held = await setup.paidCharge(one);
  await setup.settled(one, 'held', 0, held);
  await one.panel.sendTest({ topic: 'usdt' });
  await setup.settled(one, 'delivered', 1);

  const all = await list(one);
  expect(all.next_cursor).toBeNull();
  expect(all.data).toMatchObject([
    { type: 'webhook.test', transaction_id: null, deliveries: [{ status: 'delivered', topic: 'usdt' }] },
    {
      type: 'pix_in.paid',
      transaction_id: held,
      deliveries: [{ status: 'held', topic: 'deposit', url: null, attempt_count: 0, last_attempt: null }],
    },
    {
      transaction_id: failing,
      deliveries: [
        {
          status: 'pending',
          topic: null,
          url: broken.url,
          attempt_count: 1,
          last_attempt: { number: 1, status_code: 500, error: null },
          next_attempt_at: expect.any(String),
          finished_at: null,
        },
      ],
    },
    {
      event_id: server.calls[0]?.headers['webhook-id'],
      transaction_id: delivered,
      created_at: JSON.parse(server.calls[0]?.body ?? '').timestamp,
      deliveries: [{ status: 'delivered', url: server.url, last_attempt: { status_code: 200 } }],
    },
  ]);

  const pages: Event[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list(one, `limit=3${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(3);
    pages.push(...page.data);
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(all.data);

  expect(statuses(await list(one, 'status=held'))).toEqual(['held']);
  expect(statuses(await list(one, 'status=pending,delivered'))).toEqual(['delivered', 'pending', 'delivered']);
  expect((await list(one, 'type=webhook.test,pix_out.paid')).data).toEqual([all.data[0]]);
  expect((await list(one, `transaction_id=${failing}`)).data).toEqual([all.data[2]]);
  expect((await list(one, 'transaction_id=nothing')).data).toEqual([]);
  expect((await list(one, `since=${begin.toISOString()}`)).data).toEqual(all.data.slice(0, 3));
  expect((await list(one, `since=${all.data[1]?.created_at}&status=held`)).data).toEqual([all.data[1]]);
  expect((await list(one, 'since=2999-01-01')).data).toEqual([]);
});

test.each([
  ['status=lost', 'status', 'Envie um ou mais de: pending, delivered, failed, held.'],
  ['type=pix_in', 'type', expect.stringMatching(/^Envie um ou mais de: pix_in\.paid, /)],
  ['since=yesterday', 'since', 'Deve ser uma data ISO 8601, ex.: 2026-11-20T00:00:00Z.'],
  ['limit=101', 'limit', 'Deve ser um número inteiro de 1 a 100.'],
  ['cursor=01a1f8f4-91c0-7d55-a1b2-c3d4e5f60718', 'cursor', 'Deve ser o next_cursor da página anterior.'],
  ['cursor=evt_%00', 'cursor', 'Deve ser o next_cursor da página anterior.'],
])('a list of events by %s is rejected: %s', async (query, field, message) => {
  const { apiKey } = await setup.merchant();
  const answer = await setup.trilho.get(`/events?${query}`, apiKey);
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: 'Dados inválidos', details: [{ field, message, code: expect.stringMatching(/^not_/) }] },
  ]);
});

test('a filter that matches little reads a bounded part of a long history, and its cursor leads on', async () => {
  const one = await setup.merchant('https://loja.example.com/webhooks');
  const { pool } = setup.trilho.deps.db;
  // The oldest failed; all that came after it was delivered.
  await pool.query(
    `WITH made AS (
        INSERT INTO events (id, account_id, type, body, created_at)
        SELECT uuidv7(make_interval(secs => -n)), $1, 'pix_in.paid', '{}', now() - make_interval(secs => n)
        FROM generate_series(1, 5003) n RETURNING id, created_at)
      INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at, finished_at)
      SELECT gen_random_uuid(), made.id, n.id, n.url,
        CASE row_number() OVER (ORDER BY made.id) WHEN 1 THEN 'failed' ELSE 'delivered' END::delivery_status,
        made.created_at, made.created_at
      FROM made, endpoints n WHERE n.account_id = $1 AND n.topic = 'deposit'`,
    [one.accountId],
  );
  const first = await list(one, 'status=failed');
  expect(first).toMatchObject({ data: [], next_cursor: expect.any(String) });
  const second = await list(one, `status=failed&cursor=${first.next_cursor}`);
  expect([statuses(second), second.next_cursor]).toEqual([['failed'], null]);
  expect((await list(one, 'status=delivered&limit=100')).data).toHaveLength(100);
});

test('an event is shown with the exact bytes that its receiver got, and with every attempt and its answer', async () => {
  const server = await setup.receiver(500, '<b>out of order</b>');
  const one = await setup.merchant(server.url);
  const id = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, id);
  setup.retryIsDue();
  await setup.settled(one, 'pending', 2, id);
  const { event_id: eventId, deliveries } = await eventOf(one, id);
  const { status, body } = await look(one, eventId);
  expect(status).toBe(200);
  const attempt = { started_at: expect.any(String), duration_ms: expect.any(Number), status_code: 500, error: null };
  const answer = '<b>out of order</b>';
  expect(body.data).toEqual({
    event_id: server.calls[0]?.headers['webhook-id'],
    type: 'pix_in.paid',
    transaction_id: id,
    created_at: expect.any(String),
    body: server.calls[1]?.body,
    deliveries: [
      {
        ...deliveries[0],
        attempts: [
          { number: 1, ...attempt, answer },
          { number: 2, ...attempt, answer },
        ],
      },
    ],
  });
});

// ASVS 14.2.6
test('an event says what its charge is for and, masked, who pays; its row has none of it in the clear', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const customer = { customerName: 'Maria da Silva', customerDocument: '52998224725', customerDocumentType: 'cpf' };
  const id = await setup.paidCharge(one, { ...customer, description: 'Pedido 1042' });
  await setup.called(server, 1);
  const { data } = JSON.parse(server.calls[0]?.body ?? '');
  expect(data).toMatchObject({
    ...{ type: 'pix_in', txid: id.replaceAll('-', ''), end_to_end_id: data.external_id, description: 'Pedido 1042' },
    payer: { name: 'Maria d. S.', document: '***.982.247-**', document_type: 'cpf' },
  });
  const { rows } = await setup.trilho.deps.db.pool.query('SELECT body FROM events WHERE transaction_id = $1', [id]);
  expect(rows).toEqual([{ body: expect.stringMatching(/^v1\.[\w+/=-]+$/) }]);

  await setup.paidCharge(one);
  await setup.called(server, 2);
  expect(JSON.parse(server.calls[1]?.body ?? '').data).toMatchObject({ description: null, payer: null });
});

test('a held event waits for its webhook, is sent once however often it is asked for, and again when it was received', async () => {
  const one = await setup.merchant();
  const id = await setup.paidCharge(one);
  await setup.settled(one, 'held', 0, id);
  const { event_id: eventId } = await eventOf(one, id);
  const rejected = { success: false, error: 'Webhook desativado' };
  expect(await resend(one, eventId)).toMatchObject({ status: 409, body: rejected });
  expect(await sendHeld(one, 'deposit')).toMatchObject({ status: 409, body: rejected });

  const server = await slowReceiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: server.url });
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await resend(one, eventId));
  await setup.trilho.until('it arrives', async () => (server.calls() > 0 ? true : null));
  answers.push(await resend(one, eventId));
  for (const { status, body } of answers) {
    expect([status, body]).toMatchObject([
      200,
      {
        message: 'Evento a caminho',
        data: { event_id: eventId, transaction_id: id, deliveries: [{ status: 'pending', url: server.url }] },
      },
    ]);
  }
  server.answer();
  await setup.settled(one, 'delivered', 1, id);
  expect(server.calls()).toBe(1);

  // Under one Idempotency-Key it is asked for once, whatever its outcome.
  const headers = { 'idempotency-key': `again-${eventId}` };
  const again = await resend(one, eventId, headers);
  await setup.settled(one, 'delivered', 2, id);
  const repeated = await resend(one, eventId, headers);
  expect(repeated.body).toEqual(again.body);
  expect((await eventOf(one, id)).deliveries).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
  expect(server.calls()).toBe(2);
  server.close();
});

test('all that a topic holds is sent with one call, and the audit names the key', async () => {
  const one = await setup.merchant();
  const ids = [await setup.paidCharge(one), await setup.paidCharge(one), await setup.paidCharge(one)];
  for (const id of ids) await setup.settled(one, 'held', 0, id);
  const server = await setup.receiver();
  await one.panel.setEndpoint({ topic: 'deposit', url: server.url });
  const answer = await sendHeld(one, 'deposit');
  expect([answer.status, answer.body.data]).toEqual([200, { topic: 'deposit', sending: 3 }]);
  for (const id of ids) await setup.settled(one, 'delivered', 1, id);
  // They are claimed in their order and sent side by side: they may overtake each other.
  expect(server.calls.map(({ body }) => JSON.parse(body).data.transaction_id).toSorted()).toEqual(ids.toSorted());
  expect((await sendHeld(one, 'deposit')).body.data).toEqual({ topic: 'deposit', sending: 0 });
  expect(server.calls).toHaveLength(3);
  expect(await sendHeld(one, 'pix')).toMatchObject({
    status: 400,
    body: { details: [{ field: 'topic', message: 'Deve ser deposit, withdrawal ou usdt.' }] },
  });
  const entries = (await setup.auditOf(one.accountId)).filter(({ action }) => action === 'webhooks.held_sent');
  expect(entries).toMatchObject([{ details: { topic: 'deposit', count: 3, key_id: expect.any(String) } }]);
});

test('another account’s events are answered like events that never were, everywhere', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant();
  const id = await setup.paidCharge(one, { callbackUrl: server.url });
  await setup.settled(one, 'pending', 1, id);
  const { event_id: eventId } = await eventOf(one, id);
  const { event_id: heldId } = await eventOf(one, await heldCharge(one));
  const other = await setup.merchant(server.url);
  for (const ask of [look, resend]) {
    const absent = await ask(other, 'evt_01a1f8f491c07d55a1b2c3d4e5f60718');
    expect(absent).toMatchObject({ status: 404, body: { error: 'Evento não encontrado' } });
    for (const named of [eventId, heldId, 'evt_', 'evt_%00', eventId.slice('evt_'.length), id]) {
      const { status, body } = await ask(other, named);
      expect([status, body], named).toEqual([404, absent.body]);
    }
  }
  for (const query of ['', `transaction_id=${id}`, 'status=held', `cursor=${'evt_'.padEnd(36, 'f')}`])
    expect(await list(other, query)).toMatchObject({ data: [], next_cursor: null });
  expect((await sendHeld(other, 'deposit')).body.data).toEqual({ topic: 'deposit', sending: 0 });
  expect(server.calls).toHaveLength(1);
  // The planted failure: its own account finds them.
  expect([(await look(one, eventId)).status, (await look(one, heldId)).status]).toEqual([200, 200]);
});

async function heldCharge(one: Parameters<WebhookMerchants['settled']>[0] & Keyed): Promise<string> {
  const id = await setup.paidCharge(one);
  await setup.settled(one, 'held', 0, id);
  return id;
}
