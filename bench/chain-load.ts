import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { percentiles } from './percentiles.ts';

/**
 * The process that plays a merchant's system and its payers: it creates charges, pays them at the
 * simulator, and receives the webhooks. The first order opens the receiver and is answered with its
 * address; each further one is a load.
 */
export type ChainOrder = {
  url: string;
  sandboxUrl: string;
  controlToken: string;
  /**
   * The keys of the accounts, which take turns; each account has its webhooks sent to the path of
   * its number.
   */
  apiKeys: readonly string[];
  /** Whether the first account's receiver takes webhooks and never answers. */
  firstHangs: boolean;
  /** How many clients create a charge, pay it, and begin again. */
  clients: number;
  /** How many charges are begun in a second; null: as many as the clients manage. */
  perSecond: number | null;
  seconds: number;
};

export type ChainResult = {
  /** Per second, while the load ran. */
  created: number;
  paid: number;
  delivered: number;
  /** Paid charges whose webhook had not come: the most at once, and at the end of the load. */
  waitingMax: number;
  waitingAtEnd: number;
  /** How long after the load the last webhook came. */
  drainSeconds: number;
  /** Paid charges whose webhook had not come when the wait ended. */
  missing: number;
  /** From the payer's order until the webhook's first byte. */
  webhookP50Ms: number;
  webhookP99Ms: number;
  /** Of the request that creates a charge. */
  createP50Ms: number;
  createP99Ms: number;
  /** Answers that were no success, by status. */
  failures: Record<string, number>;
};

/** How long to wait for webhooks after the load. */
const DRAIN_MS_MAX = 60_000;
const DRAIN_POLL_MS = 20;

const paidAtMs = new Map<string, number>();
let webhookMs: number[] = [];
let delivered = 0;
let firstHangs = false;
/** Requests that are left without an answer. */
const hanging = new Set<ServerResponse>();

const receiver = createServer((req, res) => {
  if (firstHangs && req.url === '/0') return void hanging.add(res);
  const arrivedAtMs = performance.now();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    res.end();
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      type: string;
      data: { transaction_id: string };
    };
    if (type !== 'pix_in.paid') return;
    const paidAt = paidAtMs.get(data.transaction_id);
    if (paidAt === undefined) return;
    paidAtMs.delete(data.transaction_id);
    delivered++;
    webhookMs.push(arrivedAtMs - paidAt);
  });
});

process.on('disconnect', () => process.exit());
process.on('message', (order: ChainOrder | { open: true }) => {
  const answer = 'open' in order ? open() : run(order);
  answer.then(
    (value) => process.send?.(value),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function open(): Promise<string> {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}

async function run(order: ChainOrder): Promise<ChainResult> {
  const { url, sandboxUrl, controlToken, apiKeys, clients, perSecond, seconds } = order;
  firstHangs = order.firstHangs;
  for (const res of hanging) res.destroy();
  hanging.clear();
  const agent = new Agent({ connections: clients });
  const createMs: number[] = [];
  const failures: Record<string, number> = {};
  let created = 0;
  let paid = 0;
  let waitingMax = 0;
  paidAtMs.clear();
  webhookMs = [];
  delivered = 0;

  const post = async (to: string, headers: Record<string, string>, body: object) => {
    const answer = await request(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      dispatcher: agent,
    });
    const text = await answer.body.text();
    if (answer.statusCode === 200) return text;
    failures[answer.statusCode] = (failures[answer.statusCode] ?? 0) + 1;
    return null;
  };

  const chain = async (number: number) => {
    const account = number % apiKeys.length;
    const startedMs = performance.now();
    const answer = await post(`${url}/payments/transactions`, { 'x-api-key': apiKeys[account] ?? '' }, { amount: 10 });
    createMs.push(performance.now() - startedMs);
    if (!answer) return;
    created++;
    const { data } = JSON.parse(answer) as { data: { transaction_id: string } };
    // The webhook of the account whose receiver hangs is not waited for.
    if (!firstHangs || account > 0) paidAtMs.set(data.transaction_id, performance.now());
    waitingMax = Math.max(waitingMax, paidAtMs.size);
    const authorization = `Bearer ${controlToken}`;
    if (await post(`${sandboxUrl}/control/pay`, { authorization }, { txid: uuidToTxid(data.transaction_id) })) paid++;
    else paidAtMs.delete(data.transaction_id);
  };

  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let begun = 0;
  const client = async () => {
    while (performance.now() < endMs) {
      const number = begun++;
      if (perSecond !== null) {
        const dueMs = startMs + (number / perSecond) * 1000;
        if (dueMs >= endMs) return;
        await sleep(Math.max(0, dueMs - performance.now()));
      }
      await chain(number);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const tookSeconds = (performance.now() - startMs) / 1000;
  const rates = { created: created / tookSeconds, paid: paid / tookSeconds, delivered: delivered / tookSeconds };
  const waitingAtEnd = paidAtMs.size;
  const loadEndMs = performance.now();
  while (paidAtMs.size > 0 && performance.now() - loadEndMs < DRAIN_MS_MAX) await sleep(DRAIN_POLL_MS);
  await agent.close();
  const ofWebhooks = percentiles(webhookMs);
  const ofCreations = percentiles(createMs);
  return {
    ...rates,
    waitingMax,
    waitingAtEnd,
    drainSeconds: (performance.now() - loadEndMs) / 1000,
    missing: paidAtMs.size,
    webhookP50Ms: ofWebhooks(0.5),
    webhookP99Ms: ofWebhooks(0.99),
    createP50Ms: ofCreations(0.5),
    createP99Ms: ofCreations(0.99),
    failures,
  };
}
