import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyOwner } from '#db/api-keys.ts';
import { DomainError } from '#domain/errors.ts';
import type { Authenticator } from '#services/authenticate.ts';
import type { Deps } from '#services/deps.ts';
import type { Exchange } from '../exchange.ts';
import { createCallerFactory } from '../procedures/procedure.ts';
import { restRouter } from '../procedures/rest-router.ts';
import { BODY_BYTES_MAX, readJsonObject } from './body.ts';
import { type RestError, toRestError } from './errors.ts';
import { compileRoutes, type RestRoute } from './routes.ts';

/** A client told to come back because the database is away: it usually is for seconds. */
const RETRY_AFTER_SECONDS = 5;

type Call = (input: unknown) => Promise<unknown>;

export type RestBridge = (req: IncomingMessage, res: ServerResponse, exchange: Exchange) => Promise<void>;

/**
 * REST in front of the procedures: finds the operation, then key, body, input, in this order, and writes the answer in the
 * contract's shapes. It knows no operation by name. `exchange.path` is the path without prefix and query.
 */
export function createRestBridge(deps: Deps, authenticator: Authenticator): RestBridge {
  const routes = compileRoutes(restRouter);
  const createCaller = createCallerFactory(restRouter);

  const call = (route: RestRoute, principal: KeyOwner, input: unknown) => {
    const [namespace, procedure] = route.procedure;
    const caller = createCaller({ deps, principal }) as unknown as Record<string, Record<string, Call>>;
    return caller[namespace]?.[procedure]?.(input);
  };

  return async (req, res, exchange) => {
    let route: RestRoute | undefined;
    // Balances and payers' data are for this caller only.
    res.setHeader('cache-control', 'no-store');
    try {
      const match = routes.match(req.method ?? '', exchange.path);
      if (match.found === 'nothing') throw new DomainError('route_not_found');
      if (match.found === 'path') {
        exchange.route = match.template;
        res.setHeader('allow', match.allow.join(', '));
        throw new DomainError('method_not_allowed');
      }
      route = match.route;
      exchange.route = route.template;
      const principal = await authenticator.authenticate(header(req, 'x-api-key'));
      exchange.accountId = principal.accountId;
      const input =
        route.method === 'GET'
          ? queryOf(exchange.query, match.parameters)
          : { ...(await readJsonObject(req)), ...match.parameters };
      sendJson(res, 200, await call(route, principal, input));
    } catch (thrown) {
      const error = toRestError(thrown, route?.inputError);
      sendRestError(req, res, error);
      exchange.failure = error;
    }
  };
}

/** Writes an error's body. A request whose body was not read to its end is not worth keeping the connection for. */
export function sendRestError(req: IncomingMessage, res: ServerResponse, error: RestError): void {
  if (res.headersSent) return void res.destroy();
  if (error.code === 'unavailable') res.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
  if (!req.complete && (error.status === 413 || Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX)) {
    res.setHeader('connection', 'close');
  }
  sendJson(res, error.status, error.body);
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  // As text, which Node sends together with the head in one piece; bytes would be a second one.
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** Query and path parameters; of a parameter sent twice the first counts. */
function queryOf(query: string, parameters: Record<string, string>): Record<string, string> {
  const input: Record<string, string> = {};
  if (query !== '')
    for (const [name, value] of new URLSearchParams(query)) if (!Object.hasOwn(input, name)) input[name] = value;
  return { ...input, ...parameters };
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
