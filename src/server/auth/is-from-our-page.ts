import type { IncomingMessage } from 'node:http';

/**
 * Whether a request that changes something was sent by one of our own pages. Browsers send an
 * Origin with every such request, which a page can't forge; it has to match the Host.
 * `Sec-Fetch-Site` has to agree, where it is there. A request without an Origin is no browser's
 * form, fetch or beacon, and may not use a session.
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
