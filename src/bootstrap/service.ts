import { randomBytes } from 'node:crypto';
import type { Environment } from '#config/environment.ts';
import { writePidFile } from '#config/pid-file.ts';
import { ACCOUNTS_CHANNEL } from '#db/api-keys/api-keys.ts';
import { listen, TASKS_CHANNEL } from '#db/connection/listener.ts';
import { keyLocks } from '#db/encryption/master-keys.ts';
import { type DemoLogin, seedDemo } from '#demo/seed-demo.ts';
import { seedHistory } from '#demo/seed-history.ts';
import { startHousekeeping } from '#jobs/housekeeping.ts';
import { startBackups } from '#jobs/start-backups.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { startWorker } from '#jobs/worker.ts';
import { openPages } from '#server/next/pages.ts';
import { createDatabaseHealth } from '#server/observability/database-health.ts';
import { expeditePaymentChecks } from '#services/callbacks/expedite-payment-checks.ts';
import type { Deps } from '#services/deps.ts';
import { checkReadiness } from '#services/health/check-readiness.ts';
import { loadBreachedPasswords } from '#services/members/breached-passwords.ts';
import { callbackBase, composeDeps } from './compose-deps.ts';
import { composeRails } from './compose-rails.ts';
import { composeWeb } from './compose-web.ts';
import { openDatabase } from './open-database.ts';
import { openHandlers } from './open-handlers.ts';
import { openSecretBox } from './open-secret-box.ts';
import { registerWebhooks } from './register-webhooks.ts';
import { sandboxOpener } from './sandbox-opener.ts';
import type { Closing } from './shutdown.ts';
import { beginStartup, type ServiceOptions, type Startup } from './startup.ts';

export type Service = {
  publicUrl: string;
  port: number;
  /** Where the metrics and the sandbox are. */
  operationsUrl: string;
  login: DemoLogin | null;
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
  // Loading the pages takes a second, in which the database is opened.
  const pagesReady = beginPages(startup);
  const secretBox = openSecretBox(env);
  const database = await openDatabase(startup, secretBox);
  const { deps, laneDeps, metrics, requests, sandboxUrl } = composeDeps(startup, database.lanes, secretBox);
  const openSandbox = sandboxOpener(startup, database, secretBox);
  const sandbox = runs('sandbox') ? openSandbox(clock) : undefined;
  const login = env.demo ? await prepareDemo(startup, deps, openSandbox) : null;
  // Before the first visitor waits for it.
  if (runs('web')) await loadBreachedPasswords();

  const aliveLock = randomBytes(8).readBigInt64BE();
  const { authenticator, web, pageHandler } = composeWeb(startup, { laneDeps, aliveLock });
  const pages = await pagesReady;
  const health = createDatabaseHealth(clock);
  openHandlers(startup, {
    shared: {
      checkReadiness: () => checkReadiness(deps),
      log: startup.log,
      metrics,
      health,
      stopping: () => closing.begun,
    },
    web: runs('web') ? web : undefined,
    pages: pages && pageHandler(pages),
    sandbox,
    recordRequest: requests.record,
  });

  const work = startWork(startup, deps);
  const listener = listen({
    url: database.directUrl,
    aliveLock,
    sharedLocks: keyLocks(secretBox.versions),
    channels: [ACCOUNTS_CHANNEL, TASKS_CHANNEL],
    onConnectionChange: (connected) => {
      authenticator.setInvalidationOnline(connected);
      health.setConnected(connected);
      // It may be another server that answers next.
      if (!connected) database.lanes.renewConnections();
      // Whoever called back in the meantime was not heard.
      if (connected && (runs('web') || runs('worker'))) void expeditePaymentChecks(deps);
    },
    onTime: startup.followTime,
    onNotification: (channel, payload) => {
      if (channel === ACCOUNTS_CHANNEL) {
        authenticator.invalidate(payload);
        registration?.again();
      } else {
        work.wake();
        deps.liveFeed.wake();
        deps.paymentFeed.wake();
      }
    },
  });
  closing.last('listener', () => listener.close());
  sandbox?.start();
  // By the process that serves the callbacks: they arrive at its own port when no public address is
  // set.
  const registration = runs('web') ? registerWebhooks(deps, (rail) => callbackBase(startup, rail)) : undefined;
  const withdraw = writePidFile(env.home, { pid: process.pid, port, sandboxUrl });

  // No new requests and no new jobs; what is in flight finishes. Then the rest is closed, the
  // database last.
  closing.first(async () => {
    withdraw();
    registration?.stop();
    // Streams have no last answer of their own.
    deps.liveFeed.stop();
    deps.paymentFeed.stop();
    await Promise.all([startup.http.drain(), work.stop(), sandbox?.stop()]);
    await pages?.close();
  });
  return { publicUrl, port, operationsUrl: operations?.baseUrl ?? `http://127.0.0.1:${port}`, login, deps };
}

function beginPages({ options, runs }: Startup) {
  const { pages: wanted = 'built' } = options;
  const ready = runs('web') && wanted !== 'none' ? openPages({ dev: wanted === 'dev' }) : undefined;
  // It is awaited later; until then a failure must not be an unhandled rejection.
  ready?.catch(() => {});
  return ready;
}

/** The demonstration's merchant, with four weeks of history where they are asked for. */
async function prepareDemo(
  { env, options }: Startup,
  deps: Deps,
  openSandbox: ReturnType<typeof sandboxOpener>,
): Promise<DemoLogin> {
  const { db, secretBox } = deps;
  if (env.role === 'all' && options.history) {
    await seedHistory({
      deps,
      openSandbox: openSandbox,
      openRails: (to) => composeRails({ env, db, secretBox, onCall: () => {}, onQuoteRejection: () => {}, ...to }),
      onProgress: options.onProgress,
    });
  }
  return seedDemo(deps);
}

function startWork({ env, runs }: Startup, deps: Deps) {
  const worker = runs('worker') ? startWorker(deps, TASK_HANDLERS) : undefined;
  const stopHousekeeping = runs('worker') ? startHousekeeping(deps) : undefined;
  const stopBackups = runs('worker') && env.backups ? startBackups(deps, env.backups) : undefined;
  return {
    wake: () => worker?.wake(),
    stop: () => Promise.all([worker?.stop(), stopHousekeeping?.(), stopBackups?.()]),
  };
}
