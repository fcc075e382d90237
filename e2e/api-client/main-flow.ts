import createClient from 'openapi-fetch';
import type { components, paths } from './generated.d.ts';

/**
 * A merchant's program that knows nothing but the OpenAPI document: it charges, waits until the
 * charge is paid, reads it in every place, withdraws, and refunds a part. Usage: main-flow.ts
 * BASE_URL API_KEY. Prints one line of JSON per step. The caller has to pay the charge.
 */
const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { 'x-api-key': apiKey },
  querySerializer: { array: { style: 'form', explode: false } },
});
const WAIT_MS = 20_000;

const charge = await client.POST('/payments/transactions', {
  body: { amount: 131072.01, customerName: 'Maria da Silva', description: 'Pedido 1042' },
  params: { header: { 'Idempotency-Key': 'pedido-1042' } },
});
const { transaction_id: transactionId, amount, payment_data } = value(charge).data;
print('charged', { transactionId, amount, code: payment_data.qr_code });

const paid = await until(async () => {
  const query = { type: 'pix_in' } as const;
  const path = { transactionId };
  const { data } = value(
    await client.GET('/payments/transactions/{transactionId}/status', { params: { path, query } }),
  );
  return data.paid_at === null ? null : data;
});
print('paid', { status: paid.status, amount: paid.amount, fees: paid.amount_fees });

const balance = value(await client.GET('/payments/balance')).data;
print('balance', { available: balance.available_balance });

const withdrawal = value(
  await client.POST('/payments/transfers/pix', { body: { amount: 50, pixKey: '11987654321', pixKeyType: 'PHONE' } }),
).data;
print('withdrawn', {
  transactionId: withdrawal.transaction_id,
  total: withdrawal.amount_total,
  key: withdrawal.pix_key,
});

const list = value(
  await client.GET('/payments/transactions', { params: { query: { type: ['pix_in', 'pix_out'], limit: 10 } } }),
);
print('listed', {
  amounts: Object.fromEntries(list.data.map((transaction) => [transaction.type, transaction.amount])),
  more: list.next_cursor !== null,
});

const params = { path: { transactionId } };
const refund = value(
  await client.POST('/payments/transactions/{transactionId}/refund', { params, body: { amount: 1072.01 } }),
);
print('refunded', { amount: refund.data.amount, status: refund.data.status });

const detail = await until(async () => {
  const { data } = value(await client.GET('/payments/transactions/{transactionId}', { params }));
  return data.refunds.some(({ status }) => status === 'pending') ? null : data;
});
print('read', {
  amount: detail.amount,
  refunded: detail.refunded_amount,
  history: detail.history.map(({ event }) => event),
});

const events = value(
  await client.GET('/events', { params: { query: { transaction_id: transactionId, type: ['pix_in.paid'] } } }),
);
const eventId = events.data[0]?.event_id ?? '';
const { data: event } = value(await client.GET('/events/{eventId}', { params: { path: { eventId } } }));
// The body as the webhook delivers it.
const body: components['schemas']['WebhookEvent'] = JSON.parse(event.body);
print('event', { type: body.type, ...(body.type === 'pix_in.paid' && { amount: body.data.amount }) });

const refused = await client.POST('/payments/transfers/pix', { body: { amount: 1e6, pixKey: '1', pixKeyType: 'CPF' } });
print('refused', { status: refused.response.status, error: refused.error?.error, code: refused.error?.code });

/** Returns the body of a success. Throws for an error, which ends the program. */
function value<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; ) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It did not happen in ${WAIT_MS / 1000} s.`);
}

function print(step: string, values: object): void {
  console.log(JSON.stringify({ step, ...values }));
}
