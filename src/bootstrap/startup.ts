import type { DestinationStream } from 'pino';
import { createDatabaseClock, type TimeSample } from '#config/database-clock.ts';
import type { Environment } from '#config/environment.ts';
import type { StartError } from '#domain/errors/start-error.ts';
import { createHttpServer, type HttpServer } from '#server/http/http-server.ts';
import { createLog, type ServerLog } from '#server/observability/log.ts';
import type { Metrics } from '#server/observability/metrics.ts';
import { bindPort } from './bind-port.ts';
import { type OperationsListener, openOperationsListener } from './operations-listener.ts';
import type { Closing } from './shutdown.ts';

/** Values of HOST with which 127.0.0.1 reaches this process. */
const OPEN_TO_LOOPBACK = new Set(['127.0.0.1', '0.0.0.0', '::']);

/** What the program, a process beneath it, or a test sets for a start. */
export type ServiceOptions = {
  clock?: () => Date;
  log?: DestinationStream;
  pages?: 'built' | 'dev' | 'none';
  onProgress?: (message: string) => void;
  /** The embedded database ended and can't be started again: the process has nothing left to do. */
  onGone?: (error: StartError) => void;
  /** Gives the demo merchant four weeks of history on its first start. */
  history?: boolean;
  /** Of all roles, worker and sandbox get processes of their own. */
  ownProcesses?: boolean;
  /** The addresses of the process above, where this one serves a role beneath it. */
  above?: Addresses;
  /** Receives what is observed, in place of this process's own metrics. */
  observer?: Pick<Metrics, 'observe' | 'railCall'>;
};

/** Where the web role and the sandbox are. */
export type Addresses = Pick<Startup, 'publicUrl' | 'webBase' | 'sandboxBase'>;

/** What every part of a start needs. */
export type Startup = {
  env: Environment;
  options: ServiceOptions;
  closing: Closing;
  clock: () => Date;
  /** Brings the clock to the database's time; a caller's own clock stays as it is. */
  followTime(sample: TimeSample): void;
  steadyForMs(): number;
  log: ServerLog;
  http: HttpServer;
  operations: OperationsListener | null;
  /** Where the service listens. */
  port: number;
  /** Scheme, host and port by which merchants and payers reach the service. */
  publicUrl: string;
  /**
   * The nearest address of the web role: loopback beside it, for the public address may not lead
   * back to this machine.
   */
  webBase: string;
  /**
   * Where others reach the sandbox; null where neither this process nor the one above serves it.
   */
  sandboxBase: string | null;
  /** Whether this process has the role. */
  runs(role: 'web' | 'worker' | 'sandbox'): boolean;
};

/**
 * Opens the log and the ports. The port comes before everything else, so that a taken one is
 * reported before anything has been begun. Throws EnvironmentError with what to change.
 */
export async function beginStartup(env: Environment, closing: Closing, options: ServiceOptions): Promise<Startup> {
  const level = env.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info');
  const log = createLog({ level, ...(options.log && { destination: options.log }) });
  closing.last('log', () => log.flush());
  const http = createHttpServer({ trustedProxies: env.trustedProxies });
  const port = await bindPort(http.server, env, { port: 'PORT', host: 'HOST' });
  closing.last('server', () => http.server.closeAllConnections());
  const operations = await openOperationsListener(env, closing);
  const databaseClock = createDatabaseClock();
  const { above, ownProcesses = false } = options;
  return {
    env,
    options,
    closing,
    clock: options.clock ?? databaseClock.now,
    followTime: databaseClock.follow,
    // A clock that is given is moved by whoever gives it, while nothing is under way.
    steadyForMs: options.clock ? () => Number.POSITIVE_INFINITY : databaseClock.steadyForMs,
    log,
    http,
    operations,
    port,
    ...(above ?? ownAddresses(env, port, operations)),
    runs: (role) => env.role === role || (env.role === 'all' && (role === 'web' || !ownProcesses)),
  };
}

/** The addresses of a process that has none above it. */
function ownAddresses(env: Environment, port: number, operations: OperationsListener | null): Addresses {
  const local = `http://127.0.0.1:${port}`;
  const publicUrl = env.publicUrl ?? `http://localhost:${port}`;
  const hasWeb = env.role === 'all' || env.role === 'web';
  // A process that is the sandbox and nothing else has it on its own port.
  const sandboxBases = { all: operations?.baseUrl ?? local, sandbox: local, web: null, worker: null };
  return {
    publicUrl,
    webBase: hasWeb && OPEN_TO_LOOPBACK.has(env.host) ? local : publicUrl,
    sandboxBase: sandboxBases[env.role],
  };
}
