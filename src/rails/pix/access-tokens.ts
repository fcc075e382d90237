import { z } from 'zod';
import type { HttpResult } from './send-request.ts';

/** A token is renewed this long before its end, so that none expires on its way to the PSP. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/**
 * The outcome of a request for a token. `denied`: the PSP answered and will not give these
 * credentials one.
 */
export type TokenReply =
  | { kind: 'token'; token: string }
  | { kind: 'denied'; reason: string }
  | Extract<HttpResult, { kind: 'silent' }>;

type AccessTokens = {
  /** The cached token; `null` when there is none, or it is about to expire. */
  current(): string | null;
  /** Requests a new token from the PSP; concurrent callers share one request. Never rejects. */
  renew(): Promise<TokenReply>;
  /**
   * Removes this token from the cache, but no newer one: a late answer to an old token must not
   * discard a fresh one.
   */
  drop(token: string): void;
};

/**
 * RFC 6749 section 5.1; the characters are those that a header may carry. PSPs have sent the
 * duration as a text (github.com/laddertech/pypix-api, test_auth.py), and the gateway of Apigee
 * writes BearerToken, and its duration so, too (github.com/Fiserv/apim).
 */
const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer(?:token)?$/i),
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .pipe(z.number().positive()),
});

/** RFC 6749 section 5.2. `error_description` is left out, because it may quote the request. */
const tokenError = z.object({ error: z.string().max(64) });

/** Keeps one OAuth2 client-credentials token in memory. `request` performs the token request. */
export function createAccessTokens(request: () => Promise<HttpResult>, clock: () => Date): AccessTokens {
  let cached: { token: string; renewAtMs: number } | null = null;
  let pending: Promise<TokenReply> | null = null;

  async function ask(): Promise<TokenReply> {
    // Counted from before the request, because the PSP's own count began later.
    const askedAtMs = clock().getTime();
    const reply = readTokenReply(await request());
    if (reply.kind !== 'token') return reply;
    cached = { token: reply.token, renewAtMs: askedAtMs + reply.expiresInMs - RENEW_BEFORE_EXPIRY_MS };
    return reply;
  }

  return {
    current: () => (cached !== null && clock().getTime() < cached.renewAtMs ? cached.token : null),
    renew() {
      pending ??= ask().finally(() => {
        pending = null;
      });
      return pending;
    },
    drop(token) {
      if (cached?.token === token) cached = null;
    },
  };
}

type ReadTokenReply = Exclude<TokenReply, { kind: 'token' }> | { kind: 'token'; token: string; expiresInMs: number };

function readTokenReply(reply: HttpResult): ReadTokenReply {
  if (reply.kind === 'silent') return { ...reply, reason: `token: ${reply.reason}` };
  const { status, json } = reply;
  if (status === 429 || status >= 500) return { kind: 'silent', reason: `token: HTTP ${status}`, mayRepeat: true };
  const answer = tokenAnswer.safeParse(json);
  if (status === 200 && answer.success) {
    return { kind: 'token', token: answer.data.access_token, expiresInMs: answer.data.expires_in * 1000 };
  }
  const rejection = tokenError.safeParse(json);
  if (status === 401 || (status === 400 && rejection.success)) {
    return { kind: 'denied', reason: `token: HTTP ${status}${rejection.success ? ` ${rejection.data.error}` : ''}` };
  }
  return { kind: 'silent', reason: `token: HTTP ${status} without a usable token`, mayRepeat: false };
}
