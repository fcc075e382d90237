import type { IncomingMessage } from 'node:http';

/** The value of a cookie of a request, decoded; null when it has none, or one that can't be read. */
export function cookieOf(req: IncomingMessage, name: string): string | null {
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const mark = part.indexOf('=');
    if (mark < 0 || part.slice(0, mark).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(mark + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

/** Whether browsers reach this installation over TLS; a proxy before us ends it, so the request itself does not say. */
export const isTls = (publicUrl: string): boolean => publicUrl.startsWith('https://');

/** The name of one of our cookies: under TLS only this host can have set it (`__Host-`, RFC 6265bis section 4.1.3.2). */
export const cookieName = (name: string, publicUrl: string): string =>
  `${isTls(publicUrl) ? '__Host-' : ''}trilho.${name}`;
