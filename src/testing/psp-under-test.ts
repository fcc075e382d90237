import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { SANDBOX_MOUNT, sandboxClients, sandboxControlTokens, sandboxCryptoShop } from '#config/sandbox-account.ts';
import { createTestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { type SwitchName, writeSwitch } from '#sandbox/switches.ts';
import { startTestService, type TestService } from './test-service.ts';

/** Where a call gets lost: before the PSP gets it, or after it has executed it. */
export type Loss = 'request' | 'answer';

export type PspUnderTest = {
  /** The service beside it, without a worker: the test runs its tasks. */
  service(): TestService;
  /** Moves the clock that the service and the PSP share. */
  advance(ms: number): void;
  now(): Date;
  /** Processes what is due at the PSP, and sends its callbacks, once. */
  drain(): Promise<void>;
  /** Processes what is due at the PSP, then what is due here. */
  work(): Promise<void>;
  setSwitch(name: string, value: string): Promise<void>;
  /** The service's next calls to the PSP get no answer. */
  lose(losses: readonly Loss[]): void;
  /** Stops the service and starts it again: another process, on the same database. */
  restart(): Promise<void>;
  /** For the owner of the database, in which the PSP has its books too. */
  readonly pool: pg.Pool;
  stop(): Promise<void>;
};

const START = Date.parse('2026-11-20T12:00:00.000Z');

/**
 * The service and the sandbox PSP on one database and one clock. Nothing happens by itself: the
 * test moves the clock, has the PSP do what is due, and does the worker's tasks.
 */
export async function startPspUnderTest(): Promise<PspUnderTest> {
  let time = START;
  const clock = () => new Date(time);
  const masterKeys = generateMasterKeys();
  const box = createSecretBox(masterKeys);
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 4 });
  // The database is dropped before its connections have noticed that they are closed.
  pool.on('error', () => {});
  const silent = () => {};
  const sandbox = createSandbox({
    pool,
    clock,
    publicHost: `psp.example${SANDBOX_MOUNT}`,
    clients: sandboxClients(box),
    controlTokens: sandboxControlTokens(box),
    cryptoShops: [sandboxCryptoShop(box)],
    merchantName: 'Trilho Sandbox',
    merchantCity: 'Sao Paulo',
    log: { info: silent, warn: silent, error: silent },
  });
  await sandbox.prepare();

  let losses: Loss[] = [];
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const path = (req.url ?? '').slice(SANDBOX_MOUNT.length);
    // The test's own commands are never lost, nor is a token, which is no step of a payment.
    const isCall = !/^\/(control|oauth)\//.test(path);
    const loss = isCall ? losses.shift() : undefined;
    if (loss === 'request') {
      res.destroy();
      return;
    }
    if (loss === 'answer') res.end = () => res.destroy();
    sandbox.handle(req, res, path);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${SANDBOX_MOUNT}`;

  const start = () =>
    startTestService({
      beside: { databaseUrl: database.url, ownerUrl: database.ownerUrl, masterKeys },
      clock,
      variables: { ROLE: 'web', SANDBOX_URL: sandboxUrl },
    });
  let service = await start();
  const isReachable = () =>
    service.until('the PSP knows where to call back', async () => {
      const { rows } = await pool.query<{ webhook_url: string }>('SELECT webhook_url FROM sandbox.webhooks');
      return rows[0]?.webhook_url.startsWith(service.url) ? true : null;
    });
  await isReachable();

  return {
    service: () => service,
    advance(ms) {
      time += ms;
    },
    now: clock,
    drain: () => sandbox.drainDueTasks(),
    async work() {
      await sandbox.drainDueTasks();
      await drainDueTasks(service.deps, TASK_HANDLERS);
    },
    setSwitch: (name, value) => writeSwitch(pool, name as SwitchName, value),
    lose(next) {
      losses = [...next];
    },
    async restart() {
      await service.stop();
      service = await start();
      await isReachable();
    },
    pool,
    async stop() {
      await service.stop();
      await sandbox.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
      await database.drop();
    },
  };
}
