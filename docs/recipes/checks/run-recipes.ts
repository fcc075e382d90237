import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Payout, sendPayouts, settlePayouts } from '../payouts.ts';
import { openSellerAccount, type SellerAccount, sell, showSeller } from '../platform.ts';
import { compareSales, readDay, startOfDay } from '../reconciliation.ts';
import { checkout, type Order, orders, receiveWebhook } from '../web-shop.ts';

/**
 * The recipes of /docs, run one after the other with a service: a line of JSON a step, after a `@`.
 * Whoever runs it pays what is `charged`, in the order of its lines.
 */
const report = (step: string, values: object = {}) => console.log(`@${JSON.stringify({ step, ...values })}`);
const WAIT_MS = 20_000;

async function until<T>(what: string, look: () => T | null | false | Promise<T | null | false>): Promise<T> {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; ) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not in ${WAIT_MS / 1_000} s.`);
}

const chargeOf = (paymentUrl: string) => new URL(paymentUrl).pathname.split('/').at(-1) ?? '';

const received: { headers: Record<string, string>; body: string }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-')),
  ) as Record<string, string>;
  const message = { headers, body: Buffer.concat(chunks).toString() };
  const { status } = await receive(message);
  received.push(message);
  response.writeHead(status).end();
});
const receive = (message: { headers: Record<string, string>; body: string }) =>
  receiveWebhook(new Request('https://loja.example.com/webhooks', { method: 'POST', ...message }));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const order: Order = {
  id: '1042',
  total: 150.75,
  buyer: { name: 'Maria da Silva', cpf: '52998224725' },
  paidBy: null,
  attempt: 1,
};
orders.set(order.id, order);
const first = await checkout(order, webhookUrl);
report('double click', { same: first === (await checkout(order, webhookUrl)) });
report('charged', { transactionId: chargeOf(first) });
await until('the order is paid', () => order.paidBy !== null && received.length > 0);
const [paid] = received;
if (!paid) throw new Error('Nothing was received.');
const forged = await receive({ ...paid, body: paid.body.replace('150.75', '1.00') });
const again = await receive(paid);
report('webhooks', { again: again.status, forged: forged.status, first: order.paidBy === chargeOf(first) });

const second = await checkout({ ...order, attempt: 2 }, webhookUrl);
report('charged', { transactionId: chargeOf(second) });
await until('the second payment is given back', () => received.some(({ body }) => body.includes('pix_in.refunded')));
report('given back', { charges: new Set([first, second]).size });
server.close();

const kept: SellerAccount[] = [];
await openSellerAccount(
  { id: '7', name: 'Doceria Ângela Ltda.', email: 'doceria@example.com', cnpj: '12.ABC.345/01DE-35' },
  async (account) => void kept.push(account),
);
const [seller] = kept;
if (!seller) throw new Error('No account was kept.');
const sale = await sell({ id: 'venda-7', total: 99.99, sellerAccountId: seller.accountId });
report('charged', { transactionId: sale.chargeId });
const shown = await until('the seller is paid', async () => {
  const now = await showSeller(seller);
  return now.available > 0 && now;
});
report('split', { sellerGets: sale.sellerGets, ...shown });

const payout = (id: string, amount: number): Payout => ({
  ...{ id, amount, pixKey: 'fornecedor@example.com', pixKeyType: 'EMAIL', state: 'open', attempt: 1 },
});
// The sandbox rejects an amount with the cents 13. The last row is more than the balance.
const payouts = [payout('f-1', 20), payout('f-2', 10.13), payout('f-3', 5_000), payout('f-4', 1)];
await sendPayouts(payouts);
await until('the payouts have ended', async () => {
  await settlePayouts(payouts);
  return payouts.every(({ state }) => state !== 'sent');
});
report('payouts', { states: payouts.map(({ state, attempt, why = null }) => [state, attempt, why]) });

// The run before this one lost its answer; this one is rejected before the key is looked up.
const { fetch } = globalThis;
const lost: Payout = { ...payout('f-5', 1), state: 'unknown' };
const tooMany = { success: false, error: '…', message: '…', code: 'rate_limited' };
globalThis.fetch = async () => Response.json(tooMany, { status: 429, headers: { 'retry-after': '3600' } });
await sendPayouts([lost]);
globalThis.fetch = fetch;
report('still unknown', { state: lost.state, attempt: lost.attempt, why: lost.why });

const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date());
// Daylight saving time began at the midnight of the first of these days, and ended at that of the
// second.
const days = ['2018-11-04', '2019-02-17', '2018-12-01', '2026-11-20'];
report('days', { begin: days.map((each) => startOfDay(each).toISOString()) });
const sales = [
  { reference: '1042', centavos: 15_075 },
  { reference: 'venda-7', centavos: 9_999 },
  { reference: 'venda-8', centavos: 100 },
];
report('reconciliation', { differences: await compareSales(day, sales), day: await readDay(day) });
