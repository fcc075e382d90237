import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#domain/errors/domain-error.ts';
import { answerHealth } from '../observability/operations.ts';
import { restError } from '../rest/errors.ts';
import { sendRestError } from '../rest/send-rest-error.ts';
import { createPeerAddress } from './client-address.ts';
import { boundConnections, CONNECTION_LIMITS } from './connections.ts';
import { SANDBOX_PREFIX } from './dispatch.ts';
import type { HttpHandlers } from './http-handlers.ts';
import { isUnder } from './is-under.ts';
import { createRequestHandler, type HandleRequest, setCommonHeaders } from './request-handler.ts';
import { answerUnreadable } from './unreadable.ts';
import { watchDelays } from './watch-delays.ts';

/** A client that drips its headers or body does not hold a connection longer than this. */
const TIMEOUTS = {
  headersMs: 10_000,
  requestMs: 30_000,
  /** Longer than a usual proxy's own, so that it is the proxy that closes idle connections. */
  keepAliveMs: 65_000,
  /** Node's default is to look for late ones every 30 s: ten seconds would be forty. */
  checkIntervalMs: 1_000,
};

/** Between two checks whether a connection has become idle and can be closed. */
const DRAIN_POLL_MS = 20;
/**
 * Connections that were made before the stop may have a request on its way: as long as one came
 * within this time they are still read and rejected with a time to retry, instead of being reset.
 */
const DRAIN_QUIET_MS = 200;
/** Under steady load it never becomes quiet: after this time new connections are rejected. */
const DRAIN_LINGER_MS = 1_000;

export type HttpServer = {
  server: Server;
  open(handlers: HttpHandlers): void;
  /** No new requests; resolves when those in flight have their answers and the port is free. */
  drain(): Promise<void>;
};

/**
 * Creates a server that can listen while its handlers are still being built: until `open` it
 * answers 503.
 */
export function createHttpServer(
  options: {
    /** Proxies whose connections are not counted: they have many clients. */
    trustedProxies?: string[];
    timeouts?: typeof TIMEOUTS;
  } = {},
): HttpServer {
  const { trustedProxies = [], timeouts = TIMEOUTS } = options;
  const reject = (req: IncomingMessage, res: ServerResponse) => {
    setCommonHeaders(res, randomUUID());
    res.setHeader('connection', 'close');
    sendRestError(req, res, restError(new DomainError('unavailable')));
  };
  let draining = false;
  let inFlight = 0;
  let lastRequestAt = 0;
  let handle: HandleRequest = (req, res) => {
    setCommonHeaders(res, randomUUID());
    if (req.url === '/healthz') return answerHealth(res);
    sendRestError(req, res, restError(new DomainError('unavailable')));
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node's own rejection is an empty answer; ours comes from the handler.
      requireHostHeader: false,
    },
    (req, res) => {
      // The sandbox plays another company's server in this process: requests in flight may still
      // need it.
      if (isUnder(req.url ?? '', SANDBOX_PREFIX)) return handle(req, res);
      lastRequestAt = performance.now();
      if (draining) return reject(req, res);
      inFlight++;
      res.on('close', () => inFlight--);
      handle(req, res);
    },
  );
  boundConnections(server, createPeerAddress(trustedProxies), CONNECTION_LIMITS);
  answerUnreadable(server);
  // An expectation we don't know is not rejected (RFC 9110 section 10.1.1 leaves it to us).
  server.on('checkExpectation', (req, res) => handle(req, res));
  return {
    server,
    open(handlers) {
      const delays = watchDelays();
      server.once('close', delays.stop);
      handle = createRequestHandler(handlers, delays.isLate);
    },
    async drain() {
      draining = true;
      const begun = performance.now();
      const isOver = (now: number) =>
        now - Math.max(begun, lastRequestAt) > DRAIN_QUIET_MS || now - begun > DRAIN_LINGER_MS;
      while (inFlight > 0 || !isOver(performance.now())) await sleep(DRAIN_POLL_MS);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that was busy a moment ago is idle now: only this closes it.
      const timer = setInterval(() => server.closeIdleConnections(), DRAIN_POLL_MS);
      await closed;
      clearInterval(timer);
    },
  };
}
