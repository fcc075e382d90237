import type { IncomingMessage } from 'node:http';

/** What better-auth needs to know of a request; its address is passed apart (ADDRESS_HEADER). */
const PASSED_HEADERS = ['cookie', 'user-agent', 'accept-language'] as const;

/**
 * A request's headers as better-auth gets them. Where it was sent to and from is our own address,
 * not what the client wrote: whether it came from one of our pages was checked before
 * (same-origin.ts).
 */
export function forwardedHeaders(req: IncomingMessage, publicUrl: string): Headers {
  const headers = new Headers();
  for (const name of PASSED_HEADERS) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const { host, origin } = new URL(publicUrl);
  headers.set('host', host);
  if (req.headers.origin !== undefined) headers.set('origin', origin);
  return headers;
}
