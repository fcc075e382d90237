import type { IncomingMessage } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';

/**
 * A Host header that names one host (RFC 9110 section 7.2, RFC 3986 section 3.2.2): a name, an IPv4
 * or a bracketed IPv6 address, and a port. Narrower than the grammar: percent signs and
 * sub-delimiters are legal in a registered name, and no real host has them.
 */
const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Far above any address of the service: filters and cursors fit in a quarter of it, and proxies
 * take no longer ones either.
 */
const TARGET_LENGTH_MAX = 8_192;

/**
 * Rejects a request whose address could be read in two ways. What is asked for is the path of the
 * request line and nothing else, so the line has to be a path (RFC 9112 section 3.2.1): not a whole
 * URL, not `*`. The Host has to be one host, sent once; HTTP/1.0 may leave it out. Errors
 * (DomainError): bad_request.
 */
export function demandPlainTarget(req: IncomingMessage): void {
  const { url = '', rawHeaders, headers, httpVersion } = req;
  if (!url.startsWith('/') || url.length > TARGET_LENGTH_MAX) throw new DomainError('bad_request');
  let hosts = 0;
  // Node keeps the first of two Hosts and says nothing of the second.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new DomainError('bad_request');
  if (hosts === 1 && !HOST.test(headers.host ?? '')) throw new DomainError('bad_request');
}
