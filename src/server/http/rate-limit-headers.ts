import { type RateLimitResult, WINDOW_SECONDS } from '#services/requests/rate-limits.ts';

/**
 * The headers with the state of a client's rate limit (draft-ietf-httpapi-ratelimit-headers-06, the
 * last with one header a value), and with a rejection Retry-After, which must not name an earlier
 * time than the reset.
 */
export function rateLimitHeaders({
  allowed,
  limit,
  remaining,
  resetSeconds,
}: RateLimitResult): [name: string, value: string][] {
  const headers: [string, string][] = [
    ['RateLimit-Limit', String(limit)],
    ['RateLimit-Remaining', String(remaining)],
    ['RateLimit-Reset', String(resetSeconds)],
    ['RateLimit-Policy', `${limit};w=${WINDOW_SECONDS}`],
  ];
  if (!allowed) headers.push(['Retry-After', String(resetSeconds)]);
  return headers;
}
