import { Pool } from 'undici';
import { z } from 'zod';
import { parseUnits } from '#domain/quotes/crypto-units.ts';
import type { Asset } from '#domain/quotes/currencies.ts';
import { type HttpResult, sendRequest } from '../pix/send-request.ts';
import type { MarketPrice, Outcome, PriceSource } from '../ports.ts';

/** A request waits for the quote; markets respond within a few hundred milliseconds. */
const DEFAULT_TIMEOUT_MS = 4_000;
/** A ticker is below 1 KiB on the wire. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** One for each asset that can be requested at once. */
const MAX_CONNECTIONS = 10;

export type MarketOptions = {
  /** The address of the market's API; it may have a path. */
  baseUrl: string;
  clock: () => Date;
  /** For all requests of one `prices` call. */
  timeoutMs?: number;
};

/** A market over HTTP, with connections to close. */
export type Market = PriceSource & { close(): Promise<void> };

/**
 * Starts the time-out of one `prices` call, and returns the function that sends its requests, which
 * never rejects.
 */
type Asking = () => (path: string) => Promise<HttpResult>;

/**
 * Sends GET requests to one public market. `path` follows the base URL; redirects are not followed.
 */
export function createMarketHttp(options: MarketOptions): { asking: Asking; close(): Promise<void> } {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_ANSWER_BYTES,
    // Each call has a timer of its own, which a slow drip of bytes does not extend as it does
    // these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
  });
  // Firewalls of public APIs reject callers without a name.
  const headers = { accept: 'application/json', 'user-agent': 'trilho' };
  return {
    asking: () => {
      const deadline = performance.now() + timeoutMs;
      return (path) => sendRequest(pool, { method: 'GET', path: prefix + path, headers }, deadline);
    },
    close: () => pool.close(),
  };
}

/**
 * A price as text, to the last digit, in 10^-8 BRL. A number is rejected: JSON has made a double of
 * it, and its digits are lost.
 */
export const priceText = z.string().transform(parseUnits).pipe(z.bigint().positive());

/**
 * Reads an answer: `rejected` for the market's own rejection as JSON, `unknown` for what may be
 * temporary, and for what is none of its answers.
 */
export function readAnswer<T>(answer: HttpResult, schema: z.ZodType<T>): Outcome<T> {
  if (answer.kind === 'silent') return { outcome: 'unknown', reason: answer.reason };
  const { status, json } = answer;
  if (status !== 200) {
    const isRejection = json !== undefined && status >= 400 && status < 500 && !CAN_PASS.has(status);
    return { outcome: isRejection ? 'rejected' : 'unknown', reason: `HTTP ${status}` };
  }
  const read = schema.safeParse(json);
  if (read.success) return { outcome: 'done', value: read.data };
  const where = read.error.issues[0]?.path.join('.') || 'the body';
  return { outcome: 'unknown', reason: `not the market's answer (${where})` };
}

/**
 * Requests each asset by itself, all at once; `done` with `null` means that the market has no such
 * pair. Returns the prices that came; the first failure only where there are none.
 */
export async function askEach(
  assets: readonly Asset[],
  ask: (asset: Asset) => Promise<Outcome<MarketPrice | null>>,
): Promise<Outcome<Map<Asset, MarketPrice>>> {
  const answers = await Promise.all(assets.map(async (asset) => ({ asset, answer: await ask(asset) })));
  const prices = new Map<Asset, MarketPrice>();
  for (const { asset, answer } of answers) {
    if (answer.outcome === 'done' && answer.value !== null) prices.set(asset, answer.value);
  }
  const failure = answers.map(({ answer }) => answer).find((answer) => answer.outcome !== 'done');
  return failure !== undefined && prices.size === 0 ? failure : { outcome: 'done', value: prices };
}

/**
 * Temporary: time-outs, and too many requests (Binance bans an address that continues, with 418).
 */
const CAN_PASS = new Set([408, 418, 429]);
