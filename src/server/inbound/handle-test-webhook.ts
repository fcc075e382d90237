import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';
import { RECEIVED_A_MINUTE_MAX, RECEIVED_BYTES_MAX } from '#domain/webhooks/test-receiver.ts';
import { runForAccount } from '#services/accounts/run-for-account.ts';
import type { Deps } from '#services/deps.ts';
import { createWindowCounter } from '#services/requests/window-counter.ts';
import { receiveTestWebhook } from '#services/webhooks/receive-test-webhook.ts';
import { isTestReceiverToken } from '#services/webhooks/test-receiver-url.ts';
import { sendJson } from '../http/json.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import type { RequestContext } from '../http/request-context.ts';
import { COSTS, type VisitorLimits } from '../http/visitor-limits.ts';
import { readBody } from '../rest/body.ts';

const PATH = /^\/inbound\/test-webhooks\/([0-9a-f-]{36})\/([A-Za-z0-9_-]+)$/;
const TEMPLATE = '/inbound/test-webhooks/{account}/{token}';

/**
 * Tests must not take the database from others: webhooks beyond this get 503, and are sent again by
 * their schedule.
 */
const storing = createGate({ running: 2, waiting: 64, waitMs: 5_000 });
const counted = createWindowCounter(RECEIVED_A_MINUTE_MAX);

/** Counts a webhook of a test account. Errors: rate_limited. */
function countFor(accountId: string, res: ServerResponse): void {
  const result = counted.take(accountId, 1);
  if (result.allowed) return;
  for (const [name, value] of rateLimitHeaders(result)) res.setHeader(name, value);
  throw new DomainError('rate_limited');
}

/**
 * Takes a webhook for a test account, as its own system would: 200 when its signature holds, 401
 * when it does not. Errors (DomainError): route_not_found, method_not_allowed, rate_limited,
 * body_too_large, unavailable.
 */
export async function handleTestWebhook(
  { deps, visitors }: { deps: Deps; visitors: Pick<VisitorLimits, 'count'> },
  req: IncomingMessage,
  res: ServerResponse,
  requestContext: RequestContext,
): Promise<void> {
  requestContext.route = TEMPLATE;
  const [, accountId = '', token = ''] = PATH.exec(requestContext.path) ?? [];
  if (!isTestReceiverToken(deps.secretBox, accountId, token)) {
    visitors.count(req, res, COSTS.forgedCallback);
    throw new DomainError('route_not_found');
  }
  if (req.method !== 'POST') {
    res.setHeader('allow', 'POST');
    throw new DomainError('method_not_allowed');
  }
  countFor(accountId, res);
  const body = (await readBody(req, RECEIVED_BYTES_MAX)).toString('utf8');
  const take = () => receiveTestWebhook(deps, accountId, { headers: req.headers, body });
  const verified = await storing.run(accountId, () => runForAccount(accountId, take));
  sendJson(res, verified ? 200 : 401, { received: true, verified });
}
