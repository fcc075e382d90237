import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns whether a request carries the token (`Authorization: Bearer …`), in constant time. */
export function createMetricsTokenCheck(token: string): (req: IncomingMessage) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return (req) => timingSafeEqual(digest(req.headers.authorization ?? ''), wanted);
}

const digest = (text: string) => createHash('sha256').update(text).digest();
