import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_CALLS_MAX } from '#contract/batch.ts';
import { BUILD_HEADER } from '#contract/build-header.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { AnsweredRequest } from '#services/requests/request-recorder.ts';
import { isTls } from '#services/sign-in/cookie-name.ts';
import { AUTH_PREFIX } from '../auth/auth-endpoints.ts';
import type { AuthHandler } from '../auth/auth-handler.ts';
import { handleCallback } from '../inbound/callbacks.ts';
import { handleTestWebhook, TEST_RECEIVER_PREFIX } from '../inbound/test-receiver.ts';
import type { DatabaseHealth } from '../observability/database-health.ts';
import type { RequestFields, ServerLog } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { answerHealth, answerMetrics, answerReadiness } from '../observability/operations.ts';
import type { FileHandler } from '../panel/file-handler.ts';
import type { PageHandler } from '../panel/page-handler.ts';
import { isStream, TRPC_PREFIX } from '../panel/panel-procedures.ts';
import type { TrpcHandler } from '../panel/trpc-handler.ts';
import { createRestBridge, type RestParts } from '../rest/bridge.ts';
import { restError, toRestError } from '../rest/errors.ts';
import { restDocument } from '../rest/openapi/document.ts';
import { restPath } from '../rest/routes.ts';
import { sendRestError } from '../rest/send-rest-error.ts';
import { API_VERSION } from './api-version.ts';
import { createPeerAddress } from './client-address.ts';
import { boundConnections, CONNECTION_LIMITS } from './connections.ts';
import { demandPlainTarget } from './demand-plain-target.ts';
import { jsonText, sendJsonText } from './json.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import { answerUnreadable, SECURITY_HEADERS } from './unreadable.ts';
import { COSTS, type VisitorLimits } from './visitor-limits.ts';

/** A client that drips its headers or body does not hold a connection longer than this. */
const TIMEOUTS = {
  headersMs: 10_000,
  requestMs: 30_000,
  /** Longer than a usual proxy's own, so that it is the proxy that closes idle connections. */
  keepAliveMs: 65_000,
  /** Node looks for those that are late every 30 s by itself: ten seconds would be forty. */
  lookEveryMs: 1_000,
};

/** A year (ASVS 3.4.1): browsers that were here over TLS never come without it. */
const HSTS_SECONDS = 31_536_000;
const SANDBOX_PREFIX = '/sandbox';
const METRICS_PATH = '/metrics';

/** What a process serves, by its role; what is missing is answered 404. */
export type HttpHandlers = {
  /** Why the process can't do its work now; null: it can. */
  checkReadiness: () => Promise<string | null>;
  log: ServerLog;
  metrics: Metrics;
  /** Whether a request may see the metrics; for whoever may not, there are none. */
  maySeeMetrics: (req: IncomingMessage) => boolean;
  health: DatabaseHealth;
  /** The REST API, the pages' procedures and the callbacks. */
  web?: RestParts & {
    publicUrl: string;
    auth: AuthHandler;
    panel: TrpcHandler;
    files: FileHandler;
    visitors: VisitorLimits;
  };
  pages?: PageHandler;
  sandbox?: (req: IncomingMessage, res: ServerResponse, path: string) => void;
  /** Keeps what was asked with a valid key, for the merchant. */
  recordRequest?: (request: AnsweredRequest) => void;
  /** Whether the process is about to end: it says so to whoever balances load. */
  stopping: () => boolean;
};

/** Between two looks at whether a connection has become idle and can be closed. */
const DRAIN_LOOK_MS = 20;
/**
 * Connections that were made before the stop may have a request on its way: as long as one came within this time they are still
 * read and told to come back, instead of being reset.
 */
const DRAIN_QUIET_MS = 200;
/** Under steady load it never becomes quiet: from then on new connections are refused. */
const DRAIN_LINGER_MS = 1_000;

export type HttpServer = {
  server: Server;
  open(handlers: HttpHandlers): void;
  /** No new requests; resolves when those in flight have their answers and the port is free. */
  drain(): Promise<void>;
};

/** A server that listens while the handlers are still being built: until then it answers 503. */
export function createHttpServer(
  options: {
    /** Proxies whose connections are not counted: they speak for many. */
    trustedProxies?: string[];
    timeouts?: typeof TIMEOUTS;
  } = {},
): HttpServer {
  const { trustedProxies = [], timeouts = TIMEOUTS } = options;
  const refuse = (req: IncomingMessage, res: ServerResponse) => {
    stamp(res, randomUUID());
    res.setHeader('connection', 'close');
    sendRestError(req, res, restError(new DomainError('unavailable')));
  };
  let draining = false;
  let inFlight = 0;
  let lastRequestAt = 0;
  let handle: Handle = (req, res) => {
    stamp(res, randomUUID());
    if (req.url === '/healthz') return answerHealth(res);
    sendRestError(req, res, restError(new DomainError('unavailable')));
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.lookEveryMs,
      // Node's own refusal is an empty answer; ours comes from the handler.
      requireHostHeader: false,
    },
    (req, res) => {
      // The sandbox is somebody else's server that happens to live here: what is in flight may still need it.
      if (isUnder(req.url ?? '', SANDBOX_PREFIX)) return handle(req, res);
      lastRequestAt = performance.now();
      if (draining) return refuse(req, res);
      inFlight++;
      res.on('close', () => inFlight--);
      handle(req, res);
    },
  );
  boundConnections(server, createPeerAddress(trustedProxies), CONNECTION_LIMITS);
  answerUnreadable(server);
  // An expectation we don't know is not refused (RFC 9110 section 10.1.1 leaves it to us).
  server.on('checkExpectation', (req, res) => handle(req, res));
  return {
    server,
    open(handlers) {
      handle = createHandler(handlers);
    },
    async drain() {
      draining = true;
      const begun = performance.now();
      const isOver = (now: number) =>
        now - Math.max(begun, lastRequestAt) > DRAIN_QUIET_MS || now - begun > DRAIN_LINGER_MS;
      while (inFlight > 0 || !isOver(performance.now())) await sleep(DRAIN_LOOK_MS);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that was at work a moment ago is idle now: nobody but us closes it.
      const timer = setInterval(() => server.closeIdleConnections(), DRAIN_LOOK_MS);
      await closed;
      clearInterval(timer);
    },
  };
}

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** Passes each request to its handler, then writes the log line and the metrics. */
function createHandler(handlers: HttpHandlers): Handle {
  const dispatch = createDispatch(handlers);
  const overTls = handlers.web !== undefined && isTls(handlers.web.publicUrl);
  return (req, res) => {
    const requestContext = createRequestContext(req.url ?? '/');
    stamp(res, requestContext.requestId);
    if (overTls) res.setHeader('strict-transport-security', `max-age=${HSTS_SECONDS}`);
    res.on('close', () => finish(handlers, req, res, requestContext));
    dispatch(req, res, requestContext).catch((error: unknown) => {
      requestContext.failure = toRestError(error);
      sendRestError(req, res, requestContext.failure);
    });
  };
}

function createDispatch({
  web,
  pages,
  sandbox,
  checkReadiness,
  metrics,
  maySeeMetrics,
  health,
  stopping,
}: HttpHandlers) {
  const rest = web && createRestBridge(web);
  const document = web && jsonText(restDocument());

  const operations = new Map<string, (res: ServerResponse) => void | Promise<void>>([
    ['/healthz', (res) => answerHealth(res, health.isHealthy())],
    ['/readyz', (res) => answerReadiness(res, checkReadiness, stopping())],
    [METRICS_PATH, (res) => answerMetrics(res, metrics)],
  ]);
  if (document) operations.set('/api/openapi.json', (res) => sendJsonText(res, 200, document));

  return async (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void> => {
    const { path } = requestContext;
    demandPlainTarget(req);
    const operationPath = rest ? restPath(path) : null;
    if (web && rest && operationPath !== null) {
      requestContext.path = operationPath;
      if (req.headers['x-api-key'] === undefined) web.visitors.countStatic(req, res);
      return rest(req, res, requestContext);
    }
    if (web && path.startsWith(TEST_RECEIVER_PREFIX))
      return handleTestWebhook({ deps: web.deps.visitors, visitors: web.visitors }, req, res, requestContext);
    if (web && path.startsWith('/inbound/'))
      return handleCallback({ deps: web.deps.visitors, visitors: web.visitors }, req, res, requestContext);
    if (sandbox && isUnder(path, SANDBOX_PREFIX)) {
      requestContext.route = SANDBOX_PREFIX;
      return sandbox(req, res, (req.url ?? '').slice(SANDBOX_PREFIX.length) || '/');
    }
    const operation = operations.get(path);
    if (operation && (path !== METRICS_PATH || maySeeMetrics(req))) {
      requestContext.route = path;
      web?.visitors.countStatic(req, res);
      if (isRead(req)) return operation(res);
      res.setHeader('allow', 'GET, HEAD');
      throw new DomainError('method_not_allowed');
    }
    const isForPanel = path.startsWith(TRPC_PREFIX) || path.startsWith(AUTH_PREFIX);
    if (pages && isForPanel) res.setHeader(BUILD_HEADER, pages.buildId);
    if (web && path.startsWith(TRPC_PREFIX)) {
      requestContext.route = TRPC_PREFIX;
      await admitCalls(web.visitors, req, res, path.slice(TRPC_PREFIX.length));
      return web.panel.callProcedure(req, res, requestContext);
    }
    if (web && path.startsWith(AUTH_PREFIX)) {
      requestContext.route = AUTH_PREFIX;
      web.visitors.count(req, res, isRead(req) ? COSTS.procedure : COSTS.signIn);
      await web.visitors.enter(req, res);
      return web.auth.handle(req, res, requestContext);
    }
    if (web?.files.isFilePath(path)) {
      web.visitors.count(req, res, COSTS.procedure);
      return web.files.handle(req, res, requestContext);
    }
    const isDrawn = isPage(path) && !isStatic(path);
    if (!isDrawn) web?.visitors.countStatic(req, res);
    // An API path that is nobody's, or a caller that is no browser: JSON, never a page.
    // A page that moves to another one asks for its parts: not as text/html, but saying so.
    const isForPages = !isUnder(path, '/api') && isRead(req);
    if (!pages || !isForPages || (!isPage(path) && !accepts(req, 'text/html') && req.headers.rsc !== '1')) {
      // Whoever mistypes an address of the API finds it in the log of the key.
      if (rest && req.headers['x-api-key'] !== undefined) return rest(req, res, requestContext);
      throw new DomainError('route_not_found');
    }
    requestContext.route = path.startsWith('/pay/')
      ? '/pay/{transaction_id}'
      : path.startsWith('/_next/')
        ? '/_next'
        : 'page';
    if (web && isDrawn) {
      web.visitors.count(req, res, COSTS.page);
      await web.visitors.enter(req, res);
    }
    return pages.show(req, res, path);
  };
}

/** A batch counts as what is in it. An open stream has bounds of its own (live-feed.ts), and would keep its place. */
async function admitCalls(
  visitors: VisitorLimits,
  req: IncomingMessage,
  res: ServerResponse,
  procedures: string,
): Promise<void> {
  const calls = procedures.split(',').length;
  // What is too long counts too: refusing it for ever would be free of charge for whoever sends it.
  visitors.count(req, res, Math.min(calls, BATCH_CALLS_MAX) * COSTS.procedure);
  if (calls > BATCH_CALLS_MAX) throw new DomainError('bad_request');
  if (!isStream(procedures)) await visitors.enter(req, res);
}

function finish(
  { log, metrics, recordRequest }: HttpHandlers,
  req: IncomingMessage,
  res: ServerResponse,
  requestContext: RequestContext,
): void {
  const { requestId, route, accountId, failure, startedAt } = requestContext;
  const method = req.method ?? '';
  const seconds = (performance.now() - startedAt) / 1000;
  const status = res.statusCode;
  metrics.httpRequest({ method, route, status, seconds });
  const fields: RequestFields = {
    requestId,
    method,
    route,
    status,
    ms: Math.round(seconds * 100_000) / 100,
    accountId,
  };
  if (status >= 500) log.error({ ...fields, err: failure?.cause }, 'A request failed.');
  else if (failure?.cause) log.warn({ ...fields, code: failure.code, err: failure.cause }, 'A request was refused.');
  else log.request(failure ? { ...fields, code: failure.code } : fields);
  if (!recordRequest || requestContext.keyId === undefined || accountId === undefined) return;
  const { keyId, path, query, requestBody, responseBody } = requestContext;
  const asked = { accountId, keyId, requestId, method, path, query, template: route };
  recordRequest({ ...asked, status, durationMs: fields.ms, requestBody, responseBody });
}

const isUnder = (path: string, prefix: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
const isRead = (req: IncomingMessage) => req.method === 'GET' || req.method === 'HEAD';
/** Next asks for the parts of these without saying that it wants HTML. */
const PAGE = /^\/(live|test|pay|_next)\/|^\/(|live|test|docs|entrar|cadastro|senha|senha\/nova)$|\.(ico|svg|png|txt)$/;
const isPage = (path: string) => PAGE.test(path);
/** Files of the pages: read from disk as they are. */
const isStatic = (path: string) => path.startsWith('/_next/') || /\.(ico|svg|png|txt)$/.test(path);
const accepts = (req: IncomingMessage, type: string) => (req.headers.accept ?? '').includes(type);

function stamp(res: ServerResponse, requestId: string): void {
  res.setHeader('x-request-id', requestId);
  res.setHeader('x-api-version', API_VERSION);
  for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
}
