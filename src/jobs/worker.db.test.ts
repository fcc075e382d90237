import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '#services/deps.ts';
import { ProviderUnavailable } from '#services/provider-unavailable.ts';
import type { TaskHandlers, TaskResult } from './run-task.ts';
import { createTaskPlaces } from './task-places.ts';
import { drainDueTasks, startWorker } from './worker.ts';

const NOW = new Date('2026-03-02T12:00:00.000Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
afterEach(() => void vi.useRealTimers());

test('a task that does its work in parts goes on with the next one without waiting for a poll', async () => {
  await db.pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('reconcile_day', $1, $2)", [
    uuidv7(NOW),
    NOW,
  ]);
  let parts = 0;
  const readPart = async (): Promise<TaskResult> => {
    parts++;
    return parts < 5 ? { dueAt: NOW, attempts: 'reset' } : 'done';
  };
  // Polls are repeated by an interval: here none comes, and no process notifies another.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const deps = { db, clock: () => NOW, wakeWorkers: () => {}, observe: () => {} } as unknown as Deps;
  const worker = startWorker(
    deps,
    { reconcile_day: readPart } as unknown as TaskHandlers,
    createTaskPlaces(() => {}),
  );
  // Without `vi.waitFor`, which would move the faked interval.
  for (let looks = 0; parts < 5 && looks < 1_000; looks++) await sleep(10);
  expect(parts).toBe(5);
  await worker.stop();
  expect((await db.pool.query('SELECT FROM tasks')).rowCount).toBe(0);
});

test('a bank that does not answer leaves places for what waits for another one, or for none', async () => {
  const callback = async (rail: string) => {
    const id = uuidv7(NOW);
    await db.pool.query(
      `WITH called AS (INSERT INTO inbound_callbacks (id, rail, body, received_at) VALUES ($1, $2, '', $3))
       INSERT INTO tasks (kind, subject_id, due_at) VALUES ('process_callback', $1, $3)`,
      [id, rail, NOW],
    );
    return id;
  };
  const hung = new Set<string>();
  for (let count = 0; count < 200; count++) hung.add(await callback('own-hung'));
  const other = await callback('own-other');
  await db.pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sign_up', $1, $2)", [uuidv7(NOW), NOW]);
  const ran: string[] = [];
  let underway = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const handlers = {
    async process_callback(_: Deps, { subjectId }: { subjectId: string }): Promise<TaskResult> {
      if (hung.has(subjectId)) {
        underway++;
        await answered;
      } else ran.push(subjectId === other ? 'the other bank’s' : subjectId);
      return 'done';
    },
    async sign_up(): Promise<TaskResult> {
      ran.push('sign-up');
      return 'done';
    },
  } as unknown as TaskHandlers;
  let now = NOW;
  const rails = { hostOf: async (rail: string) => `${rail}.example` };
  const deps = { db, rails, clock: () => now, wakeWorkers: () => {}, observe: () => {} } as unknown as Deps;
  const worker = startWorker(
    deps,
    handlers,
    createTaskPlaces(() => {}),
  );
  for (let looks = 0; ran.length < 2 && looks < 1_000; looks++) await sleep(10);
  expect(ran.sort()).toEqual(['sign-up', 'the other bank’s']);
  // 24 that were not counted, and 32 that were.
  expect(underway).toBe(56);
  // The other two have run, but may not be removed yet.
  const attempts = 'SELECT attempts, count(*)::int FROM tasks GROUP BY attempts ORDER BY attempts';
  await expect
    .poll(async () => (await db.pool.query(attempts)).rows)
    .toEqual([
      { attempts: 0, count: 144 },
      { attempts: 1, count: 56 },
    ]);
  answer();
  for (let looks = 0; looks < 1_000; looks++) {
    now = new Date(now.getTime() + 5_000);
    worker.wake();
    if ((await db.pool.query('SELECT FROM tasks')).rowCount === 0) break;
    await sleep(10);
  }
  await worker.stop();
  expect((await db.pool.query('SELECT FROM tasks')).rowCount).toBe(0);
  expect(underway).toBe(200);
});

test('a task that ran well since waits after its next failure as after its first one', async () => {
  const subjectId = uuidv7(NOW);
  await db.pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sweep', $1, $2)", [subjectId, NOW]);
  let now = NOW;
  let isAway = true;
  const handlers = {
    sweep: async (): Promise<TaskResult> => {
      if (isAway) throw new ProviderUnavailable('timeout');
      return { dueAt: new Date(now.getTime() + 600_000), attempts: 'reset' };
    },
  } as unknown as TaskHandlers;
  const log = { warn: () => {} };
  const deps = { db, log, clock: () => now, wakeWorkers: () => {}, observe: () => {} } as unknown as Deps;
  /** Runs it when it is due; returns after how many seconds it is due again. */
  const run = async () => {
    const due = async () => {
      const { rows } = await db.pool.query<{ at: Date }>('SELECT due_at AS at FROM tasks WHERE subject_id = $1', [
        subjectId,
      ]);
      return rows[0]?.at ?? now;
    };
    now = await due();
    await drainDueTasks(deps, handlers);
    return ((await due()).getTime() - now.getTime()) / 1_000;
  };
  expect([await run(), await run(), await run()]).toEqual([1, 5, 15]);
  isAway = false;
  expect(await run()).toBe(600);
  isAway = true;
  expect([await run(), await run()]).toEqual([1, 5]);
});

test('a task of a worker that hangs or has died is run by another one within a minute, and not while it may yet end', async () => {
  const subjectId = uuidv7(NOW);
  await db.pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sweep', $1, $2)", [subjectId, NOW]);
  let now = NOW;
  const deps = { db, clock: () => now, wakeWorkers: () => {}, observe: () => {} } as unknown as Deps;
  const ranAfter: number[] = [];
  const handlers = {
    sweep: async (): Promise<TaskResult> => {
      ranAfter.push(now.getTime() - NOW.getTime());
      if (ranAfter.length > 1) return 'done';
      for (const seconds of [20, 59]) {
        now = new Date(NOW.getTime() + seconds * 1_000);
        await drainDueTasks(deps, handlers);
      }
      return 'done';
    },
  } as unknown as TaskHandlers;
  await drainDueTasks(deps, handlers);
  expect(ranAfter).toEqual([0, 59_000]);
});

test.each<[string, () => TaskResult]>([
  ['is done', () => 'done'],
  ['is due again', () => ({ dueAt: new Date(NOW.getTime() + 1_000), attempts: 'count' })],
  [
    'fails',
    () => {
      throw new ProviderUnavailable('timeout');
    },
  ],
])('a task that %s by a worker whose claim is over stays as another one has it', async (_what, end) => {
  const subjectId = uuidv7(NOW);
  await db.pool.query("INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sweep', $1, $2)", [subjectId, NOW]);
  const claimed = { attempts: 2, due_at: new Date(NOW.getTime() + 60_000), last_error: null };
  const handlers = {
    sweep: async (): Promise<TaskResult> => {
      const claim = 'UPDATE tasks SET attempts = $2, due_at = $3 WHERE subject_id = $1';
      await db.pool.query(claim, [subjectId, claimed.attempts, claimed.due_at]);
      return end();
    },
  } as unknown as TaskHandlers;
  const log = { warn: () => {} };
  const deps = { db, log, clock: () => NOW, wakeWorkers: () => {}, observe: () => {} } as unknown as Deps;
  await drainDueTasks(deps, handlers);
  const { rows } = await db.pool.query('SELECT attempts, due_at, last_error FROM tasks WHERE subject_id = $1', [
    subjectId,
  ]);
  expect(rows).toEqual([claimed]);
});
