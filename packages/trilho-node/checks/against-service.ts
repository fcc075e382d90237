import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnswerInfo, ApiError, ConnectionError, OutcomeUnknownError, Trilho, verifyWebhook } from 'trilho-node';
import { report, untilPaid } from './readme-harness.ts';

/**
 * Uses the library with a running service, where answers get lost on the way. Usage:
 * against-service.ts BASE_URL API_KEY WEBHOOK_SECRET. Prints a report for each step; the program
 * that runs it pays the charges.
 */
const [baseUrl = '', apiKey = '', secret = ''] = process.argv.slice(2);

/** How many of the next answers are dropped after the service has sent them. */
let toLose = 0;
const infos: AnswerInfo[] = [];
const trilho = new Trilho({
  baseUrl,
  apiKey,
  onAnswer: (info) => infos.push(info),
  fetch: async (...request) => {
    const response = await fetch(...request);
    if (toLose === 0) return response;
    toLose--;
    await response.text();
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('lost'), { code: 'ECONNRESET' }) });
  },
});

toLose = 1;
const charge = await trilho.charges.create({ amount: 131072.01 });
const { attempts, isReplayed } = last();
const all = await count();
report('lost once', { attempts, isReplayed, charges: all, amount: charge.amount });
const read = await trilho.charges.get(charge.transaction_id);
const [listed] = (await trilho.transactions.list({ limit: 1 }).first()).items;
report('exact', { read: read.amount, listed: listed?.amount });
await untilPaid(trilho, charge);

const before = await available();
toLose = 1;
const unknown = await failure(
  trilho.withdrawals.pix({ amount: 50, pixKey: '11987654321', pixKeyType: 'PHONE' }, { maxRetries: 0 }),
);
if (!(unknown instanceof OutcomeUnknownError)) throw unknown;
const { idempotencyKey } = unknown;
const withdrawn = await trilho.withdrawals.pix(
  { amount: 50, pixKey: '11987654321', pixKeyType: 'PHONE' },
  { idempotencyKey },
);
const moved = Math.round((before - (await available())) * 100) / 100;
report('unknown, then known', { isReplayed: infos.at(-2)?.isReplayed, total: withdrawn.amount_total, moved });

const reused = await failure(trilho.charges.create({ amount: 1 }, { idempotencyKey }));
report('other request', pick(reused));
report(
  'too much',
  pick(await failure(trilho.withdrawals.crypto({ amount: 900_000, wallet: 'x', currency: 'USDT_BSC' }))),
);
report('missing', pick(await failure(trilho.events.get('evt_none'))));
report('wrong key', pick(await failure(new Trilho({ baseUrl, apiKey: 'tr_test_wrong' }).balance.get())));
const nowhere = new Trilho({ baseUrl: await closedAddress(), apiKey, maxRetries: 0 });
report('nowhere', { notSent: (await failure(nowhere.charges.create({ amount: 1 }))) instanceof ConnectionError });
const misspelt = { amount: 10, callbackURL: 'https://example.com' };
await trilho.charges.create(misspelt);
report('misspelt', { suggestions: last().warnings.map(({ suggestion }) => suggestion) });

const pages: number[] = [];
for await (const { items } of trilho.transactions.list({ limit: 2 }).pages()) pages.push(items.length);
report('pages', { pages });
const cancelled = await trilho.charges.create({ amount: 10 });
report('cancelled', { status: (await trilho.charges.cancel(cancelled.transaction_id)).status });

const deposit = await trilho.deposits.crypto({ amount: 100, currency: 'USDT_TRX' });
const found = await trilho.deposits.get(deposit.transaction_id);
report('deposit', { currency: found.currency, type: found.type });
const refund = await trilho.charges.refund(charge.transaction_id, { amount: 0.01 });
const quote = await trilho.quote.get({ currency: 'USDT_TRX', amount: 10.5 });
const days = { from: '2026-01-01', to: '2026-01-31' };
report('rest', {
  refunded: refund.amount,
  quoted: quote.amount_brl,
  mode: (await trilho.accounts.get()).mode,
  limits: Object.keys((await trilho.limits.get()).limits).length > 0,
  currencies: (await trilho.currencies.list()).some(({ currency }) => currency === 'USDT_TRX'),
  payees: await trilho.payees.list(),
  disputes: (await trilho.disputes.list({ limit: 1 }).first()).items,
  entries: (await trilho.statement.list(days).first()).items,
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const event = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
  response.writeHead(204).end();
  if (event.type !== 'pix_in.paid') return;
  report('webhook', { type: event.type, amount: event.data.amount });
  const [own] = (await trilho.events.list({ transaction_id: event.data.transaction_id }).first()).items;
  report('event', { same: own?.event_id === event.id });
  server.close();
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const callbackUrl = `http://127.0.0.1:${port}/`;
  await untilPaid(trilho, await trilho.charges.create({ amount: 37.5, callbackUrl }));
});

/** Returns an address at which a server was a moment ago, and nothing answers now. */
async function closedAddress(): Promise<string> {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function last(): AnswerInfo {
  const info = infos.at(-1);
  if (!info) throw new Error('Nothing was answered yet.');
  return info;
}

async function count(): Promise<number> {
  let found = 0;
  for await (const _ of trilho.transactions.list()) found++;
  return found;
}

async function available(): Promise<number> {
  return (await trilho.balance.get()).available_balance;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

function pick(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
  return { name: error.name, status: error.status, code: error.code, hasRequestId: error.requestId !== null };
}
