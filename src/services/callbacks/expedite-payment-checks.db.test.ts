import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimTasks, expediteTasks, LEASE_MS } from '#db/tasks/tasks.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { processCallback } from './process-callback.ts';
import { receiveCallback } from './receive-callback.ts';

/** The service's clock is moved by the tests; the sandbox reads the same clock. */
let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => trilho.stop());

/** A new charge is checked after 30 s; the next check of one of this age is five hours away. */
const OLD_MS = 61 * 60_000;

async function openCharge(path: string, body: object): Promise<string> {
  const { apiKey } = await trilho.openAccount({ currency: 'USDT_BSC' });
  return transactionIdOf(await trilho.post(path, apiKey, body));
}

const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT FROM transactions WHERE id = $1 AND status = $2', [
      id,
      status,
    ]);
    return rows.length > 0 ? true : null;
  });

const dueAt = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query<{ dueAt: Date }>(
    'SELECT due_at AS "dueAt" FROM tasks WHERE subject_id = $1',
    [id],
  );
  return rows[0]?.dueAt.getTime();
};

test('a charge that was paid while the database was away is credited when it is back, although no callback came', async () => {
  const id = await openCharge('/payments/transactions', { amount: 10 });
  aheadMs += OLD_MS;
  await trilho.until('the checks of its first hour are over', async () =>
    ((await dueAt(id)) ?? 0) > Date.now() + aheadMs + LEASE_MS ? true : null,
  );
  await trilho.setSwitch('pix.callback', 'never');
  await trilho.pay(id);
  expect(await dueAt(id)).toBeGreaterThan(Date.now() + aheadMs + OLD_MS);

  await trilho.asOwner(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trilho-listener'",
  );
  await becomes(id, 'paid');
  await trilho.setSwitch('pix.callback', 'once');
});

/**
 * Processes a callback of some payments of no charge, as the worker that has claimed it; `find`
 * is what the PSP says of each.
 */
async function processPayments(endToEndIds: string[], find: (endToEndId: string, id: string) => Promise<object>) {
  const { pool } = trilho.deps.db;
  // Ahead of the service's own worker, which never finds the task due.
  aheadOfService = OLD_MS;
  const clock = () => new Date(Date.now() + aheadMs + aheadOfService);
  const dueFirst = clock();
  await receiveCallback(
    { ...trilho.deps, clock: () => dueFirst, wakeWorkers: () => {} },
    { rail: 'sandbox', body: '{}' },
  );
  const leaseUntil = new Date(dueFirst.getTime() + LEASE_MS);
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE tasks SET due_at = $2, attempts = 1 WHERE kind = 'process_callback' AND due_at = $1
     RETURNING subject_id AS id`,
    [dueFirst, leaseUntil],
  );
  const subjectId = rows[0]?.id ?? '';
  const rail = {
    name: 'sandbox',
    parseCallback: () => endToEndIds.map((endToEndId) => ({ about: 'payment', txid: null, endToEndId })),
    findPayment: (endToEndId: string) => find(endToEndId, subjectId),
  };
  const rails = { ...trilho.deps.rails, pixNamed: async () => rail } as unknown as Deps['rails'];
  const task = { kind: 'process_callback' as const, subjectId, attempts: 1, leaseUntil };
  await processCallback({ ...trilho.deps, clock, rails }, task);
  return dueAt(subjectId);
}

let aheadOfService = 0;

test('a callback of many payments stays with the worker that processes it, however long its PSP takes for each', async () => {
  const claimed: boolean[] = [];
  const left = await processPayments(['E1', 'E2', 'E3', 'E4'], async (_, id) => {
    aheadOfService += LEASE_MS / 2 - 1_000;
    claimed.push(((await dueAt(id)) ?? 0) > Date.now() + aheadMs + aheadOfService);
    return { outcome: 'done', value: null };
  });
  expect(claimed).toEqual([true, true, true, true]);
  expect(left).toBeUndefined();
});

test('a callback that another worker has claimed while this one ended its work stays with that one', async () => {
  const { pool } = trilho.deps.db;
  const claimedUntil = new Date(Date.now() + aheadMs + 2 * OLD_MS);
  const left = await processPayments(['E1'], async (_, id) => {
    await pool.query('UPDATE tasks SET due_at = $2 WHERE subject_id = $1', [id, claimedUntil]);
    return { outcome: 'done', value: null };
  });
  expect(left).toBe(claimedUntil.getTime());
  await pool.query('DELETE FROM tasks WHERE due_at = $1', [claimedUntil]);
});

test('a payment that the PSP can’t say anything about holds up no other of its callback, which is processed again', async () => {
  const asked: string[] = [];
  const processed = processPayments(['E1', 'E2', 'E3'], async (endToEndId) => {
    asked.push(endToEndId);
    return endToEndId === 'E1' ? { outcome: 'unknown', reason: 'silent' } : { outcome: 'done', value: null };
  });
  await expect(processed).rejects.toThrow(ProviderUnavailable);
  expect(asked).toEqual(['E1', 'E2', 'E3']);
});

test('tasks are brought forward one after the other, the newest first; not those that are claimed or due sooner', async () => {
  const { pool } = trilho.deps.db;
  const now = new Date(Date.now() + aheadMs);
  const later = (ms: number) => new Date(now.getTime() + ms);
  // Of a kind that the service does not bring forward, and not due yet: no worker takes them.
  const ids = [1, 2, 3, 4, 5].map((age) => uuidv7(later(-age * 60_000)));
  const [first, second, third, sooner, claimed] = ids as [string, string, string, string, string];
  for (const id of [first, second, third])
    await pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('send_held', $1, $2)", [id, later(OLD_MS)]);
  await pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('send_held', $1, $2)", [
    sooner,
    later(60_001),
  ]);
  await pool.query("INSERT INTO tasks (kind, subject_id, due_at, attempts) VALUES ('send_held', $1, $2, 1)", [
    claimed,
    later(LEASE_MS),
  ]);

  const order = { kinds: ['send_held'] as const, now, everyMs: 60_000, limit: 3 };
  expect(await expediteTasks(pool, order)).toBe(3);
  expect(await Promise.all(ids.map(dueAt))).toEqual(
    [60_000, 120_000, 180_000, 60_001, LEASE_MS].map((ms) => later(ms).getTime()),
  );
  // A second call changes nothing: several processes may make it.
  expect(await expediteTasks(pool, { ...order, limit: 10 })).toBe(0);
  expect(await claimTasks(pool, { now: later(0), leaseMs: LEASE_MS, limit: 10 })).toEqual([]);
  await pool.query("DELETE FROM tasks WHERE kind = 'send_held'");
});
