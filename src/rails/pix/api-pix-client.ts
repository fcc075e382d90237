import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { conceal } from '#domain/encryption/conceal.ts';
import { type BreakerOptions, createBreaker, NOT_SENT } from '../breaker.ts';
import { recordProviderCall } from '../call-trace.ts';
import { createAccessTokens, type TokenReply } from './access-tokens.ts';
import type { PspDialect } from './profiles/psp-profile.ts';
import { dialectOf } from './profiles/psp-profiles.ts';
import { type HttpResult, sendRequest } from './send-request.ts';
import { type ClientTls, tlsOptions } from './tls-options.ts';

/** A connection takes milliseconds; one that takes longer than this fails. */
const CONNECT_TIMEOUT_MS = 3_000;
/** The longest attempt, token included, unless the options set another time. */
const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/**
 * The longest call, with all attempts and pauses: a request for a charge waits no longer than this.
 */
const OVERALL_BUDGET_MS = 15_000;
/**
 * The pauses before the second and the third attempt; there is no fourth. Each is jittered by half
 * of itself.
 */
const RETRY_PAUSES_MS = [100, 400] as const;
/**
 * A charge is about 2 KiB on the wire. A page of 100 payments that went back in parts has some
 * hundreds of KiB, and a page that is never read stops its sweep and the comparison of its day.
 */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** With a PSP that needs 100 ms a call this carries 1,280 calls a second. */
const MAX_CONNECTIONS = 128;
/**
 * TLS handshakes with certificates on both sides are expensive; a PSP's own keep-alive hint goes
 * before this.
 */
const KEEP_ALIVE_MS = 20_000;

export type ApiPixClientOptions = BreakerOptions & {
  /**
   * The address of API Pix; it may have a path. Its query is added to every call: some PSPs want a
   * key of the application there, or a header beside it (`headerParameters`).
   */
  baseUrl: string;
  /** Derived from the host of `baseUrl` where it is not given. */
  dialect?: PspDialect;
  clientId: string;
  clientSecret: string;
  /**
   * PEM, or a PKCS #12 file in base64. The PSP issues certificate and key; `ca` only when its own
   * certificate is not publicly trusted.
   */
  tls?: ClientTls;
  clock: () => Date;
  callTimeoutMs?: number;
};

/**
 * A call that is safe to repeat, unless it is marked `once`: then it is sent a second time only
 * after a 401, which means that nothing was done. `path` follows the base URL. `awaited`: a client
 * of ours waits for it, so it is not sent while the PSP is away (createBreaker).
 */
export type ApiPixCall = {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  path: string;
  body?: string;
  once?: true;
  awaited?: true;
};

/**
 * `denied`: the PSP accepts neither our credentials nor the token it gave for them, so it did
 * nothing.
 */
export type Reply = HttpResult | { kind: 'denied'; reason: string };

export type ApiPixClient = {
  /**
   * Repeats the call while its failure may be temporary, until `deadline`, an instant of
   * `performance.now()` in milliseconds. Never rejects. `repeated`: an earlier attempt ended
   * without a reliable answer, and may have been carried out.
   */
  send(call: ApiPixCall, deadline: number): Promise<{ reply: Reply; repeated: boolean }>;
  /** How the PSP differs from the standard. */
  readonly dialect: PspDialect;
  /** Secrets that a PSP may quote and that must not be in a log. */
  readonly secrets: readonly string[];
  /** Waits for the calls in flight. */
  close(): Promise<void>;
};

/**
 * Returns when a call that starts now must have ended, as an instant of `performance.now()` in
 * milliseconds.
 */
export const overallDeadline = (): number => performance.now() + OVERALL_BUDGET_MS;

/**
 * HTTP, mutual TLS, OAuth2 and retries towards one PSP; it does not read the bodies. `scopes` are
 * those of the token, separated by spaces.
 */
export function createApiPixClient(options: ApiPixClientOptions, scopes: string): ApiPixClient {
  const { origin, host, pathname, searchParams } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const dialect = options.dialect ?? dialectOf(options.baseUrl);
  const isHeader = ([name]: [string, string]) => dialect.headerParameters?.includes(name) === true;
  const addressHeaders = Object.fromEntries([...searchParams].filter(isHeader));
  const query = new URLSearchParams([...searchParams].filter((parameter) => !isHeader(parameter)));
  const callTimeoutMs = options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
  const tokenUrl = new URL(dialect.tokenUrl ?? `${origin}${prefix}/oauth/token`);
  const poolOptions = {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    // Each call has a timer of its own, which a slow drip of bytes does not extend as it does
    // these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...tlsOptions(options.tls) },
  };
  const pool = new Pool(origin, poolOptions);
  const tokenPool = tokenUrl.origin === origin ? pool : new Pool(tokenUrl.origin, poolOptions);
  // Not form-encoded first, as RFC 6749 section 2.3.1 has it: PSPs document plain HTTP Basic.
  const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
  const secrets = [credentials, options.clientSecret, ...searchParams.values()];
  const { clientIn = 'header', namesScopes = true } = dialect;
  const isInBody = clientIn !== 'header';
  const tokenRequest = {
    method: 'POST',
    path: tokenUrl.pathname + tokenUrl.search,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isInBody ? {} : { authorization: `Basic ${credentials}` }),
    },
    body: new URLSearchParams({
      ...(isInBody && { client_id: options.clientId }),
      ...(clientIn === 'body' && { client_secret: options.clientSecret }),
      grant_type: 'client_credentials',
      ...(namesScopes && { scope: scopes }),
    }).toString(),
  } as const;
  const tokens = createAccessTokens(
    () => sendRequest(tokenPool, tokenRequest, performance.now() + callTimeoutMs),
    options.clock,
  );

  const breaker = createBreaker(options);

  async function authorised(call: ApiPixCall, deadline: number): Promise<Reply> {
    const cached = tokens.current();
    const reply: TokenReply =
      cached === null ? await within(tokens.renew(), deadline) : { kind: 'token', token: cached };
    if (reply.kind !== 'token') return { ...reply, reason: conceal(reply.reason, secrets) };
    const headers: Record<string, string> = {
      ...addressHeaders,
      ...{ accept: 'application/json', authorization: `Bearer ${reply.token}` },
    };
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    for (const { path: routes, name, value } of dialect.headers ?? []) {
      if (routes.test(call.path)) headers[name] = typeof value === 'string' ? value : value(options.clientId);
    }
    const path = versioned(prefix, call.path, dialect) + call.path;
    const startedAt = performance.now();
    const body = call.body === undefined ? {} : { body: call.body };
    const request = { method: call.method, path: withQuery(path, query), headers, ...body };
    const answer = await sendRequest(pool, request, deadline);
    recordProviderCall({
      method: call.method,
      target: host + path.split('?', 1)[0],
      status: answer.kind === 'answered' ? answer.status : null,
      durationMs: performance.now() - startedAt,
      request: call.body ?? null,
      response: answer.kind === 'answered' ? answer.json : undefined,
      secrets,
    });
    if (isUnauthorised(answer)) tokens.drop(reply.token);
    return answer;
  }

  async function attempt(call: ApiPixCall, deadline: number): Promise<Reply> {
    const first = await authorised(call, deadline);
    if (!isUnauthorised(first)) return first;
    // The PSP may have revoked the token before its time.
    const second = await authorised(call, deadline);
    return isUnauthorised(second) ? { kind: 'denied', reason: 'HTTP 401 with a fresh access token' } : second;
  }

  async function sendAttempts(call: ApiPixCall, deadline: number): Promise<{ reply: Reply; repeated: boolean }> {
    for (let attempts = 1; ; attempts += 1) {
      const reply = await attempt(call, Math.min(deadline, performance.now() + callTimeoutMs));
      const pauseMs = RETRY_PAUSES_MS[attempts - 1];
      if (call.once || !mayRepeat(reply) || pauseMs === undefined) return { reply, repeated: attempts > 1 };
      const jitteredMs = pauseMs * (0.5 + Math.random());
      if (performance.now() + jitteredMs >= deadline) return { reply, repeated: attempts > 1 };
      await sleep(jitteredMs);
    }
  }

  return {
    async send(call, deadline) {
      if (call.awaited && !breaker.mayCall())
        return { reply: { kind: 'silent', reason: NOT_SENT, mayRepeat: false }, repeated: false };
      const sent = await sendAttempts(call, deadline);
      breaker.note(!mayRepeat(sent.reply));
      return sent;
    },
    dialect,
    secrets,
    async close() {
      await Promise.all([pool.close(), tokenPool === pool ? null : tokenPool.close()]);
    },
  };
}

/** Returns the path before a route, with the version in which this PSP has that route. */
function versioned(prefix: string, path: string, { versions = [] }: PspDialect): string {
  const other = versions.find((rule) => rule.path.test(path));
  return other ? prefix.replace(/\/v\d+$/, `/${other.version}`) : prefix;
}

function withQuery(path: string, query: URLSearchParams): string {
  if (query.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function isUnauthorised(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status === 401;
}

function mayRepeat(reply: Reply): boolean {
  if (reply.kind === 'answered') return reply.status === 429 || reply.status >= 500;
  return reply.kind === 'silent' && reply.mayRepeat;
}

/** A caller that joins a token request late has less time left than the request itself. */
async function within(token: Promise<TokenReply>, deadline: number): Promise<TokenReply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TokenReply>((resolve) => {
    const giveUp = () => resolve({ kind: 'silent', reason: 'token: no answer in time', mayRepeat: true });
    timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([token, late]);
  } finally {
    clearTimeout(timer);
  }
}
