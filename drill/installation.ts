import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { lastLines, startService } from '../bench/processes.ts';
import { type Closing, withClosing } from '../bench/with-closing.ts';
import { SANDBOX_MOUNT, sandboxControlToken } from '../src/config/sandbox-account.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import type { ClockOrder } from './move-clock.ts';
import { type ClusterOptions, type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { type ProviderProxy, startProviderProxy } from './provider-proxy.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { MemoryOrder, MemoryReport } from './report-memory.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const CHARGE_EXPIRY_SECONDS = 86_400;
/** How many merchants share the load: the rows of one are contended, those of several are not. */
const ACCOUNTS = 3;

/**
 * How often a process that does not start is started again, as systemd does it: for as long as
 * PostgreSQL takes to recover.
 */
const STARTS_MAX = 60;
const START_AGAIN_MS = 500;

export type Role = 'web' | 'worker';

/** What a process may use: open files and connections, and megabytes of V8's old generation. */
export type ProcessLimits = { filesMax?: number; heapMegabytes?: number };

/** A process of the service that is started again after each of its ends. */
export type ServiceProcess = {
  role: Role;
  /** Its role and its number. */
  name: string;
  /** Of the process that runs now. */
  pid(): number;
  /** Ends it at once, and starts it again; resolves when it is ready. */
  kill(): Promise<void>;
  /**
   * Ends it in order, and starts it again, from now on with these limits; resolves when it is
   * ready.
   */
  restart(limits?: ProcessLimits): Promise<void>;
  /**
   * The bytes of memory that it takes once its garbage is collected, where the drill asked for
   * processes that report it; null: it does not answer, because it has ended or is too busy.
   */
  residentBytes(): Promise<number | null>;
  /** Moves its clock, where the drill asked for clocks that can be moved. */
  setClockOffset(ms: number): void;
};

export type Account = { id: string; apiKey: string };

export type Installation = {
  /** Where merchants reach the service: a load balancer in front of the web processes. */
  url: string;
  sandboxUrl: string;
  controlToken: string;
  accounts: Account[];
  processes: ServiceProcess[];
  /** The ends of processes that nobody asked for; each was started again. */
  crashes: string[];
  /** The service's database, and the simulators', which is another company's. */
  postgres: PostgresServer;
  providerPostgres: PostgresServer;
  /** The service's database where the drill asked for nodes that replace each other. */
  cluster: PostgresCluster | null;
  /** Between the service and its database, where the drill asked for it. */
  databaseProxy: TcpProxy | null;
  /** Between the service and the simulators, likewise. */
  providerProxy: ProviderProxy | null;
  receiver: Receiver;
  /** The environment of a command line beside the service. */
  commandEnv: Record<string, string>;
  /** A folder for the drill's own files. */
  folder: string;
};

export type InstallationOptions = {
  webs: number;
  workers: number;
  /** Puts a proxy between the service and its database. */
  proxied?: boolean;
  /** Puts the service's database on three nodes that replace each other. */
  cluster?: ClusterOptions;
  /** Loads what moves the clock into the service's processes. */
  movableClocks?: boolean;
  /** Loads what reports memory into the service's processes. */
  reportsMemory?: boolean;
  /** Puts a proxy between the service and the simulators. */
  providerProxied?: boolean;
  /** Puts the service's database on a disk of this size, where that is possible. */
  diskMegabytes?: number;
  variables?: Record<string, string>;
  onNote(line: string): void;
};

/**
 * Starts an installation as production has it, each role in processes of its own, runs `work`, and
 * stops and removes the installation whatever happens.
 */
export const withInstallation = <T>(
  options: InstallationOptions,
  work: (installation: Installation) => Promise<T>,
): Promise<T> => withClosing(async (closing) => work(await start(options, closing)));

async function start(options: InstallationOptions, closing: Closing): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-drill-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const cluster = options.cluster ? await startPostgresCluster(options.cluster, closing) : null;
  const [postgres, providerPostgres] = await Promise.all([
    cluster
      ? asOneServer(cluster)
      : startPostgresServer({ onTrouble: options.onNote, diskMegabytes: options.diskMegabytes }),
    startPostgresServer({ onTrouble: options.onNote }),
  ]);
  closing.push(() => postgres.stop());
  closing.push(() => providerPostgres.stop());
  const receiver = await startReceiver();
  closing.push(() => receiver.close());
  const databaseProxy = options.proxied ? await startTcpProxy(() => [Number(new URL(postgres.url).port)]) : null;
  if (databaseProxy) closing.push(() => databaseProxy.close());

  const masterKeys = generateMasterKeys();
  const secretBox = createSecretBox(masterKeys);
  const accounts = await openAccounts(postgres, secretBox, receiver.url);
  const env = {
    DEMO: 'true',
    MASTER_KEYS: masterKeys,
    LOG_LEVEL: 'warn',
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  };
  const home = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  const sandbox = await startService({
    home: home('sandbox'),
    log: join(folder, 'sandbox.log'),
    env: {
      ...env,
      ROLE: 'sandbox',
      DATABASE_URL: providerPostgres.url,
      DATABASE_OWNER_URL: providerPostgres.ownerUrl,
    },
  });
  closing.push(() => sandbox.stop());

  const ports = new Map<string, number>();
  const balancer = await startTcpProxy(() => [...ports.values()]);
  closing.push(() => balancer.close());
  const url = `http://127.0.0.1:${balancer.port}`;
  const sandboxUrl = sandbox.url + SANDBOX_MOUNT;
  const providerProxy = options.providerProxied ? await startProviderProxy(sandboxUrl) : null;
  if (providerProxy) closing.push(() => providerProxy.close());
  const through = (address: string) => (databaseProxy ? withPort(address, databaseProxy.port) : address);
  const serviceEnv = {
    ...env,
    DATABASE_URL: through(postgres.url),
    DATABASE_OWNER_URL: through(postgres.ownerUrl),
    ...(cluster && { DATABASE_DIRECT_URL: cluster.directUrl }),
    SANDBOX_URL: providerProxy?.url ?? sandboxUrl,
    PUBLIC_URL: url,
    // The load comes from few keys and one address.
    RATE_LIMIT_PER_KEY: '10000000',
    RATE_LIMIT_ANONYMOUS: '10000000',
    CHARGE_EXPIRY_SECONDS: String(CHARGE_EXPIRY_SECONDS),
    DEFAULT_LIMITS: 'none',
    ...options.variables,
  };
  const names = (role: Role, count: number) => Array.from({ length: count }, (_, at) => ({ role, name: role + at }));
  const processes: Awaited<ReturnType<typeof keepProcess>>[] = [];
  const crashes: string[] = [];
  closing.push(async () => void (await Promise.all(processes.map((process) => process.stop()))));
  for (const { role, name } of [...names('web', options.webs), ...names('worker', options.workers)]) {
    const kept = await keepProcess({
      role,
      name,
      env: serviceEnv,
      home: home(name),
      log: join(folder, `${name}.log`),
      imports: [
        ...(options.movableClocks ? [new URL('move-clock.ts', import.meta.url).href] : []),
        ...(options.reportsMemory ? [new URL('report-memory.ts', import.meta.url).href] : []),
      ],
      onCrash(what) {
        crashes.push(what);
        options.onNote(what);
      },
      onPort: (port) => (role === 'web' && port !== null ? ports.set(name, port) : ports.delete(name)),
    });
    processes.push(kept);
  }
  return {
    url,
    sandboxUrl,
    controlToken: sandboxControlToken(secretBox),
    accounts,
    processes,
    crashes,
    postgres,
    providerPostgres,
    cluster,
    databaseProxy,
    providerProxy,
    receiver,
    commandEnv: {
      ...env,
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      ...(cluster && { DATABASE_DIRECT_URL: cluster.directUrl }),
    },
    folder,
  };
}

/** Starts a process and starts it again at once after each of its ends, as a supervisor does. */
async function keepProcess(options: {
  role: Role;
  name: string;
  env: Record<string, string>;
  home: string;
  log: string;
  imports: readonly string[];
  onPort(port: number | null): void;
  /** Called when it has ended and was not asked to. */
  onCrash(what: string): void;
}): Promise<ServiceProcess & { stop(): Promise<void> }> {
  const { role, name, env, home, log, imports, onPort, onCrash } = options;
  let isEnding = false;
  let limits: ProcessLimits = {};
  /** The start after a crash that is in progress. */
  let recovery: Promise<void> | null = null;
  const begin = async () => {
    const { filesMax, heapMegabytes } = limits;
    const started = await startService({
      home,
      log,
      imports,
      filesMax,
      env: { ...env, ROLE: role, ...(heapMegabytes && { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` }) },
    });
    onPort(Number(new URL(started.url).port));
    started.process.once('exit', (code, signal) => {
      if (isEnding) return;
      onCrash(`${name} ended by itself (${signal ?? code}): ${lastLines(log)}`);
      recovery = again();
      // Whoever ends it next gets the error.
      recovery.catch(() => {});
    });
    return started;
  };
  let child = await begin();
  /** Ends it by `end`, with no start of it in progress. */
  const endBy = async (end: () => Promise<void>) => {
    await recovery;
    isEnding = true;
    await end();
    isEnding = false;
  };
  const again = async () => {
    onPort(null);
    for (let left = STARTS_MAX; ; left--) {
      try {
        child = await begin();
        return;
      } catch (error) {
        // It ends while its database is unavailable; its supervisor starts it again.
        if (left === 0) throw error;
        await sleep(START_AGAIN_MS);
      }
    }
  };
  return {
    role,
    name,
    pid: () => child.process.pid ?? 0,
    async kill() {
      await endBy(() => killed(child.process));
      await again();
    },
    async restart(next = {}) {
      limits = next;
      // A load balancer learns it from readiness: a process that stops gets no new connections.
      onPort(null);
      await endBy(() => child.stop());
      const { exitCode } = child.process;
      if (exitCode !== 0) throw new Error(`A ${role} that was asked to stop ended with ${exitCode}.`);
      await again();
    },
    residentBytes: () => askMemory(child.process),
    setClockOffset(ms) {
      const order: ClockOrder = { clockOffsetMs: ms };
      child.process.send(order);
    },
    async stop() {
      await recovery?.catch(() => {});
      recovery = null;
      await endBy(() => child.stop());
    },
  };
}

/** More than a collection takes on a machine that does other work. */
const MEMORY_WITHIN_MS = 5_000;

function askMemory(child: ChildProcess): Promise<number | null> {
  const order: MemoryOrder = { memory: 'after a collection' };
  return new Promise((resolve) => {
    const end = (bytes: number | null) => {
      clearTimeout(timer);
      child.off('message', read);
      resolve(bytes);
    };
    const read = ({ residentBytes }: Partial<MemoryReport>) => residentBytes !== undefined && end(residentBytes);
    const timer = setTimeout(() => end(null), MEMORY_WITHIN_MS);
    child.on('message', read);
    if (!child.connected) end(null);
    else child.send(order, (error) => error && end(null));
  });
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  return ended;
}

async function openAccounts(
  { url, ownerUrl }: PostgresServer,
  secretBox: ReturnType<typeof createSecretBox>,
  webhookUrl: string,
): Promise<Account[]> {
  const db = openDatabase(url, { max: 1 });
  try {
    await migrate(db, ownerUrl);
    const settings = { demo: true, chargeExpirySeconds: CHARGE_EXPIRY_SECONDS };
    const accounts: Account[] = [];
    for (let number = 1; number <= ACCOUNTS; number++) {
      const { accountId, apiKey } = await openAccount(
        { db, secretBox, settings, clock: () => new Date() },
        {
          ...PLAIN_ACCOUNT,
          name: `Padaria ${number}`,
          email: `drill-${number}@example.com`,
          currency: 'USDT_BSC',
          webhookUrl,
        },
      );
      accounts.push({ id: accountId, apiKey });
    }
    return accounts;
  } finally {
    await db.close();
  }
}

/** The cluster as a single server: its nodes are killed by the cluster's own functions. */
function asOneServer({ url, ownerUrl }: PostgresCluster): PostgresServer {
  return {
    url,
    ownerUrl,
    disk: null,
    kill() {
      throw new Error('A cluster’s nodes are killed one at a time.');
    },
    stop: async () => {},
  };
}

function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
