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

/** Answers from memory or disk cost no database: so many times more of them are allowed. */
const STATIC_SHARE = 4;

/**
 * Of one address without a known session, or of one session, at once. A browser opens at most six
 * connections to a host; behind an office's address are several browsers.
 */
const AT_ONCE = { running: 8, waiting: 64, waitMs: 5_000 };
/** A request that waited so long may be retried at once: others were served. */
const BUSY_RETRY_SECONDS = 1;

export type VisitorLimits = {
  /** Counts what is answered from memory or disk. Errors: rate_limited. */
  countStatic(req: IncomingMessage, res: ServerResponse): void;
  /** Counts what asks the database or the processor for something. Errors: rate_limited. */
  count(req: IncomingMessage, res: ServerResponse, points: number): void;
  /**
   * Waits for a place among what the visitor has at work; the answer's end gives it back. Errors:
   * rate_limited.
   */
  enter(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

/**
 * How much may be asked for without an API key. A visitor whose session this process knows counts
 * alone, whatever others do at their address; everybody else counts for the address. Decided in
 * memory, before anything is asked of the database: each process counts by itself.
 */
export function createVisitorLimits(parts: {
  /** Whom a request counts for. */
  clientAddress: (req: IncomingMessage) => string;
  /** The name of a session that was valid a moment ago; null: none known. */
  knownSession: (req: IncomingMessage) => string | null;
  /**
   * Points a minute, by address; for one session, and for one address's static files,
   * correspondingly.
   */
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
      // Whose session it is does not matter: nothing is looked up.
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
