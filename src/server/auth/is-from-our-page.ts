import type { IncomingMessage } from 'node:http';

/**
 * Whether a request that changes something was sent by one of our own pages. Browsers say with
 * every such request which origin it is from, and don't let a page lie about it; it has to be the
 * host that was asked. `Sec-Fetch-Site` says it again, where it is there. Without an Origin it is
 * no browser's form, fetch or beacon, and has no business with a session.
 */
export function isFromOurPage(req: IncomingMessage): boolean {
  const { origin, host } = req.headers;
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (typeof origin !== 'string' || host === undefined) return false;
  try {
    const { protocol, host: from } = new URL(origin);
    return (protocol === 'https:' || protocol === 'http:') && from === host.toLowerCase();
  } catch {
    return false;
  }
}
