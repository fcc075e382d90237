import type { IncomingMessage } from 'node:http';
import { cookieOf } from './cookie-of.ts';

/**
 * Far above the members that use one process at a time; the one that was not seen for longest is
 * dropped first.
 */
const KNOWN_MAX = 10_000;

/**
 * The sessions that this process found valid, and did not find ended since: enough to distinguish a
 * member from a visitor with a made-up cookie without a query. Says nothing about what may be done:
 * that is looked up each time.
 */
export type KnownSessions = {
  /** The value of the session's cookie; null where the session is not known. */
  of(req: IncomingMessage): string | null;
  /** Records whether a look-up found the request's session valid. */
  note(req: IncomingMessage, isValid: boolean): void;
};

/** `cookie` is the name of the session cookie. */
export function createKnownSessions(cookie: string): KnownSessions {
  const known = new Set<string>();
  return {
    of(req) {
      const value = known.size > 0 ? cookieOf(req, cookie) : null;
      return value !== null && known.has(value) ? value : null;
    },
    note(req, isValid) {
      const value = cookieOf(req, cookie);
      if (value === null) return;
      known.delete(value);
      if (!isValid) return;
      if (known.size >= KNOWN_MAX) known.delete(known.values().next().value as string);
      known.add(value);
    },
  };
}
