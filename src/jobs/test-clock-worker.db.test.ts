import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { NOW, openTestAccount } from '#db/testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import type { Deps } from '#services/deps.ts';
import type { TaskHandlers } from './run-task.ts';
import { startTestClockWorker } from './test-clock-worker.ts';

const HOUR_MS = 60 * 60_000;

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

test('a test clock that is to be moved on the moment its last move ends is moved at once', async () => {
  const { id } = await openTestAccount(db.pool, 'test');
  const moveTo = (targetAt: Date) =>
    db.pool.query('UPDATE test_clocks SET target_at = $2 WHERE account_id = $1', [id, targetAt]);
  const state = async () => {
    const { rows } = await db.pool.query<{ aheadMs: bigint; targetAt: Date | null; holder: string | null }>(
      'SELECT ahead_ms AS "aheadMs", target_at AS "targetAt", holder FROM test_clocks WHERE account_id = $1',
      [id],
    );
    return rows[0];
  };
  await db.pool.query('INSERT INTO test_clocks (account_id, target_at, moved_at) VALUES ($1, $2, $3)', [
    id,
    new Date(NOW.getTime() + HOUR_MS),
    NOW,
  ]);
  let looks = 0;
  let wake = () => {};
  // After the first move the database knows that the clock is released, the process not yet: just
  // then the next move is asked for, and the worker looks.
  const isReleased = { once: false };
  const pool = new Proxy(db.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async (text: string, values?: unknown[]) => {
        const result = await target.query(text, values);
        if (String(text).includes('UPDATE test_clocks c SET holder')) looks++;
        if (!isReleased.once && String(text).startsWith('UPDATE test_clocks SET holder = NULL')) {
          isReleased.once = true;
          await moveTo(new Date(NOW.getTime() + 2 * HOUR_MS));
          const before = looks;
          wake();
          await expect.poll(() => looks).toBeGreaterThan(before);
        }
        return result;
      };
    },
  });
  const log = { warn: () => {}, error: () => {} };
  const deps = { db: { ...db, pool }, clock: () => NOW, sandbox: null, log, observe: () => {} } as unknown as Deps;
  const worker = startTestClockWorker(deps, {} as TaskHandlers);
  wake = worker.wake;
  await expect.poll(state).toEqual({ aheadMs: BigInt(2 * HOUR_MS), targetAt: null, holder: null });
  expect(isReleased.once).toBe(true);
  await worker.stop();
});
