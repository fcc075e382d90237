import type { IncomingMessage } from 'node:http';

/**
 * The value of a cookie of a request, decoded; null when it has none, or one that can't be read.
 */
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
