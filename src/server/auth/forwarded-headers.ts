import type { IncomingMessage } from 'node:http';

/** What better-auth needs to know of a request; its address is told apart (ADDRESS_HEADER). */
const PASSED_HEADERS = ['cookie', 'origin', 'host', 'user-agent', 'accept-language', 'referer'] as const;

/** A request's headers as better-auth gets them. */
export function forwardedHeaders(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name of PASSED_HEADERS) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}
