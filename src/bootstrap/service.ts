import { randomBytes } from 'node:crypto';
import type { Environment } from '#config/environment.ts';
import { writePidFile } from '#config/pid-file.ts';
import { ACCOUNTS_CHANNEL } from '#db/api-keys/api-keys.ts';
import { listen, TASKS_CHANNEL } from '#db/connection/listener.ts';
import { keyLocks } from '#db/encryption/master-keys.ts';
import { connectionsBeneath } from '#db/tasks/lanes.ts';
import { forwardTo } from '#server/http/forward-to.ts';
import { createDatabaseHealth } from '#server/observability/database-health.ts';
import { expeditePaymentChecks } from '#services/callbacks/expedite-payment-checks.ts';
import type { Deps } from '#services/deps.ts';
import { checkReadiness } from '#services/health/check-readiness.ts';
import { composeDeps } from './compose-deps.ts';
import type { DemoLogins } from './demo-logins.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';
import { openHandlers } from './open-handlers.ts';
import { openSecretBox } from './open-secret-box.ts';
import { sandboxOpener } from './sandbox-opener.ts';
import type { Closing } from './shutdown.ts';
import { beginStartup, type ServiceOptions, type Startup } from './startup.ts';
import { type RoleOrder, superviseRoles } from './supervise-roles.ts';

export type Service = {
  publicUrl: string;
  port: number;
  /** Where the metrics and the sandbox are. */
  operationsUrl: string;
  /** As its clients and the commands reach it; undefined where none is set up. */
  sandboxUrl: string | undefined;
  login: DemoLogins | null;
  deps: Deps;
};

/**
 * Builds the service out of its parts and starts the roles of this process. Everything it opens is
 * registered with `closing`, which closes it in order; also when this throws half-way. Throws
 * EnvironmentError and StartError with a line for the operator.
 */
export async function startService(env: Environment, closing: Closing, options: ServiceOptions = {}): Promise<Service> {
  const startup = await beginStartup(env, closing, options);
  const { port, publicUrl, operations, runs, clock } = startup;
  const roles = env.role === 'all' && options.ownProcesses ? await superviseRoles(startup) : undefined;
  const begun = runs('web') ? (await import('./begin-web.ts')).beginWeb(startup) : undefined;
  const beginWorker = runs('worker') ? (await import('./begin-worker.ts')).beginWorker : undefined;
  const secretBox = openSecretBox(env);
  const database = await openDatabase(startup, secretBox);
  const { deps, laneDeps, metrics, requests, sandboxUrl, taskPlaces } = composeDeps(
    startup,
    database.lanes,
    secretBox,
    roles?.sandboxPort,
  );
  const openSandbox = sandboxOpener(startup, database, secretBox);
  const sandbox = runs('sandbox') ? openSandbox(clock) : undefined;
  const login = (env.demo && (await begun?.prepareDemo(deps, openSandbox))) || null;

  const aliveLock = randomBytes(8).readBigInt64BE();
  const web = await begun?.open({ laneDeps, aliveLock });
  const health = createDatabaseHealth(clock);
  await roles?.start(
    orderOf({ startup, database, sandboxUrl, sandboxPort: roles.sandboxPort }),
    ({ observations, railCalls }) => {
      observations.forEach(metrics.observe);
      railCalls.forEach(metrics.railCall);
    },
  );
  openHandlers(startup, {
    shared: {
      checkReadiness: () => checkReadiness(deps),
      log: startup.log,
      metrics,
      health,
      stopping: () => closing.begun,
    },
    web: web?.handlers,
    pages: web?.pages,
    sandbox: roles ? forwardTo(roles.sandboxPort) : sandbox,
    recordRequest: requests.record,
  });

  const work = beginWorker?.(startup, deps, database, { taskPlaces });
  const listener = listen({
    url: database.directUrl,
    aliveLock,
    sharedLocks: keyLocks(secretBox.versions),
    channels: [ACCOUNTS_CHANNEL, TASKS_CHANNEL],
    onConnectionChange: (connected) => {
      web?.authenticator.setInvalidationOnline(connected);
      health.setConnected(connected);
      // It may be another server that answers next.
      if (!connected) database.lanes.renewConnections();
      // Callbacks and notifications of the meantime may have been missed.
      if (connected && (runs('web') || runs('worker'))) void expeditePaymentChecks(deps);
    },
    onTime: startup.followTime,
    onNotification: (channel, payload) => {
      if (channel === ACCOUNTS_CHANNEL) {
        web?.authenticator.invalidate(payload === '' ? undefined : payload);
        registration?.again();
      } else {
        work?.wake();
        deps.liveFeed.wake();
        deps.paymentFeed.wake();
      }
    },
  });
  closing.last('listener', () => listener.close());
  sandbox?.start();
  // By the process that serves the callbacks: without a public address they arrive at its own port.
  const registration = begun?.registerWebhooks(deps);
  const withdraw = options.above ? () => {} : writePidFile(env.home, { pid: process.pid, port, sandboxUrl });

  // No new requests and no new jobs; what is in flight finishes. Then the rest is closed, the
  // database last.
  closing.first(async () => {
    withdraw();
    registration?.stop();
    // Live streams do not end by themselves.
    deps.liveFeed.stop();
    deps.paymentFeed.stop();
    await Promise.all([startup.http.drain(), work?.stop(), sandbox?.stop(), roles?.stop('worker')]);
    // Only now: requests in flight may need the sandbox.
    await roles?.stop('sandbox');
    await web?.close();
  });
  const operationsUrl = operations?.baseUrl ?? `http://127.0.0.1:${port}`;
  return { publicUrl, port, operationsUrl, sandboxUrl, login, deps };
}

/**
 * Returns the orders for processes of one role: this installation's environment, listening on
 * loopback alone.
 */
function orderOf(of: {
  startup: Startup;
  database: OpenedDatabase;
  sandboxUrl: string | undefined;
  sandboxPort: number;
}) {
  const { startup, database, sandboxUrl, sandboxPort } = of;
  const { env, publicUrl, webBase, sandboxBase } = startup;
  return (role: 'worker' | 'sandbox'): RoleOrder => ({
    env: {
      ...env,
      role,
      port: role === 'sandbox' ? sandboxPort : 0,
      host: '127.0.0.1',
      operations: null,
      sandboxUrl,
      databaseUrl: database.url,
      databaseDirectUrl: database.directUrl,
      databaseOwnerUrl: database.ownerUrl,
      databaseConnections: connectionsBeneath(env.databaseConnections),
    },
    above: { publicUrl, webBase, sandboxBase },
  });
}
