import { accessSync, constants } from 'node:fs';
import type { DestinationStream } from 'pino';
import { ACCOUNTS_CHANNEL } from '#db/api-keys.ts';
import { openDatabase } from '#db/database.ts';
import { startEmbeddedPostgres } from '#db/embedded-postgres.ts';
import { listen, TASKS_CHANNEL } from '#db/listener.ts';
import { makeFolder } from '#db/make-folder.ts';
import { applyMigrations } from '#db/migrate.ts';
import { assertDurable } from '#db/pool.ts';
import { readSetting, setSettingOnce } from '#db/settings.ts';
import { createSecretBox, type SecretBox } from '#domain/secret-box.ts';
import { TASK_HANDLERS } from '#jobs/handlers.ts';
import { createWaker } from '#jobs/wake.ts';
import { startWorker } from '#jobs/worker.ts';
import { createApiPixRail, type RailCall } from '#rails/pix/api-pix.ts';
import { createRailRegistry } from '#rails/registry.ts';
import { createUrlChecker, createWebhookSender } from '#rails/webhooks/sender.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { createHttpServer } from '#server/http.ts';
import { callbackUrl } from '#server/inbound/pix.ts';
import { createLog } from '#server/log.ts';
import { createMetrics } from '#server/metrics.ts';
import { openPages } from '#server/pages.ts';
import { createAuthenticator } from '#services/authenticate.ts';
import type { Deps } from '#services/deps.ts';
import { type DemoLogin, seedDemo } from '#services/seed-demo.ts';
import { type Environment, EnvironmentError } from './environment.ts';
import { readMasterKeys } from './master-keys.ts';
import { SANDBOX_MOUNT, sandboxClient, sandboxControlToken } from './sandbox-account.ts';
import { announceService } from './service-file.ts';
import type { Closing } from './shutdown.ts';

/** The receiver that payers read in the sandbox's codes. */
const SANDBOX_RECEIVER = { merchantName: 'Trilho Sandbox', merchantCity: 'Sao Paulo' };
/** A PSP that does not answer at start is asked again this often to note our callback address. */
const REGISTER_EVERY_MS = 5_000;

export type Service = { publicUrl: string; port: number; login: DemoLogin | null; deps: Deps };

/** What a caller that is not the program itself sets: tests have their own clock, log and no pages. */
export type ServiceOptions = {
  clock?: () => Date;
  log?: DestinationStream;
  pages?: 'built' | 'dev' | 'none';
  onProgress?: (message: string) => void;
};

/**
 * Builds the service out of its parts and starts the roles of this process. What it opened it hands to `closing`, which undoes
 * it in order; also when this throws half-way. Throws EnvironmentError and StartError with a line for the operator.
 */
export async function startService(env: Environment, closing: Closing, options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? (() => new Date());
  const level = env.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info');
  const log = createLog({ level, ...(options.log && { destination: options.log }) });
  closing.last('log', () => log.flush());
  const runs = (role: 'web' | 'worker' | 'sandbox') => env.role === 'all' || env.role === role;

  // The port first: a taken one is told before anything else is begun.
  const { server, open, drain } = createHttpServer();
  const port = await bind(server, env);
  closing.last('server', () => server.closeAllConnections());
  const publicUrl = env.publicUrl ?? `http://localhost:${port}`;
  const { pages: wanted = 'built' } = options;
  const pagesReady = runs('web') && wanted !== 'none' ? openPages({ dev: wanted === 'dev' }) : undefined;
  pagesReady?.catch(() => {});

  const secretBox = openSecretBox(env);
  const url = env.databaseUrl ?? (await startDatabase(env, closing, options.onProgress));
  const db = openDatabase(url, {
    max: env.databaseConnections,
    onError: (error) => {
      if (!closing.begun) log.warn({ err: error }, 'A database connection broke; the pool replaces it.');
    },
  });
  closing.last('database', () => db.close());
  await prepareDatabase(url, db, secretBox, env.demo);

  const metrics = createMetrics(db, clock);
  const sandboxUrl = env.sandboxUrl ?? (runs('sandbox') ? `http://127.0.0.1:${port}${SANDBOX_MOUNT}` : undefined);
  const rails = createRails(env, sandboxUrl, secretBox, clock, metrics.railCall);
  closing.last('rails', () => rails.close());
  const webhookSender = createWebhookSender();
  closing.last('webhooks', () => webhookSender.close());
  const deps: Deps = {
    db,
    clock,
    rails,
    secretBox,
    webhookSender,
    urlChecker: createUrlChecker(clock),
    settings: { demo: env.demo, chargeExpirySeconds: env.chargeExpirySeconds },
    wakeWorkers: createWaker(db),
    log,
    observe: metrics.observe,
  };

  const sandbox = runs('sandbox')
    ? createSandbox({
        pool: db.pool,
        clock,
        publicHost: new URL(publicUrl).host + SANDBOX_MOUNT,
        clients: [sandboxClient(secretBox)],
        controlToken: sandboxControlToken(secretBox),
        ...SANDBOX_RECEIVER,
        log,
      })
    : undefined;
  await sandbox?.prepare();

  const authenticator = createAuthenticator(db, clock);
  const login = env.demo ? await seedDemo(deps) : null;
  const pages = await pagesReady;
  open({
    db,
    log,
    metrics,
    ...(runs('web') ? { web: { deps, authenticator, publicUrl } } : {}),
    ...(pages ? { pages } : {}),
    ...(sandbox ? { sandbox: (req, res, path) => sandbox.handle(req, res, path) } : {}),
    stopping: () => closing.begun,
  });

  const worker = runs('worker') ? startWorker(deps, TASK_HANDLERS) : undefined;
  const listener = listen({
    url,
    channels: [ACCOUNTS_CHANNEL, TASKS_CHANNEL],
    onConnectionChange: (connected) => authenticator.setAnnouncementsArrive(connected),
    onNotification: (channel, payload) => {
      if (channel === ACCOUNTS_CHANNEL) authenticator.forget(payload);
      else worker?.wake();
    },
  });
  closing.last('listener', () => listener.close());
  sandbox?.start();
  // By who serves the callbacks: its own port is where they arrive when no public address is set.
  const stopRegistering = runs('web') ? registerWebhooks(deps, publicUrl, port, env) : () => {};
  const withdraw = announceService(env.home, { pid: process.pid, port, sandboxUrl });

  // No new requests and no new jobs; what is in flight finishes. Then the rest is closed, the database last.
  closing.first(async () => {
    withdraw();
    stopRegistering();
    await Promise.all([drain(), worker?.stop(), sandbox?.stop()]);
    await pages?.close();
  });
  return { publicUrl, port, login, deps };
}

function bind(server: import('node:http').Server, { port, host }: Environment): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = {
        EADDRINUSE: `Port ${port} is taken by another program: stop it, or choose another port, e.g. PORT=${port + 1} npm start.`,
        EACCES: `Port ${port} needs rights this user has not: choose one above 1023, e.g. PORT=3000 npm start.`,
        EADDRNOTAVAIL: `The address ${host} is not one of this machine: change HOST.`,
      }[error.code ?? ''];
      reject(new EnvironmentError(why ?? `Can't listen on ${host}:${port}: ${error.message}. Change HOST or PORT.`));
    });
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function openSecretBox(env: Environment): SecretBox {
  const keys = readKeys(env);
  try {
    return createSecretBox(keys);
  } catch (error) {
    throw new EnvironmentError((error as Error).message);
  }
}

function readKeys(env: Environment): string {
  try {
    makeFolder(env.home);
    accessSync(env.home, constants.W_OK | constants.X_OK);
    return readMasterKeys(env);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      `The data folder ${env.home} can't be written (${code}): give this user the right to, or set TRILHO_HOME to another folder.`,
    );
  }
}

async function startDatabase(
  env: Environment,
  closing: Closing,
  onProgress: (message: string) => void = () => {},
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ home: env.home, purpose: 'service', onProgress });
  closing.last('postgres', () => postgres.stop());
  return postgres.url;
}

/** Refuses a database that can't be trusted, or that was made under another key or as the other kind of installation. */
async function prepareDatabase(url: string, db: ReturnType<typeof openDatabase>, box: SecretBox, demo: boolean) {
  await assertDurable(db.pool).catch((error: Error) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      code ? `The database of DATABASE_URL can't be used (${code}): ${error.message}.` : error.message,
    );
  });
  await applyMigrations(url);
  const was = await readSetting(db, box, 'demo').catch(() => {
    throw new EnvironmentError(
      'MASTER_KEYS is not the one this database was made with: restore it, or use another database.',
    );
  });
  if (was === null) await setSettingOnce(db, box, 'demo', String(demo));
  else if (was !== String(demo)) {
    throw new EnvironmentError(
      demo
        ? 'This database belongs to a real installation: it can’t be run as a demo. Set DEMO=false and the PSP, or use another database.'
        : 'This database was made as a demo, with play money in it: use an empty database (or TRILHO_HOME) for a real installation.',
    );
  }
}

function createRails(
  env: Environment,
  sandboxUrl: string | undefined,
  box: SecretBox,
  clock: () => Date,
  onCall: (call: RailCall) => void,
) {
  const sandbox = sandboxUrl
    ? createApiPixRail({ name: 'sandbox', baseUrl: sandboxUrl, ...sandboxClient(box), clock, onCall })
    : null;
  const psp = env.psp ? createApiPixRail({ name: 'psp', ...env.psp, clock, onCall }) : null;
  return createRailRegistry({ sandbox, psp, demo: env.demo });
}

/** Tells every PSP where to call back, until it has heard it; gives the function that stops trying. */
function registerWebhooks(deps: Deps, publicUrl: string, port: number, env: Environment): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const register = async (missing: readonly string[]) => {
    const failed: string[] = [];
    for (const rail of deps.rails.all().filter(({ name }) => missing.includes(name))) {
      // The sandbox beside us calls over loopback: the public address may not lead back to this machine.
      const local = rail.name === 'sandbox' && !env.publicUrl;
      const base = local ? `http://127.0.0.1:${port}` : publicUrl;
      const result = await rail.registerWebhook(callbackUrl(base, deps.secretBox, rail.name));
      if (result.outcome === 'done') continue;
      failed.push(rail.name);
      deps.log.warn({ rail: rail.name, reason: result.reason }, 'The PSP did not note our callback address yet.');
    }
    if (failed.length > 0 && !stopped) timer = setTimeout(() => void register(failed), REGISTER_EVERY_MS);
  };
  void register(deps.rails.all().map(({ name }) => name));
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
