import {
  claimTasksOfClock,
  hasTestClocks,
  holdDueClocks,
  keepHolding,
  releaseClock,
  type TestClock,
} from '#db/accounts/test-clocks.ts';
import { LEASE_MS } from '#db/tasks/tasks.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { holdUntil, moveClock } from '#services/accounts/move-clock.ts';
import { onTestClock } from '#services/accounts/on-test-clock.ts';
import type { Deps } from '#services/deps.ts';
import { runTask, type TaskHandlers } from './run-task.ts';

/** Clocks that one process moves at once; testers are few. */
const CLOCKS_MAX = 8;
/** Tasks of one clock under way at once. */
const CONCURRENCY = 16;
/** How often due tasks of clocks are looked for; a notification comes sooner. */
const POLL_INTERVAL_MS = 1_000;

export type TestClockWorker = {
  /** Polls now: something was written. */
  wake(): void;
  /** Takes no more clocks, and waits for what is under way. */
  stop(): Promise<void>;
};

/**
 * Runs the tasks of accounts with test clocks: each clock by one worker at a time, so that it never
 * moves while a task of its time is under way. Where no account has a clock it only checks once a
 * second whether there is one.
 */
export function startTestClockWorker(deps: Deps, handlers: TaskHandlers): TestClockWorker {
  const underway = new Map<string, Promise<void>>();
  const holder = uuidv7(deps.clock());
  let stopping = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let anyClock = false;

  const look = async () => {
    anyClock = await hasTestClocks(deps.db.pool);
    do {
      lookAgain = false;
      if (stopping || !anyClock) return;
      for (const clock of await holdDueOf(deps, holder, [...underway.keys()])) begin(clock);
    } while (lookAgain);
  };
  const poll = () => {
    if (stopping) return;
    lookAgain = true;
    looking ??= look()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'Could not look for test clocks; trying again.'))
      .finally(() => {
        looking = null;
      });
  };
  const begin = (clock: TestClock) => {
    const work = serveClock(deps, handlers, clock, holder, () => stopping).finally(() => {
      underway.delete(clock.accountId);
      poll();
    });
    underway.set(clock.accountId, work);
  };

  const timer = setInterval(poll, POLL_INTERVAL_MS);
  poll();
  return {
    wake: () => anyClock && poll(),
    async stop() {
      stopping = true;
      clearInterval(timer);
      await looking;
      await Promise.all(underway.values());
    },
  };
}

/**
 * Holds due clocks but those whose work is under way here: of one that was released a moment ago
 * that is known later than to the database, and nobody would serve it for as long as it is held.
 */
async function holdDueOf(deps: Deps, holder: string, underway: string[]): Promise<TestClock[]> {
  const limit = CLOCKS_MAX - underway.length;
  if (limit <= 0) return [];
  const now = deps.clock();
  return holdDueClocks(deps.db.pool, { now, holder, heldUntil: holdUntil(now), limit, except: underway });
}

/** Runs what is due by a clock, and moves the clock to its target where it has one. */
async function serveClock(
  deps: Deps,
  handlers: TaskHandlers,
  { accountId, targetAt }: TestClock,
  holder: string,
  isStopping: () => boolean,
): Promise<void> {
  const held = { accountId, holder };
  const work = () => doDueTasks(deps, handlers, held, isStopping);
  try {
    if (targetAt) await moveClock(deps, held, work, isStopping);
    else await work();
  } catch (error) {
    // A worker takes the clock again once it is released.
    deps.log.error({ accountId, err: error }, 'What goes by a test clock failed; trying again later.');
  } finally {
    await releaseClock(deps.db.pool, accountId, holder).catch(() => {});
  }
}

/**
 * Runs what is due by the clock, and what becomes due by it, until nothing is. Returns whether
 * anything was. The clock stays held meanwhile: with receivers that hang, tasks that become due
 * one after the other take longer than a clock is held, and another worker would move it while one
 * of them is under way.
 */
async function doDueTasks(
  deps: Deps,
  handlers: TaskHandlers,
  held: { accountId: string; holder: string },
  isStopping: () => boolean,
): Promise<boolean> {
  const { accountId } = held;
  let wasDue = false;
  while (!isStopping()) {
    const clock = await keepHolding(deps.db.pool, { ...held, heldUntil: holdUntil(deps.clock()) });
    if (!clock) break;
    const own = onTestClock(deps, clock);
    const claim = { accountId, now: own.clock(), leaseMs: LEASE_MS, limit: CONCURRENCY };
    const tasks = await claimTasksOfClock(deps.db.pool, claim);
    if (tasks.length === 0) break;
    wasDue = true;
    await Promise.all(tasks.map((task) => runTask(own, handlers, task)));
  }
  return wasDue;
}
