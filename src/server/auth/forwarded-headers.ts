import type { IncomingMessage } from 'node:http';

/** The headers that better-auth needs; the client's address is passed in ADDRESS_HEADER. */
const PASSED_HEADERS = ['cookie', 'user-agent', 'accept-language'] as const;

/**
 * Returns a request's headers as better-auth gets them. Host and Origin are our own address, not
 * what the client sent: whether a change came from one of our pages was checked before
 * (isFromOurPage).
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
