import { lookup as lookupOf, Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { toStorableText } from '#domain/values/storable-text.ts';
import { addressAllowed, type UrlPolicy } from '#domain/webhooks/callback-url.ts';

/**
 * The time for a whole delivery, from connecting to the last byte read; a slow drip of bytes does
 * not extend it.
 */
export const WEBHOOK_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Merchants' servers are many and seldom called, so idle connections are not kept for long. */
const KEEP_ALIVE_MS = 10_000;
/** Receivers answer with a word or nothing; what exceeds this is not read. */
const ANSWER_BYTES_MAX = 16_384;
/** How much of an answer is stored for the merchant to read. */
const ANSWER_CHARS_KEPT = 1_000;
/**
 * When a URL is given, its name is resolved once to reject private addresses early; a slow resolver
 * must not slow down charges.
 */
const NAME_CHECK_TIMEOUT_MS = 1_000;
const NAME_CACHE_MS = 60_000;
const NAMES_CACHED_MAX = 10_000;

export type WebhookAnswer = {
  /** `null` when no answer came. */
  statusCode: number | null;
  /** Why no answer came; `null` when one came. */
  error: 'blocked_address' | 'timeout' | 'tls' | 'connection' | null;
  answer: string | null;
  retryAfterMs: number | null;
  durationMs: number;
};

export type WebhookSender = {
  /**
   * Sends one HTTP POST to a merchant's URL. Never throws, never follows a redirect, never connects
   * to a rejected address.
   */
  send(webhook: {
    url: string;
    headers: Record<string, string>;
    body: string;
    /**
     * `own`: an address that this installation made for itself, which may be in a private network.
     */
    policy: UrlPolicy | 'own';
  }): Promise<WebhookAnswer>;
  close(): Promise<void>;
};

/**
 * Returns whether a URL's name resolves to addresses that may be called; true also where it can't
 * be resolved, because the connection checks again.
 */
export type UrlChecker = (url: URL, policy: UrlPolicy) => Promise<boolean>;

class BlockedAddress extends Error {}

/** What tests replace: the resolver of names, and the time a receiver gets. */
export type WebhookSenderOptions = { lookup?: typeof lookupOf; timeoutMs?: number };

export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const { lookup = lookupOf, timeoutMs = WEBHOOK_TIMEOUT_MS } = options;
  const agents = {
    strict: guardedAgent({ allowHttpAndLoopback: false }, lookup),
    demo: guardedAgent({ allowHttpAndLoopback: true }, lookup),
    own: new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1 }),
  };
  const agentFor = (policy: UrlPolicy | 'own') =>
    policy === 'own' ? agents.own : policy.allowHttpAndLoopback ? agents.demo : agents.strict;
  return {
    async send({ url, headers, body, policy }) {
      const started = performance.now();
      const answer = await post(agentFor(policy), url, headers, body, timeoutMs);
      return { ...answer, durationMs: Math.round(performance.now() - started) };
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.close()));
    },
  };
}

/**
 * An agent that checks the address that it really connects to. A guard in `lookup` alone is not
 * enough, because literal addresses never reach it; neither is a check before the connection,
 * because the name may resolve differently the second time.
 */
function guardedAgent(policy: UrlPolicy, lookupName: typeof lookupOf): Agent {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: (hostname, options, done) =>
      lookupName(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, '', 0);
        if (addresses.some(({ address }) => !addressAllowed(address, policy))) return done(new BlockedAddress(), '', 0);
        const [first] = addresses;
        if (options.all) return (done as unknown as (e: null, all: typeof addresses) => void)(null, addresses);
        return done(null, first?.address ?? '', first?.family ?? 0);
      }),
  });
  return new Agent({
    connect(options, done) {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && !addressAllowed(host, policy)) return done(new BlockedAddress(), null);
      connect(options, done);
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
  });
}

async function post(agent: Agent, url: string, headers: Record<string, string>, body: string, timeoutMs: number) {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal });
    return {
      statusCode: response.statusCode,
      error: null,
      // The status is the answer; a body that breaks off or drips does not change it.
      answer: await readAnswer(response.body).catch(() => null),
      retryAfterMs: retryAfterMs(response.headers),
    };
  } catch (error) {
    return { statusCode: null, error: reasonOf(error), answer: null, retryAfterMs: null };
  }
}

async function readAnswer(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  body.destroy();
  return toStorableText(Buffer.concat(chunks).toString('utf8'), ANSWER_CHARS_KEPT);
}

/**
 * Retry-After (RFC 9110 10.2.3), in seconds or as a date. Of a date it is how much later it is than
 * the answer's own: the receiver's clock may be wrong.
 */
function retryAfterMs(headers: Record<string, string | string[] | undefined>): number | null {
  const { 'retry-after': asked, date } = headers;
  if (typeof asked !== 'string') return null;
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000;
  const laterMs =
    typeof date === 'string' && asked.endsWith(' GMT') ? Date.parse(asked) - Date.parse(date) : Number.NaN;
  return Number.isNaN(laterMs) ? null : Math.max(0, laterMs);
}

function reasonOf(error: unknown): 'blocked_address' | 'timeout' | 'tls' | 'connection' {
  if (error instanceof BlockedAddress) return 'blocked_address';
  const { name = '', code = '', message = '' } = error as { name?: string; code?: string; message?: string };
  if (name === 'TimeoutError' || /TIMEOUT/.test(code)) return 'timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)|certificate/i.test(`${code} ${message}`)) return 'tls';
  return 'connection';
}

/**
 * Checks URLs by a resolver of its own (not the thread pool that file access shares), and caches
 * the addresses for a minute.
 */
export function createUrlChecker(clock: () => Date): UrlChecker {
  const resolver = new Resolver({ timeout: NAME_CHECK_TIMEOUT_MS, tries: 1 });
  const cache = new Map<string, { addresses: string[]; until: number }>();
  const resolve = (
    resolveName: (name: string, done: (error: Error | null, found: string[]) => void) => void,
    name: string,
  ) => new Promise<string[]>((done) => resolveName.call(resolver, name, (error, found) => done(error ? [] : found)));
  return async (url, policy) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) return addressAllowed(host, policy);
    const now = clock().getTime();
    let found = cache.get(host);
    if (!found || found.until < now) {
      const [v4, v6] = await Promise.all([resolve(resolver.resolve4, host), resolve(resolver.resolve6, host)]);
      found = { addresses: [...v4, ...v6], until: now + NAME_CACHE_MS };
      if (cache.size >= NAMES_CACHED_MAX) cache.clear();
      cache.set(host, found);
    }
    return found.addresses.every((address) => addressAllowed(address, policy));
  };
}
