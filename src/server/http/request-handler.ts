import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_VERSION } from '#contract/api-version.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isTls } from '#services/sign-in/cookie-name.ts';
import type { RequestFields } from '../observability/log.ts';
import { toRestError } from '../rest/errors.ts';
import { sendRestError } from '../rest/send-rest-error.ts';
import { createDispatch, isAskedByMachines } from './dispatch.ts';
import type { HttpHandlers } from './http-handlers.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import { SECURITY_HEADERS } from './unreadable.ts';

/** A year (ASVS 3.4.1): browsers that were here over TLS never come without it. */
const HSTS_SECONDS = 31_536_000;

export type HandleRequest = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * How many requests may wait for their answers in a process that is late: as many as one account
 * may run. What comes on top would be answered after its client has given up, and would delay all
 * others.
 */
const WAITING_WHILE_LATE_MAX = 64;

/**
 * Passes each request to its handler, then writes the log line and the metrics. Of merchants and
 * members it takes only so many while `isLate`, and rejects the others with a time to retry.
 */
export function createRequestHandler(handlers: HttpHandlers, isLate: () => boolean = () => false): HandleRequest {
  const dispatch = createDispatch(handlers);
  const taken = new Set<ServerResponse>();
  // A stream that has begun, as each open tab has one, does not wait.
  const waiting = () => [...taken].filter((res) => !res.headersSent).length;
  const isTooMuch = (path: string) =>
    handlers.web !== undefined && isLate() && !isAskedByMachines(path) && waiting() >= WAITING_WHILE_LATE_MAX;
  const overTls = handlers.web !== undefined && isTls(handlers.web.publicUrl);
  return (req, res) => {
    const requestContext = createRequestContext(req.url ?? '/');
    setCommonHeaders(res, requestContext.requestId);
    if (overTls) res.setHeader('strict-transport-security', `max-age=${HSTS_SECONDS}`);
    const take = () => {
      taken.add(res);
      return dispatch(req, res, requestContext);
    };
    const reject = () => Promise.reject(new DomainError('unavailable'));
    const answered = (isTooMuch(requestContext.path) ? reject() : take()).catch((error: unknown) => {
      requestContext.failure = toRestError(error);
      sendRestError(req, res, requestContext.failure);
    });
    res.on('close', () => {
      taken.delete(res);
      const noteIt = () => finish(handlers, req, res, requestContext);
      // The client hung up before it was answered: what it asked for goes on, and its status is not
      // known yet.
      if (res.headersSent) noteIt();
      else void answered.then(noteIt);
    });
  };
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
  // A rail that the operator has turned off is no failure.
  const isRailClosed = failure?.code === 'rail_closed';
  metrics.httpRequest({ method, route, status, seconds, isRailClosed });
  const fields: RequestFields = {
    requestId,
    method,
    route,
    status,
    ms: Math.round(seconds * 100_000) / 100,
    accountId,
  };
  if ((failure?.status ?? status) >= 500 && !isRailClosed)
    log.error({ ...fields, err: failure?.cause }, 'A request failed.');
  else if (failure?.cause) log.warn({ ...fields, code: failure.code, err: failure.cause }, 'A request was rejected.');
  else log.request(failure ? { ...fields, code: failure.code } : fields);
  if (!recordRequest || requestContext.keyId === undefined || accountId === undefined) return;
  const { keyId, path, query, requestBody, responseBody } = requestContext;
  const asked = { accountId, keyId, requestId, method, path, query, template: route };
  recordRequest({ ...asked, status, durationMs: fields.ms, requestBody, responseBody });
}

/** The headers of every answer. */
export function setCommonHeaders(res: ServerResponse, requestId: string): void {
  res.setHeader('x-request-id', requestId);
  res.setHeader('x-api-version', API_VERSION);
  for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
}
