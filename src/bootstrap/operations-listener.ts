import { isIP } from 'node:net';
import type { Environment } from '#config/environment.ts';
import { createHttpServer, type HttpServer } from '#server/http/http-server.ts';
import { bindPort } from './bind-port.ts';
import type { Closing } from './shutdown.ts';

/**
 * The listener for the metrics, and for the sandbox where that is not the process's only role:
 * payers and merchants use neither.
 */
export type OperationsListener = { http: HttpServer; port: number; baseUrl: string };

/**
 * Opens the listener for operations; null where there is none, as in a demo, which serves
 * everything on one port. Throws EnvironmentError.
 */
export async function openOperationsListener(env: Environment, closing: Closing): Promise<OperationsListener | null> {
  if (!env.operations) return null;
  const http = createHttpServer({ trustedProxies: env.trustedProxies });
  const names = { port: 'OPERATIONS_PORT', host: 'OPERATIONS_HOST' };
  const port = await bindPort(http.server, env.operations, names);
  closing.last('operations listener', () => {
    http.server.close();
    http.server.closeAllConnections();
  });
  return { http, port, baseUrl: `http://${reachable(env.operations.host)}:${port}` };
}

/** A listener on every address is reached over loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}
