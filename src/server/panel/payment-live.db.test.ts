import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { STREAMS_PER_VISITOR_MAX } from '#services/transactions/payment-feed.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/** What a payment page gets over SSE, at the wire. */

let trilho: TestService;
let beside: TestService;
let apiKey: string;
beforeAll(async () => {
  const TRUSTED_PROXIES = '127.0.0.1';
  trilho = await startTestService({ variables: { TRUSTED_PROXIES } });
  const SANDBOX_URL = `${trilho.url}/sandbox`;
  beside = await startTestService({ beside: trilho, variables: { ROLE: 'web', SANDBOX_URL, TRUSTED_PROXIES } });
  ({ apiKey } = await trilho.openAccount());
});
afterAll(async () => {
  await beside.stop();
  await trilho.stop();
});

const open: AbortController[] = [];
afterEach(() => {
  for (const controller of open.splice(0)) controller.abort();
});

const inputOf = (transactionId: string) => encodeURIComponent(JSON.stringify({ transactionId }));

async function charge(): Promise<string> {
  return transactionIdOf(
    await trilho.post('/payments/transactions', apiKey, {
      amount: 10,
      description: 'Pedido 42',
      customerName: 'Ana Paula de Souza',
    }),
  );
}

/** The stream of one payment as a browser of this address reads it. */
async function follow(transactionId: string, { address = '198.51.100.1', at = trilho } = {}) {
  const controller = new AbortController();
  open.push(controller);
  const response = await fetch(`${at.url}/api/trpc/payment.follow?input=${inputOf(transactionId)}`, {
    headers: { 'x-forwarded-for': address },
    signal: controller.signal,
  });
  let text = '';
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  })();
  ended.catch(() => {});
  const events = () =>
    text
      .split('\n\n\n')
      .map((event) => ({ name: /^event: (.*)$/m.exec(event)?.[1], data: /^data: (.*)$/m.exec(event)?.[1] ?? '' }))
      .filter(({ name, data }) => name !== undefined || data !== '');
  const pages = () =>
    events()
      .filter(({ name }) => name === undefined)
      .map(({ data }) => JSON.parse(data) as PaymentPageData);
  return {
    type: response.headers.get('content-type'),
    ended,
    /** Without the pings, of which a slow machine sees some. */
    names: () =>
      events()
        .map(({ name }) => name ?? 'page')
        .filter((name) => name !== 'ping'),
    text: () => text,
    pages,
    says: (status: string) =>
      trilho.until(`the stream says ${status}`, async () => pages().find((page) => page.status === status) ?? null),
  };
}

test('a payment is reported as the page reads it, the moment that it is paid, and then the stream ends', async () => {
  const id = await charge();
  const stream = await follow(id);
  expect(stream.type).toBe('text/event-stream');
  const { server_time: _, ...sent } = await stream.says('pending');
  const { body } = await trilho.get(`/api/trpc/payment.get?input=${inputOf(id)}`);
  const { server_time: __, ...read } = (body as { result: { data: PaymentPageData } }).result.data;
  expect(sent).toEqual(read);
  await trilho.pay(id);
  await stream.says('paid');
  await stream.ended;
  expect(stream.names()).toEqual(['connected', 'page', 'page', 'return']);
  // Nothing of the customer or the account is sent.
  expect(stream.text()).not.toContain('Ana Paula');
  // A page that connects too late gets the final state at once.
  const late = await follow(id.toUpperCase());
  await late.ended;
  expect(late.names()).toEqual(['connected', 'page', 'return']);
});

test('what another process settles is reported, and nothing of another payment ever', async () => {
  const [mine, theirs] = [await charge(), await charge()];
  const stream = await follow(mine, { at: beside });
  const other = await follow(theirs, { at: beside });
  await stream.says('pending');
  await other.says('pending');
  await trilho.pay(theirs);
  await other.says('paid');
  await trilho.pay(mine);
  await stream.says('paid');
  for (const [id, { pages, text }] of [[mine, stream] as const, [theirs, other] as const]) {
    expect(new Set(pages().map(({ transaction_id }) => transaction_id))).toEqual(new Set([id]));
    expect(text()).not.toContain(id === mine ? theirs : mine);
  }
  expect(stream.pages().map(({ status }) => status)).toEqual(['pending', 'paid']);
});

test('an unknown charge and a malformed id have no stream', async () => {
  for (const [id, code] of [
    ['01a1fc74-0489-79b5-9c67-000000000000', 'NOT_FOUND'],
    ['nonsense', 'BAD_REQUEST'],
  ] as const) {
    const stream = await follow(id);
    await stream.ended;
    expect(stream.pages()).toEqual([]);
    expect(stream.text()).toContain(`"code":"${code}"`);
  }
});

test('the oldest stream of an address ends when it opens too many, and other addresses are left alone', async () => {
  const id = await charge();
  const elsewhere = await follow(id, { address: '198.51.100.2' });
  await elsewhere.says('pending');
  const streams = [];
  for (let n = 0; n <= STREAMS_PER_VISITOR_MAX; n++) {
    // A client with one address of a /64 has them all.
    const stream = await follow(id, { address: `2001:db8:1:2::${n.toString(16)}` });
    await stream.says('pending');
    streams.push(stream);
  }
  await streams[0]?.ended;
  expect(streams[0]?.names()).toEqual(['connected', 'page', 'serialized-error']);
  expect(streams[0]?.text()).toContain('"reason":"invalid_state"');
  await trilho.pay(id);
  for (const stream of [elsewhere, ...streams.slice(1)]) await stream.says('paid');
});
