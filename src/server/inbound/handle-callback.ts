import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';
import { toStorableText } from '#domain/values/storable-text.ts';
import { isCallbackToken } from '#services/callbacks/callback-url.ts';
import { receiveCallback } from '#services/callbacks/receive-callback.ts';
import type { Deps } from '#services/deps.ts';
import { WINDOW_SECONDS } from '#services/requests/rate-limits.ts';
import { sendJson } from '../http/json.ts';
import type { RequestContext } from '../http/request-context.ts';
import { COSTS, type VisitorLimits } from '../http/visitor-limits.ts';
import { readBody } from '../rest/body.ts';

/** A PSP may put many payments into one callback. */
const CALLBACK_BYTES_MAX = 1024 * 1024;

/**
 * Callbacks of one rail that are stored at once, and that wait for it: a provider that sends many
 * gets 503 for the rest and retries, instead of taking the database from other requests.
 */
const storing = createGate({ running: 4, waiting: 256, waitMs: 5_000 });

/**
 * A PSP appends `/pix` to the address it was given. Efí tries the address itself while it registers
 * it, and rejects one that does not answer 200.
 */
const ROUTES = [
  {
    pattern: /^\/inbound\/pix\/([a-z0-9-]+)\/([A-Za-z0-9_-]+)(?:\/pix)?$/,
    template: '/inbound/pix/{rail}/{token}/pix',
  },
  { pattern: /^\/inbound\/crypto\/([a-z0-9-]+)\/([A-Za-z0-9_-]+)$/, template: '/inbound/crypto/{rail}/{token}' },
] as const;

/**
 * Records a provider's callback, then answers 200: the worker finds out what it is about. Errors
 * (DomainError): api_key_invalid, route_not_found, method_not_allowed, body_too_large, unavailable,
 * rate_limited.
 */
export async function handleCallback(
  { deps, visitors }: { deps: Deps; visitors: Pick<VisitorLimits, 'count'> },
  req: IncomingMessage,
  res: ServerResponse,
  requestContext: RequestContext,
): Promise<void> {
  const { rail, token } = readPath(requestContext);
  if (!isCallbackToken(deps.secretBox, rail, token)) {
    // Counted only here: others at a provider's address can't keep the provider's own callbacks
    // out.
    visitors.count(req, res, COSTS.forgedCallback);
    throw new DomainError('api_key_invalid');
  }
  const known = (await deps.rails.pixNamed(rail)) ?? (await deps.rails.cryptoNamed(rail));
  if (!known) throw new DomainError('route_not_found');
  if (req.method !== 'POST') {
    res.setHeader('allow', 'POST');
    throw new DomainError('method_not_allowed');
  }
  const body = toStorableText((await readBody(req, CALLBACK_BYTES_MAX)).toString('utf8'));
  await storing
    .run(rail, () => receiveCallback(deps, { rail, body }))
    .catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'rate_limited') res.setHeader('retry-after', WINDOW_SECONDS);
      throw error;
    });
  sendJson(res, 200, { received: true });
}

function readPath(requestContext: RequestContext): { rail: string; token: string } {
  for (const { pattern, template } of ROUTES) {
    const [match, rail = '', token = ''] = pattern.exec(requestContext.path) ?? [];
    if (match === undefined) continue;
    requestContext.route = template;
    return { rail, token };
  }
  throw new DomainError('route_not_found');
}
