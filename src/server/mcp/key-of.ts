import type { IncomingMessage } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/**
 * The API key of a request: `x-api-key` as everywhere, or `Authorization: Bearer`, which is the
 * only header that some assistants can send. Undefined: it has none. Errors: bad_request (both:
 * which of two keys was meant is not guessed).
 */
export function keyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const own = headers['x-api-key'];
  const bearer = headers.authorization;
  if (own !== undefined && bearer !== undefined) throw new DomainError('bad_request');
  if (bearer === undefined) return typeof own === 'string' ? own : undefined;
  return BEARER.exec(bearer)?.[1];
}
