import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import { type Environment, EnvironmentError } from '#config/environment.ts';
import { makeFolder } from '#config/make-folder.ts';
import { readMasterKeys } from '#config/master-keys.ts';
import {
  SANDBOX_MOUNT,
  SANDBOX_PATHS,
  sandboxClients,
  sandboxControlToken,
  sandboxControlTokens,
  sandboxCryptoShop,
} from '#config/sandbox-account.ts';
import { announceService } from '#config/service-file.ts';
import { setDefaultLimits } from '#db/accounts/default-limits.ts';
import { ACCOUNTS_CHANNEL } from '#db/api-keys/api-keys.ts';
import type { Database } from '#db/connection/database.ts';
import { listen, TASKS_CHANNEL } from '#db/connection/listener.ts';
import { type MigrationOptions, migrate } from '#db/connection/migrate.ts';
import { assertDurable, createPool } from '#db/connection/pool.ts';
import { tooPowerful } from '#db/connection/privileges.ts';
import { readSetting, setSettingOnce } from '#db/connection/settings.ts';
import { keyLocks } from '#db/encryption/master-keys.ts';
import { sealClearRows } from '#db/encryption/seal-clear-rows.ts';
import { openLanes, shareConnections } from '#db/tasks/lanes.ts';
import { seedHistory } from '#demo/demo-history.ts';
import { type DemoLogin, seedDemo } from '#demo/seed-demo.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import type { StartError } from '#domain/errors/start-error.ts';
import { TASK_HANDLERS } from '#jobs/handlers.ts';
import { startHousekeeping } from '#jobs/housekeeping.ts';
import { createWaker } from '#jobs/wake.ts';
import { startWorker } from '#jobs/worker.ts';
import { type EmbeddedPostgres, type StartOptions, startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { createFolderMailer, createSmtpMailer } from '#rails/mail/mailer.ts';
import { createSandboxControl } from '#rails/sandbox-control.ts';
import { createUrlChecker, createWebhookSender } from '#rails/webhooks/sender.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { createTablesOn as createSandboxTables } from '#sandbox/tables.ts';
import { createAccountGates } from '#server/http/account-gates.ts';
import { createClientAddress, createClientIp } from '#server/http/client-address.ts';
import { createHttpServer, type Doors } from '#server/http/http.ts';
import type { LaneDeps } from '#server/http/lane-deps.ts';
import { createRateLimits } from '#server/http/rate-limits.ts';
import { createRequestRecorder } from '#server/http/request-recorder.ts';
import { createVisitorLimits } from '#server/http/visitor-limits.ts';
import { cryptoCallbackUrl, pixCallbackUrl } from '#server/inbound/callbacks.ts';
import { testReceiverUrl } from '#server/inbound/test-receiver.ts';
import { openPages } from '#server/next/pages.ts';
import { createDatabaseHealth } from '#server/observability/database-health.ts';
import { createLog } from '#server/observability/log.ts';
import { createMetrics } from '#server/observability/metrics.ts';
import { createMetricsTokenCheck } from '#server/observability/metrics-token.ts';
import { createProviderCallRecorder } from '#server/observability/provider-call-recorder.ts';
import { composePanel } from '#server/panel/compose.ts';
import { createPageDoor } from '#server/panel/page-door.ts';
import { createAdmission } from '#server/rest/admission.ts';
import { createAuthenticator } from '#services/api-keys/authenticate.ts';
import { createRefusalAudit } from '#services/audit/record-refusal.ts';
import type { Deps } from '#services/deps.ts';
import { checkMasterKeys, MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { loadBreachedPasswords } from '#services/members/breached-passwords.ts';
import { createIdempotency } from '#services/requests/run-idempotently.ts';
import { createLiveFeed } from '#services/transactions/live-feed.ts';
import { createPaymentFeed } from '#services/transactions/payment-feed.ts';
import { bindPort } from './bind-port.ts';
import { composeRails } from './compose-rails.ts';
import { openOperationsListener } from './operations-listener.ts';
import type { Closing } from './shutdown.ts';

/** The receiver that payers read in the sandbox's codes. */
const SANDBOX_RECEIVER = { merchantName: 'Trilho Sandbox', merchantCity: 'Sao Paulo' };
/** Values of HOST with which 127.0.0.1 reaches this process. */
const OPEN_TO_LOOPBACK = new Set(['127.0.0.1', '0.0.0.0', '::']);
/** Below the data folder: where mail goes that no server takes. */
const MAIL_FOLDER = 'mail';
/** A PSP that does not answer at start is asked again this often to note our callback address. */
const REGISTER_EVERY_MS = 5_000;

export type Service = {
  publicUrl: string;
  port: number;
  /** Where the metrics and the sandbox are. */
  operationsUrl: string;
  login: DemoLogin | null;
  deps: Deps;
};

/** What a caller that is not the program itself sets: tests have their own clock, log and no pages. */
export type ServiceOptions = {
  clock?: () => Date;
  log?: DestinationStream;
  pages?: 'built' | 'dev' | 'none';
  onProgress?: (message: string) => void;
  /** The embedded database ended and can't be started again: the process has nothing left to do. */
  onGone?: (error: StartError) => void;
  /** Gives the demo merchant four weeks of history on its first start. */
  history?: boolean;
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
  const { server, open, drain } = createHttpServer({ trustedProxies: env.trustedProxies });
  const port = await bindPort(server, env, { port: 'PORT', host: 'HOST' });
  closing.last('server', () => server.closeAllConnections());
  const operations = await openOperationsListener(env, closing);
  // A process that is the sandbox and nothing else has it on its own port.
  const sandboxBase = (env.role === 'all' ? operations?.baseUrl : undefined) ?? `http://127.0.0.1:${port}`;
  const publicUrl = env.publicUrl ?? `http://localhost:${port}`;
  const { pages: wanted = 'built' } = options;
  const pagesReady = runs('web') && wanted !== 'none' ? openPages({ dev: wanted === 'dev' }) : undefined;
  pagesReady?.catch(() => {});

  const secretBox = openSecretBox(env);
  const watch = {
    onTrouble: (line: string) => log.warn({}, line),
    onGone: (error: StartError) => options.onGone?.(error),
  };
  const { url, ownerUrl } = env.databaseUrl
    ? { url: env.databaseUrl, ownerUrl: env.databaseOwnerUrl }
    : await startDatabase(env, closing, { watch, onProgress: options.onProgress });
  const onError = (error: Error) => {
    if (!closing.begun) log.warn({ err: error }, 'A database connection broke; the pool replaces it.');
  };
  const shares = shareConnections(env.databaseConnections, { web: runs('web'), sandbox: runs('sandbox') });
  const lanes = openLanes(url, shares, onError);
  closing.last('database', () => lanes.close());
  const db = lanes.background;
  const work = runs('sandbox') ? createSandboxTables : undefined;
  await prepareDatabase({ ownerUrl, work, db, box: secretBox, demo: env.demo, clock });
  const power = await tooPowerful(db.pool);
  if (power) {
    log.warn({ reason: power }, 'The database role of DATABASE_URL may change the ledger; see DATABASE_OWNER_URL.');
  }
  if (runs('web') || runs('worker')) await setDefaultLimits(db.pool, env.defaultLimits);

  const metrics = createMetrics(db, clock);
  const providerCalls = createProviderCallRecorder({ db, secretBox, clock, log, observe: metrics.observe });
  closing.last('provider calls', () => providerCalls.stop());
  const requests = createRequestRecorder({ db, secretBox, clock, log, observe: metrics.observe });
  closing.last('requests', () => requests.stop());
  const sandboxUrl = env.sandboxUrl ?? (runs('sandbox') ? sandboxBase + SANDBOX_MOUNT : undefined);
  const rails = composeRails({
    env,
    sandboxUrl,
    db: lanes.reads,
    secretBox,
    clock,
    onCall: metrics.railCall,
    onExchange: providerCalls.record,
    onQuoteRefusal: (reason) => log.warn({ reason }, 'The markets give no quote.'),
  });
  closing.last('rails', () => rails.close());
  // The sandbox beside us calls over loopback: the public address may not lead back to this machine.
  const callbackBase = (rail: string) =>
    rail.startsWith('sandbox') && !env.publicUrl ? `http://127.0.0.1:${port}` : publicUrl;
  // Beside the web role its own port is nearer than the public address, which may not lead back to this machine.
  const ownBase = runs('web') && OPEN_TO_LOOPBACK.has(env.host) ? `http://127.0.0.1:${port}` : publicUrl;
  const webhookSender = createWebhookSender();
  closing.last('webhooks', () => webhookSender.close());
  const mailer = env.smtpUrl
    ? createSmtpMailer(env.smtpUrl, env.mailFrom)
    : createFolderMailer(join(env.home, MAIL_FOLDER), env.mailFrom);
  closing.last('mailer', () => mailer.close());
  const liveFeed = createLiveFeed({ db: lanes.reads, clock, log });
  const paymentFeed = createPaymentFeed({ db: lanes.visitors, secretBox, log });
  const deps: Deps = {
    db,
    clock,
    rails,
    sandbox: sandboxUrl ? createSandboxControl({ baseUrl: sandboxUrl, token: sandboxControlToken(secretBox) }) : null,
    secretBox,
    webhookSender,
    urlChecker: createUrlChecker(clock),
    mailer,
    settings: {
      demo: env.demo,
      chargeExpirySeconds: env.chargeExpirySeconds,
      invoiceExpirySeconds: env.invoiceExpirySeconds,
      publicUrl,
      shopUrl: env.demo && runs('sandbox') ? sandboxBase + SANDBOX_MOUNT + SANDBOX_PATHS.shopWebhooks : null,
      testReceiverUrl: (accountId) => testReceiverUrl(ownBase, secretBox, accountId),
      cryptoCallbackUrl: (rail) => cryptoCallbackUrl(callbackBase(rail), secretBox, rail),
    },
    wakeWorkers: createWaker(db),
    liveFeed,
    paymentFeed,
    log,
    observe: metrics.observe,
  };

  const laneDeps: LaneDeps = {
    writes: { ...deps, db: lanes.writes },
    reads: { ...deps, db: lanes.reads },
    visitors: { ...deps, db: lanes.visitors },
  };

  const sandboxPool = runs('sandbox') ? createPool(url, { max: shares.sandbox }) : undefined;
  sandboxPool?.on('error', onError);
  closing.last('sandbox', () => sandboxPool?.end());
  const openSandbox = (at: () => Date) =>
    createSandbox({
      pool: sandboxPool ?? db.pool,
      clock: at,
      publicHost: new URL(publicUrl).host + SANDBOX_MOUNT,
      clients: sandboxClients(secretBox),
      controlTokens: sandboxControlTokens(secretBox),
      cryptoShops: [sandboxCryptoShop(secretBox)],
      ...SANDBOX_RECEIVER,
      log,
    });
  const sandbox = runs('sandbox') ? openSandbox(clock) : undefined;

  const authenticator = createAuthenticator(lanes.reads, clock);
  const aliveLock = randomBytes(8).readBigInt64BE();
  const idempotency = createIdempotency(laneDeps.writes, aliveLock);
  const clientAddress = createClientAddress(env.trustedProxies);
  // One process alone counts in its memory; processes beside each other count together.
  const storeIn = ({ pool }: Database) =>
    env.role === 'all' ? ({ kind: 'memory' } as const) : ({ kind: 'postgres', pool } as const);
  const clientIp = createClientIp(env.trustedProxies);
  const admit = createAdmission({
    authenticator,
    rateLimits: createRateLimits({
      store: storeIn(lanes.reads),
      ...env.rateLimits,
      onStoreFailure: (error) => log.warn({ err: error }, 'The rate limits are counted in this process alone.'),
    }),
    clientAddress,
    clientIp,
  });
  if (env.demo && env.role === 'all' && options.history) {
    await seedHistory({
      deps,
      openWorld: openSandbox,
      openRails: (to) => composeRails({ env, db, secretBox, onCall: () => {}, onQuoteRefusal: () => {}, ...to }),
      onProgress: options.onProgress,
    });
  }
  const login = env.demo ? await seedDemo(deps) : null;
  const accounts = createAccountGates();
  // Before the first visitor waits for it.
  if (runs('web')) await loadBreachedPasswords();
  // A flood of them holds up visitors at most.
  const refusals = createRefusalAudit(laneDeps.visitors);
  const { knownSessions, ...panelDoors } = composePanel({
    deps: laneDeps,
    accounts,
    idempotency,
    clientAddress,
    store: storeIn(lanes.visitors),
    refusals,
  });
  const visitors = createVisitorLimits({
    clientAddress,
    knownSession: knownSessions.of,
    perAddressAMinute: env.rateLimits.anonymousPerAddressAMinute,
    perSessionAMinute: env.rateLimits.perKeyAMinute,
  });
  const pages = await pagesReady;
  const health = createDatabaseHealth(clock);
  const hasToken = env.metricsToken ? createMetricsTokenCheck(env.metricsToken) : undefined;
  const shared = { db, log, metrics, health, stopping: () => closing.begun };
  const ofSandbox = sandbox
    ? ({ sandbox: (req, res, path) => sandbox.handle(req, res, path) } satisfies Partial<Doors>)
    : {};
  operations?.http.open({
    ...shared,
    maySeeMetrics: hasToken ?? (() => true),
    ...(env.role === 'all' ? ofSandbox : {}),
  });
  open({
    ...shared,
    maySeeMetrics: hasToken ?? (() => operations === null),
    ...(runs('web')
      ? {
          web: { deps: laneDeps, admit, clientIp, accounts, idempotency, refusals, publicUrl, visitors, ...panelDoors },
        }
      : {}),
    ...(pages
      ? {
          pages: createPageDoor(pages, panelDoors, {
            mail: env.demo ? mailer.kind : 'smtp',
            demo: env.demo,
            origin: new URL(publicUrl).origin,
          }),
        }
      : {}),
    ...(operations && env.role === 'all' ? {} : ofSandbox),
    recordRequest: requests.record,
  });

  const worker = runs('worker') ? startWorker(deps, TASK_HANDLERS) : undefined;
  const stopHousekeeping = runs('worker') ? startHousekeeping(deps) : undefined;
  const listener = listen({
    url,
    aliveLock,
    sharedLocks: keyLocks(secretBox.versions),
    channels: [ACCOUNTS_CHANNEL, TASKS_CHANNEL],
    onConnectionChange: (connected) => {
      authenticator.setAnnouncementsArrive(connected);
      health.setConnected(connected);
    },
    onNotification: (channel, payload) => {
      if (channel === ACCOUNTS_CHANNEL) {
        authenticator.forget(payload);
        registration?.again();
      } else {
        worker?.wake();
        liveFeed.wake();
        paymentFeed.wake();
      }
    },
  });
  closing.last('listener', () => listener.close());
  sandbox?.start();
  // By who serves the callbacks: its own port is where they arrive when no public address is set.
  const registration = runs('web') ? registerWebhooks(deps, callbackBase) : undefined;
  const withdraw = announceService(env.home, { pid: process.pid, port, sandboxUrl });

  // No new requests and no new jobs; what is in flight finishes. Then the rest is closed, the database last.
  closing.first(async () => {
    withdraw();
    registration?.stop();
    // Streams never have their last answer by themselves.
    liveFeed.stop();
    paymentFeed.stop();
    await Promise.all([drain(), worker?.stop(), stopHousekeeping?.(), sandbox?.stop()]);
    await pages?.close();
  });
  return { publicUrl, port, operationsUrl: operations?.baseUrl ?? `http://127.0.0.1:${port}`, login, deps };
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
  options: Pick<StartOptions, 'watch' | 'onProgress'>,
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ home: env.home, purpose: 'service', ...options });
  closing.last('postgres', () => postgres.stop());
  return postgres;
}

/** Refuses a database that can't be trusted, or that was made under another key or as the other kind of installation. */
async function prepareDatabase(of: {
  ownerUrl: string | undefined;
  work: MigrationOptions['work'];
  db: Database;
  box: SecretBox;
  demo: boolean;
  clock: () => Date;
}) {
  const { ownerUrl, work, db, box, demo, clock } = of;
  await assertDurable(db.pool).catch((error: Error) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      code ? `The database of DATABASE_URL can't be used (${code}): ${error.message}.` : error.message,
    );
  });
  await migrate(db, ownerUrl, work);
  await checkMasterKeys({ db, secretBox: box, clock }).catch((error: unknown) => {
    throw error instanceof MasterKeyError ? new EnvironmentError(error.message) : error;
  });
  const was = await readSetting(db, box, 'demo');
  if (was === null) await setSettingOnce(db, box, 'demo', String(demo));
  else if (was !== String(demo)) {
    throw new EnvironmentError(
      demo
        ? 'This database belongs to a real installation: it can’t be run as a demo. Set DEMO=false and the PSP, or use another database.'
        : 'This database was made as a demo, with play money in it: use an empty database (or TRILHO_HOME) for a real installation.',
    );
  }
  await sealClearRows(db, box);
}

/**
 * Tells every PSP where to call back, until it has heard it; `again` after a contract may have been added. Asking a PSP that has
 * heard it already changes nothing there.
 */
function registerWebhooks(deps: Deps, callbackBase: (rail: string) => string) {
  const registered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const register = async () => {
    clearTimeout(timer);
    let failed = false;
    for (const rail of await deps.rails.pixRails()) {
      if (stopped || registered.has(rail.name)) continue;
      const result = await rail.registerWebhook(pixCallbackUrl(callbackBase(rail.name), deps.secretBox, rail.name));
      if (result.outcome === 'done') {
        registered.add(rail.name);
        continue;
      }
      failed = true;
      deps.log.warn({ rail: rail.name, reason: result.reason }, 'The PSP did not note our callback address yet.');
    }
    if (failed && !stopped) timer = setTimeout(again, REGISTER_EVERY_MS);
  };
  const again = () => {
    register().catch((error: unknown) =>
      deps.log.warn({ err: error }, 'Could not tell the PSPs our callback address.'),
    );
  };
  again();
  return {
    again,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
