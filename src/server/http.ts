import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Database } from '#db/database.ts';
import { DomainError } from '#domain/errors.ts';
import type { Authenticator } from '#services/authenticate.ts';
import type { Deps, Log } from '#services/deps.ts';
import { beginExchange, type Exchange } from './exchange.ts';
import { handlePixCallback } from './inbound/pix.ts';
import type { Metrics } from './metrics.ts';
import { answerHealth, answerMetrics, answerReadiness } from './operations.ts';
import type { Pages } from './pages.ts';
import { panelRouter } from './procedures/panel-router.ts';
import { BODY_BYTES_MAX } from './rest/body.ts';
import { createRestBridge, routeNotFound, sendRestError } from './rest/bridge.ts';
import { restDocument } from './rest/document.ts';
import { restError } from './rest/errors.ts';
import { REST_PREFIXES } from './rest/routes.ts';

/** A client that drips its headers or body does not hold a connection longer than this. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than a usual proxy's own, so that it is the proxy that closes idle connections. */
const KEEP_ALIVE_MS = 65_000;

const TRPC_PREFIX = '/api/trpc/';
const SANDBOX_PREFIX = '/sandbox';
const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
];

/** What a process serves, by its role; what is missing is answered 404. */
export type Doors = {
  db: Database;
  log: Log;
  metrics: Metrics;
  /** The REST API, the pages' procedures and the callbacks. */
  web?: { deps: Deps; authenticator: Authenticator; publicUrl: string };
  pages?: Pages;
  sandbox?: (req: IncomingMessage, res: ServerResponse, path: string) => void;
  /** Whether the process is about to end: it says so to whoever balances load. */
  stopping: () => boolean;
};

/** A server that is listening already while the doors are still being built: until then it says 503. */
export function createHttpServer(): { server: Server; open(doors: Doors): void } {
  let handle: (req: IncomingMessage, res: ServerResponse) => void = (req, res) => {
    if (req.url === '/healthz') return answerHealth(res);
    sendRestError(req, res, restError(new DomainError('unavailable')));
  };
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (req, res) => handle(req, res),
  );
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return;
    socket.end(rawAnswer(restError(new DomainError('bad_request')).body));
  });
  return {
    server,
    open(doors) {
      handle = createHandler(doors);
      server.on('upgrade', (req, socket, head) => {
        if (doors.pages) void doors.pages.upgrade(req, socket, head);
        else socket.destroy();
      });
    },
  };
}

/** Hands each request to the door it belongs to, and tells the log and the metrics how it went. */
function createHandler(doors: Doors): (req: IncomingMessage, res: ServerResponse) => void {
  const dispatch = createDispatch(doors);
  return (req, res) => {
    const exchange = beginExchange(req.url ?? '/');
    res.setHeader('x-request-id', exchange.requestId);
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
    res.on('close', () => finish(doors, req, res, exchange));
    dispatch(req, res, exchange).catch((error: unknown) => {
      exchange.failure = restError(new DomainError('internal', { cause: error }));
      sendRestError(req, res, exchange.failure);
    });
  };
}

function createDispatch({ web, pages, sandbox, db, metrics, stopping }: Doors) {
  const rest = web && createRestBridge(web.deps, web.authenticator);
  const document = web && JSON.stringify(restDocument(web.publicUrl));

  const notFound = (req: IncomingMessage, res: ServerResponse, exchange: Exchange) => {
    exchange.failure = routeNotFound();
    sendRestError(req, res, exchange.failure);
  };

  return async (req: IncomingMessage, res: ServerResponse, exchange: Exchange): Promise<void> => {
    const { path } = exchange;
    const prefix = rest && REST_PREFIXES.find((known) => isUnder(path, `${known}/payments`));
    if (rest && prefix !== undefined) {
      exchange.path = path.slice(prefix.length);
      return rest(req, res, exchange);
    }
    if (web && path.startsWith('/inbound/')) return handlePixCallback(web.deps, req, res, exchange);
    if (sandbox && isUnder(path, SANDBOX_PREFIX)) {
      exchange.route = SANDBOX_PREFIX;
      return sandbox(req, res, (req.url ?? '').slice(SANDBOX_PREFIX.length) || '/');
    }
    if (isRead(req)) {
      exchange.route = path;
      if (path === '/healthz') return answerHealth(res);
      if (path === '/readyz') return answerReadiness(res, db, stopping());
      if (path === '/metrics') return answerMetrics(res, metrics);
      if (document && path === '/api/openapi.json') return sendText(res, 'application/json; charset=utf-8', document);
      exchange.route = 'unmatched';
    }
    if (web && path.startsWith(TRPC_PREFIX)) {
      exchange.route = TRPC_PREFIX;
      return callPanelProcedure(web.deps, req, res, path);
    }
    // An API path that is nobody's, or a caller that is no browser: JSON, never a page.
    if (!pages || isUnder(path, '/api') || !isRead(req)) return notFound(req, res, exchange);
    if (!isPage(path) && !accepts(req, 'text/html')) return notFound(req, res, exchange);
    exchange.route = path.startsWith('/pay/')
      ? '/pay/{transaction_id}'
      : path.startsWith('/_next/')
        ? '/_next'
        : 'page';
    return pages.handle(req, res);
  };
}

async function callPanelProcedure(deps: Deps, req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  res.setHeader('cache-control', 'no-store');
  await nodeHTTPRequestHandler({
    router: panelRouter,
    path: path.slice(TRPC_PREFIX.length),
    req: req as Parameters<typeof nodeHTTPRequestHandler>[0]['req'],
    res,
    maxBodySize: BODY_BYTES_MAX,
    createContext: () => ({ deps, principal: null }),
    onError: ({ error }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR')
        deps.log.error({ err: error.cause ?? error }, 'A page procedure failed.');
    },
  });
}

function finish({ log, metrics }: Doors, req: IncomingMessage, res: ServerResponse, exchange: Exchange): void {
  const { requestId, route, accountId, failure, startedAt } = exchange;
  const method = req.method ?? '';
  const seconds = (performance.now() - startedAt) / 1000;
  const status = res.statusCode;
  metrics.httpRequest({ method, route, status, seconds });
  const facts = { requestId, method, route, status, ms: Math.round(seconds * 100_000) / 100, accountId };
  if (status >= 500) log.error({ ...facts, err: failure?.cause }, 'A request failed.');
  else if (failure?.cause) log.warn({ ...facts, code: failure.code, err: failure.cause }, 'A request was refused.');
  else log.info(failure ? { ...facts, code: failure.code } : facts, 'request');
}

const isUnder = (path: string, prefix: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
const isRead = (req: IncomingMessage) => req.method === 'GET' || req.method === 'HEAD';
const isPage = (path: string) =>
  path === '/' || /^\/(pay|_next|docs)\//.test(path) || /\.(ico|svg|png|txt)$/.test(path);
const accepts = (req: IncomingMessage, type: string) => (req.headers.accept ?? '').includes(type);

function sendText(res: ServerResponse, contentType: string, text: string): void {
  res.setHeader('content-type', contentType);
  res.end(text);
}

/** For a request that could not even be parsed, there is no response object. */
function rawAnswer(body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`;
}
