import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { SETTLED_STATUS } from '#domain/transactions/transaction-states.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { startTestService, type TestService } from './test-service.ts';
import { transactionIdOf } from './transaction-id-of.ts';

/**
 * Kills the worker with SIGKILL at every step of a payout, runs the due tasks in another process,
 * and counts what the provider has executed. Between the worker and the sandbox is a proxy that can
 * hold a call before it arrives, or its answer before it comes back; a lock in the database holds
 * what the worker writes.
 */

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SETTLED_MS = 120_000;
/** By how much the next worker's clock advances in each round. */
const STEP_MS = 2_000;
/** Processes start one after the other, each as slowly as a busy machine lets it. */
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });
/** Five moments to be killed at, for each of two kinds. */
const PAYOUTS = 10;

/**
 * The call with which the worker sends, by kind of withdrawal, and where the provider stores what
 * it has executed.
 */
const KINDS = {
  pix: {
    path: '/payments/transfers/pix',
    body: { amount: 12.34, pixKey: '+5511987654321', pixKeyType: 'PHONE' },
    isSend: (req: IncomingMessage) => req.method === 'PUT' && /\/v3\/gn\/pix\//.test(req.url ?? ''),
    executed: 'SELECT count(*) AS n FROM sandbox.payouts',
  },
  crypto: {
    path: '/payments/transfers/crypto',
    body: { amount: 123.45, wallet: WALLET },
    isSend: (req: IncomingMessage) => /\/operations\/withdraw\b/.test(req.url ?? ''),
    executed: 'SELECT count(*) AS n FROM sandbox.crypto_payouts',
  },
} as const;
type Kind = keyof typeof KINDS;
type Account = Awaited<ReturnType<TestService['openAccount']>>;

/** By how many ms the next worker's clock is ahead of the killed one's. */
let aheadMs = 0;
let sandbox: TestService;
let web: TestService;
let proxy: ReturnType<typeof createProxy>;
let accounts: Account[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  sandbox = await startTestService({ variables: { ROLE: 'sandbox' } });
  proxy = createProxy(`${sandbox.url}/sandbox`);
  const proxyUrl = await proxy.listen();
  web = await startTestService({
    beside: sandbox,
    clock: () => new Date(Date.now() + aheadMs),
    variables: { ROLE: 'web', SANDBOX_URL: proxyUrl },
  });
  accounts = await fundAccounts(PAYOUTS);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await web.stop();
  proxy.close();
  await sandbox.stop();
});

describe.each<Kind>(['pix', 'crypto'])('a %s payout whose worker is killed', (kind) => {
  const settled = SETTLED_STATUS[`${kind}_out`];
  test.each<[string, (at: Stage) => Promise<void>]>([
    [
      'before it claims the right to send',
      async (at) => {
        await at.lockTransactions();
        await at.startWorker();
        await at.isBlocked();
      },
    ],
    [
      'after the claim, before the call leaves',
      async (at) => {
        const held = proxy.hold(KINDS[kind].isSend, 'request');
        await at.startWorker();
        await held;
      },
    ],
    [
      'after the provider has executed it, before the answer arrives',
      async (at) => {
        const held = proxy.hold(KINDS[kind].isSend, 'answer');
        await at.startWorker();
        await held;
      },
    ],
    [
      'after the answer has arrived, before it is noted',
      async (at) => {
        const held = proxy.hold(KINDS[kind].isSend, 'answer');
        await at.startWorker();
        await held;
        await at.lockTransactions();
        proxy.release();
        await at.isBlocked();
      },
    ],
    [
      'after it is noted as accepted',
      async (at) => {
        await at.startWorker();
        await at.isAccepted();
      },
    ],
  ])('%s: is executed once, and the ledger balances', async (_, until) => {
    const { path, body, executed } = KINDS[kind];
    const account = accounts.pop();
    if (!account) throw new Error('There are fewer accounts than payouts.');
    aheadMs = 0;
    const before = await count(executed);
    const answer = await web.post(path, account.apiKey, body);
    expect(answer.status).toBe(200);
    const id = transactionIdOf(answer);

    const stage = createStage(id);
    await until(stage);
    await stage.kill();

    // The tasks that the dead worker had claimed are due again; this process acts as the next
    // worker.
    await web.deps.db.pool.query('UPDATE tasks SET due_at = now() WHERE due_at > now()');
    await isSettled(id, settled);
    expect(await count(executed)).toBe(before + 1);

    const { rows } = await web.deps.db.pool.query<{ kind: string; balance: bigint }>(
      'SELECT kind, balance_centavos AS balance FROM ledger_accounts WHERE account_id = $1 ORDER BY kind',
      [account.accountId],
    );
    const spent = BigInt(Math.round(body.amount * 100));
    expect(rows.map(({ balance }) => balance)).toEqual([1_000_00n - spent, 0n, 0n]);
    const events = await web.deps.db.pool.query<{ type: string }>(
      'SELECT type FROM events WHERE transaction_id = $1 AND type = $2',
      [id, `${kind}_out.${settled}`],
    );
    expect(events.rows).toHaveLength(1);
    expect((await checkLedger(web.deps.db.pool)).discrepancies).toEqual([]);
  });
});

type Stage = ReturnType<typeof createStage>;

function createStage(id: string) {
  let worker: ChildProcess | undefined;
  let lock: pg.Client | undefined;
  const { pool } = web.deps.db;
  return {
    async startWorker() {
      worker = startWorkerProcess();
    },
    /** Blocks everything that writes a transaction from now on. */
    async lockTransactions() {
      lock = new pg.Client({ connectionString: sandbox.databaseUrl });
      await lock.connect();
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE transactions IN EXCLUSIVE MODE');
    },
    isBlocked: () =>
      sandbox.until(
        'the worker waits for the lock',
        async () => {
          const { rows } = await pool.query(
            `SELECT FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'payout_(start|processing|complete)'`,
          );
          return rows.length > 0 ? true : null;
        },
        SETTLED_MS,
      ),
    isAccepted: () =>
      sandbox.until(
        'the provider’s answer is noted',
        async () => {
          const { rows } = await pool.query(`SELECT FROM transactions WHERE id = $1 AND payout_step = 'sent'`, [id]);
          return rows.length > 0 ? true : null;
        },
        SETTLED_MS,
      ),
    /**
     * Kills the worker before it releases what held it, so that nothing of the worker still
     * happens.
     */
    async kill() {
      const exited = new Promise((resolve) => worker?.once('exit', resolve));
      worker?.kill('SIGKILL');
      await exited;
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'payout_'`,
      );
      await lock?.end();
      lock = undefined;
      proxy.drop();
    },
  };
}

/** Opens an account with money for every payout, before the first worker is killed. */
async function fundAccounts(count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let made = 0; made < count; made++) {
    const account = await web.openAccount({ currency: 'USDT_BSC' });
    const charge = await web.post('/payments/transactions', account.apiKey, { amount: 1000 });
    const id = transactionIdOf(charge);
    await sandbox.pay(id);
    await isSettled(id, 'paid');
    accounts.push(account);
  }
  return accounts;
}

/**
 * Runs due tasks in this process until the transaction is settled, with a clock that advances in
 * each round.
 */
const isSettled = (id: string, settled: string) =>
  sandbox.until(
    `the transaction is ${settled}`,
    async () => {
      aheadMs += STEP_MS;
      await drainDueTasks(web.deps, TASK_HANDLERS);
      const { rows } = await web.deps.db.pool.query('SELECT FROM transactions WHERE id = $1 AND status = $2', [
        id,
        settled,
      ]);
      return rows.length > 0 ? true : null;
    },
    SETTLED_MS,
  );

async function count(sql: string): Promise<number> {
  const { rows } = await web.deps.db.pool.query<{ n: bigint }>(sql);
  return Number(rows[0]?.n);
}

function startWorkerProcess(): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ROLE: 'worker',
      PORT: '0',
      TRILHO_HOME: web.home,
      DATABASE_URL: sandbox.databaseUrl,
      DEMO: 'true',
      MASTER_KEYS: sandbox.masterKeys,
      SANDBOX_URL: proxy.url(),
      LOG_LEVEL: 'error',
      DEFAULT_LIMITS: 'none',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

/**
 * Passes everything on to the sandbox, and can hold one call: before it is passed on, or its answer
 * before it goes back.
 */
function createProxy(target: string) {
  let wanted: { matches: (req: IncomingMessage) => boolean; at: 'request' | 'answer'; reached: () => void } | undefined;
  let go: (() => void) | undefined;
  const open = new Set<ServerResponse>();
  const server = createServer(async (req, res) => {
    open.add(res);
    res.on('close', () => open.delete(res));
    const holding = wanted?.matches(req) ? wanted : undefined;
    if (holding) wanted = undefined;
    if (holding?.at === 'request') {
      // Held for ever: its sender will be dead, and it never arrives.
      holding.reached();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { host: _, ...headers } = req.headers;
    const passed = request(target + req.url, { method: req.method, headers }, async (answer) => {
      const body: Buffer[] = [];
      for await (const chunk of answer) body.push(chunk as Buffer);
      if (holding) {
        holding.reached();
        await new Promise<void>((resolve) => {
          go = resolve;
        });
      }
      if (res.destroyed) return;
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      res.end(Buffer.concat(body));
    });
    passed.on('error', () => res.destroy());
    passed.end(Buffer.concat(chunks));
  });
  return {
    async listen() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return this.url();
    },
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when the call is held. */
    hold: (matches: (req: IncomingMessage) => boolean, at: 'request' | 'answer') =>
      new Promise<void>((reached) => {
        wanted = { matches, at, reached };
      }),
    release: () => go?.(),
    drop() {
      for (const res of open) res.destroy();
    },
    close: () => server.closeAllConnections(),
  };
}
