import type { ApiError } from './errors.ts';

/** The first wait; doubled with each retry. */
const BASE_MS = 500;
/** The longest wait of our own; the service's `Retry-After` may be longer. */
const CAP_MS = 8_000;
/** The beginning of an HTTP date: `Tue, 24 Nov`. `Date.parse` accepts other texts, too. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} /;

/**
 * How many milliseconds to wait before retry number `retry` (from 0): a wait that doubles each
 * time, at least half of it, and never less than the service asked for. `random` (0 to 1) keeps
 * clients that failed together from coming back together.
 */
export function retryDelayMs(retry: number, retryAfterMs: number | null, random: number): number {
  const backoff = Math.min(BASE_MS * 2 ** retry, CAP_MS);
  const jittered = backoff * (0.5 + random / 2);
  return retryAfterMs === null ? jittered : Math.max(jittered, retryAfterMs + (BASE_MS * random) / 2);
}

/**
 * Whether the same request may succeed by itself: too many requests, a first request under the same
 * key that is still running, and failures of the service. A rail that is off is turned on by hand:
 * the caller decides whether to wait.
 */
export function isRetryable({ status, code }: ApiError): boolean {
  if (code === 'rail_closed') return false;
  return status === 429 || status >= 500 || (status === 409 && code === 'idempotency_key_running');
}

/**
 * `Retry-After` in milliseconds: seconds, or a date as proxies write it; null for anything else.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
