import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';
import { createWindowCounter } from '#services/requests/window-counter.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** What a request without an API key costs, in points of its address's minute. */
export const COSTS = {
  /** A query or two; the measure of the others. */
  procedure: 1,
  /** Rendering a page takes the processor as long as several queries. */
  page: 5,
  /** A password is hashed for a tenth of a second. */
  signIn: 30,
  /** A forged callback costs almost nothing, and no honest sender sends two. */
  forgedCallback: 60,
} as const;

/** Answers from memory or disk cost no database: this many times more of them are allowed. */
const STATIC_SHARE = 4;

/**
 * Requests at once of one session, or of one address without a known session. A browser opens at
 * most six connections to a host; behind an office's address are several browsers.
 */
const AT_ONCE = { running: 8, waiting: 64, waitMs: 5_000 };
/** After a wait that was too long others have been served, so that a retry may come soon. */
const BUSY_RETRY_SECONDS = 1;

export type VisitorLimits = {
  /** Counts what is answered from memory or disk. Errors: rate_limited. */
  countStatic(req: IncomingMessage, res: ServerResponse): void;
  /** Counts what asks the database or the processor for something. Errors: rate_limited. */
  count(req: IncomingMessage, res: ServerResponse, points: number): void;
  /**
   * Waits for a place among the visitor's running requests; the answer's end frees it. Errors:
   * rate_limited.
   */
  enter(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

/**
 * Limits requests without an API key. A visitor whose session this process knows counts alone,
 * whatever others do at their address; everybody else counts for the address. Decided in memory,
 * before anything is asked of the database: each process counts by itself.
 */
export function createVisitorLimits(parts: {
  /** The address that a request counts for. */
  clientAddress: (req: IncomingMessage) => string;
  /** The name of a session that was valid a moment ago; null where none is known. */
  knownSession: (req: IncomingMessage) => string | null;
  /** Points a minute of one address; its static files may be STATIC_SHARE times as many. */
  perAddressAMinute: number;
  perSessionAMinute: number;
  now?: () => number;
}): VisitorLimits {
  const { clientAddress, knownSession, perAddressAMinute, perSessionAMinute, now } = parts;
  const counters = {
    address: createWindowCounter(perAddressAMinute, now),
    session: createWindowCounter(perSessionAMinute, now),
    staticFiles: createWindowCounter(perAddressAMinute * STATIC_SHARE, now),
  };
  const gate = createGate(AT_ONCE);

  const take = (res: ServerResponse, counter: keyof typeof counters, key: string, points: number) => {
    const result = counters[counter].take(key, points);
    if (result.allowed) return;
    for (const [name, value] of rateLimitHeaders(result)) res.setHeader(name, value);
    throw new DomainError('rate_limited');
  };

  return {
    countStatic(req, res) {
      // For the address also with a session: nothing is looked up.
      take(res, 'staticFiles', clientAddress(req), 1);
    },
    count(req, res, points) {
      const session = knownSession(req);
      if (session === null) take(res, 'address', clientAddress(req), points);
      else take(res, 'session', session, points);
    },
    async enter(req, res) {
      const leave = await gate.enter(knownSession(req) ?? clientAddress(req));
      if (!leave) {
        res.setHeader('retry-after', String(BUSY_RETRY_SECONDS));
        throw new DomainError('rate_limited');
      }
      if (res.closed || res.destroyed) leave();
      else res.once('close', leave);
    },
  };
}
