import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isFromOurPage } from './is-from-our-page.ts';

/**
 * Checks that a request is one that our pages make: GET, or a POST of JSON from a page of ours.
 * Errors: permission_denied (another site's page), unsupported_media_type, method_not_allowed.
 */
export function checkPageCall(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'POST') {
    if (!isFromOurPage(req)) throw new DomainError('permission_denied');
    if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
      throw new DomainError('unsupported_media_type');
    }
  } else if (req.method !== 'GET') {
    res.setHeader('allow', 'GET, POST');
    throw new DomainError('method_not_allowed');
  }
}
