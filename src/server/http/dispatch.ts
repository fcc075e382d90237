import type { IncomingMessage, ServerResponse } from 'node:http';
import { BATCH_CALLS_MAX } from '#contract/batch-calls-max.ts';
import { BUILD_HEADER } from '#contract/build-header.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { TEST_RECEIVER_PREFIX } from '#services/webhooks/test-receiver-url.ts';
import { AUTH_PREFIX } from '../auth/auth-endpoints.ts';
import { isQrPicturePath, sendQrPicture } from '../charges/send-qr-picture.ts';
import { handleCallback } from '../inbound/handle-callback.ts';
import { handleTestWebhook } from '../inbound/handle-test-webhook.ts';
import { MCP_PATH } from '../mcp/mcp-path.ts';
import { answerHealth, answerMetrics, answerReadiness } from '../observability/operations.ts';
import { OPERATOR_API_PREFIX } from '../operator/operator-prefix.ts';
import { TRPC_PREFIX } from '../panel/trpc-prefix.ts';
import { restPath } from '../rest/routes.ts';
import { demandPlainTarget } from './demand-plain-target.ts';
import type { HttpHandlers } from './http-handlers.ts';
import { isUnder } from './is-under.ts';
import { sendJsonText } from './json.ts';
import type { RequestContext } from './request-context.ts';
import { COSTS } from './visitor-limits.ts';

export const SANDBOX_PREFIX = '/sandbox';
const METRICS_PATH = '/metrics';

/**
 * Whether a path is asked for by whoever watches this process, or by itself: the simulators are in
 * it.
 */
export const isAskedByMachines = (path: string): boolean =>
  path === '/healthz' || path === '/readyz' || path === METRICS_PATH || isUnder(path, SANDBOX_PREFIX);

/**
 * Returns the function that finds a request's handler, counts the request for its visitor, and
 * passes it on. That function throws what is answered as an error of REST.
 */
export function createDispatch({
  web,
  pages,
  sandbox,
  checkReadiness,
  metrics,
  maySeeMetrics,
  health,
  stopping,
}: HttpHandlers) {
  const rest = web?.rest;
  const operations = new Map<string, (res: ServerResponse) => void | Promise<void>>([
    ['/healthz', (res) => answerHealth(res, health.isHealthy())],
    ['/readyz', (res) => answerReadiness(res, checkReadiness, stopping())],
    [METRICS_PATH, (res) => answerMetrics(res, metrics)],
  ]);
  if (web) operations.set('/api/openapi.json', (res) => sendJsonText(res, 200, web.document));

  return async (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void> => {
    const { path } = requestContext;
    demandPlainTarget(req);
    const operationPath = rest ? restPath(path) : null;
    if (web && rest && operationPath !== null) {
      requestContext.path = operationPath;
      if (req.headers['x-api-key'] === undefined) web.visitors.countStatic(req, res);
      return rest(req, res, requestContext);
    }
    if (web && path === MCP_PATH) {
      if (req.headers['x-api-key'] === undefined && req.headers.authorization === undefined)
        web.visitors.countStatic(req, res);
      return web.mcp(req, res, requestContext);
    }
    if (web && path.startsWith(TEST_RECEIVER_PREFIX))
      return handleTestWebhook({ deps: web.deps.visitors, visitors: web.visitors }, req, res, requestContext);
    if (web && path.startsWith('/inbound/'))
      return handleCallback({ deps: web.deps.visitors, visitors: web.visitors }, req, res, requestContext);
    if (web && isQrPicturePath(path))
      return sendQrPicture({ deps: web.deps.visitors, visitors: web.visitors }, req, res, requestContext);
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
      await countCalls(web, req, res, path.slice(TRPC_PREFIX.length));
      return web.panel.callProcedure(req, res, requestContext);
    }
    if (web && path.startsWith(AUTH_PREFIX)) {
      requestContext.route = AUTH_PREFIX;
      web.visitors.count(req, res, isRead(req) ? COSTS.procedure : COSTS.signIn);
      await web.visitors.enter(req, res);
      return web.auth.handle(req, res, requestContext);
    }
    if (web && path.startsWith(OPERATOR_API_PREFIX)) {
      requestContext.route = OPERATOR_API_PREFIX;
      web.visitors.count(req, res, path.endsWith('/sign-in') ? COSTS.signIn : COSTS.procedure);
      await web.visitors.enter(req, res);
      return web.operator.handle(req, res, requestContext);
    }
    if (web?.files.isFilePath(path)) {
      web.visitors.count(req, res, COSTS.procedure);
      return web.files.handle(req, res, requestContext);
    }
    // An unknown API path, or a client that is no browser: JSON, never a page. A page that
    // navigates to another one requests its parts with a header that says so, not as text/html.
    const isForPages = !isUnder(path, '/api') && isRead(req);
    const isWanted = isPage(path) || accepts(req, 'text/html') || req.headers.rsc === '1';
    // Also for an address of no page: that it does not exist is a page.
    const isShown = pages !== undefined && isForPages && isWanted;
    const isDrawn = isShown && !isStatic(path);
    if (!isDrawn) web?.visitors.countStatic(req, res);
    if (!isShown) {
      // With a key it goes to REST, so that a mistyped address of the API is in the key's request
      // log.
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

/**
 * A batch counts as the calls in it. A stream enters no gate, in which it would keep a place as
 * long as it is open: it has bounds of its own (live-feed.ts).
 */
async function countCalls(
  { visitors, panel }: NonNullable<HttpHandlers['web']>,
  req: IncomingMessage,
  res: ServerResponse,
  procedures: string,
): Promise<void> {
  const calls = procedures.split(',').length;
  // What is too long counts too: otherwise a client could send it without limit.
  visitors.count(req, res, Math.min(calls, BATCH_CALLS_MAX) * COSTS.procedure);
  if (calls > BATCH_CALLS_MAX) throw new DomainError('bad_request');
  if (!panel.isStream(procedures)) await visitors.enter(req, res);
}

const isRead = (req: IncomingMessage) => req.method === 'GET' || req.method === 'HEAD';
/** The paths of pages. Next requests their parts without saying that it wants HTML. */
const PAGE =
  /^\/(live|test|pay|operator|_next)\/|^\/(|live|test|operator|docs|entrar|cadastro|senha|senha\/nova)$|\.(ico|svg|png|txt|md)$/;
const isPage = (path: string) => PAGE.test(path);
/**
 * Files of the pages, read from disk as they are, and texts that are put together from tables. Any
 * other address of such an ending is a page, or answered by one.
 */
const STATIC = /^\/_next\/static\/|^\/docs\/[^/]+\.(png|md)$|^\/(icon\.svg|docs\.md|llms(-full)?\.txt)$/;
const isStatic = (path: string) => STATIC.test(path);
const accepts = (req: IncomingMessage, type: string) => (req.headers.accept ?? '').includes(type);
