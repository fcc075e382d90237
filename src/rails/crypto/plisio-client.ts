import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { type BreakerOptions, createBreaker, NOT_SENT } from '../breaker.ts';
import { recordProviderCall } from '../call-trace.ts';
import { type HttpResult, sendRequest } from '../pix/send-request.ts';
import type { Outcome } from '../ports.ts';

/** A connection takes milliseconds; one that takes longer than this fails. */
const CONNECT_TIMEOUT_MS = 3_000;
/** The longest attempt, unless the options set another time. */
const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/** The longest call of the port, with all attempts, pauses and pages. */
const OVERALL_BUDGET_MS = 15_000;
/**
 * The pauses before the second and the third attempt; there is no fourth. Each is jittered by half
 * of itself.
 */
const RETRY_PAUSES_MS = [100, 400] as const;
/**
 * A page of 50 operations with their payments takes about 100 KiB, an invoice with its QR code 20
 * KiB.
 */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** With a processor that needs 500 ms a call this carries 64 calls a second. */
const MAX_CONNECTIONS = 32;
const KEEP_ALIVE_MS = 20_000;
/** A reason is one line in a log. */
const MAX_REASON_CHARACTERS = 300;
/** 4xx statuses that say something about the moment, not about the request. */
const PASSING_STATUSES = [408, 425, 429];

export type PlisioClientOptions = BreakerOptions & {
  /** The API's address, e.g. `https://api.plisio.net/api/v1`. */
  baseUrl: string;
  apiKey: string;
  callTimeoutMs?: number;
};

/**
 * `path` follows the base URL. Plisio's API has GET only, also for what is not safe to repeat.
 * `awaited`: a client of ours waits for it, so it is not sent while Plisio is away (createBreaker).
 */
type PlisioCall = { path: string; params: Record<string, string>; deadline: number; awaited?: true };

/**
 * Like Outcome, with `missing` for an id that Plisio does not know. `done` holds the answer's
 * `data`.
 */
type PlisioReply = Outcome<unknown> | { outcome: 'missing'; reason: string };

type PlisioClient = {
  /**
   * Repeats the call while its failure may be temporary. Never rejects. `repeated`: an earlier
   * attempt ended without a reliable answer, and may have been carried out; `isSent`: there was an
   * attempt.
   */
  ask(call: PlisioCall): Promise<PlisioReply & { repeated: boolean; isSent: boolean }>;
  /** Makes a single attempt, whatever its outcome. Never rejects. */
  askOnce(call: PlisioCall): Promise<PlisioReply>;
  /** Waits for the calls in flight. */
  close(): Promise<void>;
};

/**
 * Returns when a call that starts now must have ended, as an instant of `performance.now()` in
 * milliseconds.
 */
export const overallDeadline = (): number => performance.now() + OVERALL_BUDGET_MS;

/**
 * HTTP towards Plisio. The API key is in the query of every call, so no path and no URL may leave
 * this module: reasons are made of status codes, error codes and Plisio's own words without
 * everything secret or personal.
 */
export function createPlisioClient(options: PlisioClientOptions): PlisioClient {
  const { apiKey, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS } = options;
  const { origin, host, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    // Each call has a timer of its own, which a slow drip of bytes does not extend as it does
    // these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });

  async function attempt({ path, params, deadline }: PlisioCall): Promise<HttpResult> {
    const query = new URLSearchParams({ ...params, api_key: apiKey });
    const startedAt = performance.now();
    const answer = await sendRequest(
      pool,
      { method: 'GET', path: `${prefix}${path}?${query}`, headers: { accept: 'application/json' } },
      Math.min(deadline, startedAt + callTimeoutMs),
    );
    recordProviderCall({
      method: 'GET',
      target: host + prefix + path,
      status: answer.kind === 'answered' ? answer.status : null,
      durationMs: performance.now() - startedAt,
      request: params,
      response: answer.kind === 'answered' ? answer.json : undefined,
      secrets: [apiKey],
    });
    return answer;
  }

  const breaker = createBreaker(options);

  const settled = (reply: HttpResult, call: PlisioCall) => {
    breaker.note(!mayRepeat(reply));
    return settle(reply, (text) => conceal(text, [apiKey, call.params.to, call.params.callback_url]));
  };

  return {
    async ask(call) {
      if (call.awaited && !breaker.mayCall())
        return { outcome: 'unknown', reason: NOT_SENT, repeated: false, isSent: false };
      for (let attempts = 1; ; attempts += 1) {
        const reply = await attempt(call);
        const pauseMs = RETRY_PAUSES_MS[attempts - 1];
        const jitteredMs = (pauseMs ?? 0) * (0.5 + Math.random());
        const isLast = pauseMs === undefined || performance.now() + jitteredMs >= call.deadline;
        if (isLast || !mayRepeat(reply)) return { ...settled(reply, call), repeated: attempts > 1, isSent: true };
        await sleep(jitteredMs);
      }
    },
    askOnce: async (call) => settled(await attempt(call), call),
    close: () => pool.close(),
  };
}

function mayRepeat(reply: HttpResult): boolean {
  if (reply.kind === 'silent') return reply.mayRepeat;
  return reply.status >= 500 || PASSING_STATUSES.includes(reply.status);
}

const success = z.object({ status: z.literal('success'), data: z.unknown() });
const words = z.union([z.string(), z.number()]).nullish().catch(null);
const failure = z.object({ status: z.literal('error'), data: z.object({ name: words, message: words, code: words }) });

/** Only the API itself rejects: a 4xx without its error body may come from anything in between. */
function settle(reply: HttpResult, withoutSecrets: (text: string) => string): PlisioReply {
  if (reply.kind === 'silent') return { outcome: 'unknown', reason: reply.reason };
  const { status, json } = reply;
  if (status >= 200 && status < 300) {
    const parsed = success.safeParse(json);
    if (parsed.success) return { outcome: 'done', value: parsed.data.data };
  }
  const parsed = failure.safeParse(json);
  if (!parsed.success) return { outcome: 'unknown', reason: `HTTP ${status} without a Plisio answer` };
  const { name, message, code } = parsed.data.data;
  const said = [name, message, code].filter((word) => word !== null && word !== undefined).join(', ');
  const reason = `HTTP ${status} ${withoutSecrets(said).replace(/\s+/g, ' ')}`.slice(0, MAX_REASON_CHARACTERS);
  if (status === 404) return { outcome: 'missing', reason };
  const final = status >= 400 && status < 500 && !PASSING_STATUSES.includes(status);
  return { outcome: final ? 'rejected' : 'unknown', reason };
}

/**
 * Plisio quotes what it rejects: wallets in any case, URLs in any encoding. Everything as long as a
 * key or a wallet is hidden.
 */
function conceal(text: string, secrets: (string | undefined)[]): string {
  return secrets
    .filter((secret) => secret !== undefined && secret !== '')
    .flatMap((secret) => [`${secret}`, encodeURIComponent(`${secret}`)])
    .map((secret) => new RegExp(secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi'))
    .concat(/https?(:|%3A)[^\s"']*/gi, /[0-9A-Za-z_-]{25,}/g)
    .reduce((line, secret) => line.replace(secret, '***'), text);
}
