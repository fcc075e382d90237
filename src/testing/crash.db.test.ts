import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readMasterKeys } from '#config/master-keys.ts';
import { sandboxControlToken } from '#config/sandbox-account.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { openAccount } from '#services/accounts/open-account.ts';

/**
 * Kills at these moments after the service was ready, ms: fixed, so that a failure can be repeated.
 */
const KILLS_MS = [350, 90, 700];
/** Processes start one after the other, each as slowly as a busy machine lets it. */
vi.setConfig({ testTimeout: 600_000 });
const CLIENTS = 6;
const READY_MS = 120_000;

let database: TestDatabase;
let db: Database;
let home: string;
let port: number;
const received = new Map<string, Set<string>>();
const receiver = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const { type, data } = JSON.parse(Buffer.concat(chunks).toString());
  if (type === 'pix_in.paid') {
    const ids = received.get(data.transaction_id) ?? new Set();
    received.set(data.transaction_id, ids.add(String(req.headers['webhook-id'])));
  }
  res.end();
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  home = mkdtempSync(join(tmpdir(), 'trilho-crash-'));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = await freePort();
});
afterAll(async () => {
  receiver.close();
  await db.close();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

test('after kill -9 at any moment under load: what was answered exists, what was paid is credited once and delivered', async () => {
  const box = createSecretBox(readMasterKeys({ masterKeys: undefined, home }));
  const settings = { demo: true, chargeExpirySeconds: 3600 };
  const account = await openAccount(
    { db, secretBox: box, clock: () => new Date(), settings },
    {
      name: 'Padaria',
      email: 'crash@example.com',
      document: '12345678909',
      documentType: 'cpf',
      kycStatus: 'approved',
      mode: 'test',
      currency: null,
      fees: [],
      limits: [],
      canCreateAccounts: false,
      webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    },
  );
  const headers = { 'content-type': 'application/json' };
  const answered = new Map<string, number>();
  const paid = new Set<string>();

  const load = async (stop: AbortSignal) => {
    for (let centavos = 100; !stop.aborted; centavos++) {
      const amount = centavos / 100;
      try {
        const created = await fetch(`http://127.0.0.1:${port}/payments/transactions`, {
          method: 'POST',
          headers: { ...headers, 'x-api-key': account.apiKey },
          body: JSON.stringify({ amount }),
        });
        const { data } = (await created.json()) as { data: { transaction_id: string } };
        if (created.status !== 200) continue;
        answered.set(data.transaction_id, amount);
        const payment = await fetch(`http://127.0.0.1:${port}/sandbox/control/pay`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${sandboxControlToken(box)}` },
          body: JSON.stringify({ txid: uuidToTxid(data.transaction_id) }),
        });
        if (payment.ok) paid.add(data.transaction_id);
      } catch {
        // The service is being killed: the answer is unknown, and nothing is promised.
      }
    }
  };

  for (const killAfterMs of KILLS_MS) {
    const service = await startProcess();
    const stop = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => load(stop.signal));
    const paidBefore = paid.size;
    // Under way first: on a busy machine the first payments take longer than all of this.
    await vi.waitUntil(() => paid.size > paidBefore + CLIENTS / 2, { timeout: READY_MS, interval: 10 });
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    service.kill('SIGKILL');
    stop.abort();
    await Promise.all(clients);
  }
  expect(paid.size).toBeGreaterThan(KILLS_MS.length * (CLIENTS / 2));

  const service = await startProcess();
  // Leases of the dead end now instead of within 30 s.
  await db.pool.query(`UPDATE tasks SET due_at = now() WHERE due_at < now() + interval '31 seconds'`);
  await db.pool.query(`UPDATE sandbox.callbacks SET due_at = now() WHERE state = 'due'`);
  await settled([...paid]);

  const { rows } = await db.pool.query<{ id: string; amount: bigint; credits: bigint }>(
    `SELECT t.id, t.amount_centavos AS amount,
       (SELECT count(*) FROM ledger_transfers l WHERE l.transaction_id = t.id AND l.kind = 'charge_paid') AS credits
     FROM transactions t WHERE account_id = $1`,
    [account.accountId],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const [id, amount] of answered) expect(found.get(id)?.amount).toBe(BigInt(Math.round(amount * 100)));
  for (const id of paid) expect([id, found.get(id)?.credits]).toEqual([id, 1n]);
  for (const id of paid) expect([id, received.get(id)?.size]).toEqual([id, 1]);
  expect((await checkLedger(db.pool)).discrepancies).toEqual([]);

  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('SIGTERM lets requests that were accepted finish, and ends with exit code 0', async () => {
  const service = await startProcess();
  const statuses: number[] = [];
  const broken: unknown[] = [];
  const balance = () =>
    fetch(`http://127.0.0.1:${port}/payments/balance`, { headers: { 'x-api-key': 'none' } }).then(async (response) => {
      await response.text();
      statuses.push(response.status);
    });
  const inFlight = Array.from({ length: 50 }, () => balance().catch((error: unknown) => broken.push(error)));
  await inFlight[0];
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await Promise.all(inFlight);
  expect(broken).toEqual([]);
  expect(statuses.every((status) => status === 401 || status === 503)).toBe(true);
  expect(await ended).toBe(0);
});

/** Until every paid charge is credited and delivered. */
async function settled(ids: string[]): Promise<void> {
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; ) {
    const { rows } = await db.pool.query(`SELECT FROM transactions WHERE id = ANY ($1) AND status <> 'paid'`, [ids]);
    if (rows.length === 0 && ids.every((id) => received.has(id))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: database.url,
      DEMO: 'true',
      DATABASE_OWNER_URL: database.ownerUrl,
      TRILHO_HOME: home,
      PORT: String(port),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; ) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return child;
    if (typeof child.exitCode === 'number') throw new Error(`The service ended with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error('The service did not become ready.');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => resolve(free));
    });
  });
}
