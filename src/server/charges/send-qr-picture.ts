import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { getPaymentCode } from '#services/charges/get-payment-code.ts';
import type { Deps } from '#services/deps.ts';
import type { RequestContext } from '../http/request-context.ts';
import { COSTS, type VisitorLimits } from '../http/visitor-limits.ts';
import { qrPng, qrSvg } from './qr-picture.ts';

const PATH = /^\/pay\/([^/]+)\/qr\.(svg|png)$/;

const FORMATS = {
  svg: { type: 'image/svg+xml', draw: qrSvg },
  png: { type: 'image/png', draw: qrPng },
} as const;

/** Whether a path is that of a charge's QR code. */
export const isQrPicturePath = (path: string): boolean => PATH.test(path);

/**
 * GET /pay/{id}/qr.svg and qr.png: the QR code of a charge or an invoice, for whoever has its id,
 * as the payment page. Not to be cached: a charge that was paid a second ago must not be paid
 * again. Errors (DomainError): rate_limited, method_not_allowed, transaction_not_found,
 * charge_not_payable.
 */
export async function sendQrPicture(
  { deps, visitors }: { deps: Deps; visitors: Pick<VisitorLimits, 'count' | 'enter'> },
  req: IncomingMessage,
  res: ServerResponse,
  requestContext: RequestContext,
): Promise<void> {
  const [, id = '', format = 'svg'] = PATH.exec(requestContext.path) ?? [];
  requestContext.route = `/pay/{transaction_id}/qr.${format}`;
  res.setHeader('cache-control', 'no-store');
  // Drawing takes about as long as making the page.
  visitors.count(req, res, COSTS.page);
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.setHeader('allow', 'GET, HEAD');
    throw new DomainError('method_not_allowed');
  }
  await visitors.enter(req, res);
  const code = await getPaymentCode(deps, id);
  const { type, draw } = FORMATS[format as keyof typeof FORMATS];
  const picture = draw(code);
  res.setHeader('content-type', type);
  res.setHeader('content-length', Buffer.byteLength(picture));
  // An SVG that is opened by itself is a document: it loads nothing and runs nothing.
  res.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  // Shops show it on pages of their own.
  res.setHeader('cross-origin-resource-policy', 'cross-origin');
  res.end(picture);
}
