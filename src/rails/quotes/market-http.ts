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
/** One for each asset that can be asked for at once. */
const MAX_CONNECTIONS = 10;

export type MarketOptions = {
  /** Where the market's API begins; it may have a path. */
  baseUrl: string;
  clock: () => Date;
  /** For the whole of one `prices` call. */
  timeoutMs?: number;
};

/** A market over HTTP, with connections to close. */
export type Market = PriceSource & { close(): Promise<void> };

/** Starts the clock of one `prices` call, and gives what sends its requests. Never rejects. */
type Asking = () => (path: string) => Promise<HttpResult>;

/**
 * GET requests to one public market. `path` starts behind the base URL; redirects are not followed.
 */
export function createMarketHttp(options: MarketOptions): { asking: Asking; close(): Promise<void> } {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_ANSWER_BYTES,
    // Each exchange has a timer over the whole of it, which a slow drip of bytes cannot put off as
    // it can these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
  });
  // The guards in front of public APIs turn away callers without a name.
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
 * A price as text, to the last digit. A number is rejected: JSON has made a double of it, and its
 * digits are lost.
 */
export const priceText = z.string().transform(parseUnits).pipe(z.bigint().positive());

/**
 * What an answer says: `rejected` for the market's own "no" as JSON, `unknown` for what can pass
 * and what is none of its answers.
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
 * Asks for each asset by itself, side by side, where `done` with null says that the market has no
 * such pair. Gives what could be had; the first failure only where nothing was.
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

/** Time-outs, too many requests (Binance bans an address that continues, with 418). */
const CAN_PASS = new Set([408, 418, 429]);
