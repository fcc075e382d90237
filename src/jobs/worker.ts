import { claimTasks, LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import type { Deps } from '#services/deps.ts';
import { runTask, type TaskHandlers } from './run-task.ts';

/** Tasks under way at once: most of them wait for another company's server. */
const CONCURRENCY = 64;
/** Without any NOTIFY (its sender died, the connection broke) tasks are found by polling. */
const POLL_INTERVAL_MS = 1_000;
/**
 * Tasks that a task writes are polled for here after this time, without waiting for NOTIFY: one
 * poll finds all those of a moment.
 */
const OWN_TASKS_MS = 2;
export type Worker = {
  /** Polls now: tasks were written. */
  wake(): void;
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>;
};

/**
 * The claim loop: takes due tasks in batches, runs them side by side, and leaves each either
 * deleted or due again. Any number of workers share the work.
 */
export function startWorker(deps: Deps, handlers: TaskHandlers): Worker {
  const underway = new Set<Promise<void>>();
  let stopping = false;
  let polling = false;
  let pollAgain = false;
  let soon: NodeJS.Timeout | undefined;
  const own: Deps = {
    ...deps,
    wakeWorkers() {
      soon ??= setTimeout(() => {
        soon = undefined;
        void poll();
      }, OWN_TASKS_MS);
      deps.wakeWorkers();
    },
  };

  const poll = async () => {
    if (stopping) return;
    if (polling) {
      pollAgain = true;
      return;
    }
    polling = true;
    try {
      do {
        pollAgain = false;
        const limit = CONCURRENCY - underway.size;
        if (limit <= 0) break;
        const tasks = await claimTasks(deps.db.pool, { now: deps.clock(), leaseMs: LEASE_MS, limit });
        for (const task of tasks) begin(task);
        if (tasks.length === limit) pollAgain = true;
      } while (pollAgain && !stopping);
    } catch (error) {
      deps.log.warn({ err: error }, 'Could not look for tasks; trying again.');
    } finally {
      polling = false;
    }
  };

  const begin = (task: Task) => {
    const work = runTask(own, handlers, task).finally(() => {
      underway.delete(work);
      // While every place was taken, polls may have left due tasks behind.
      if (underway.size === CONCURRENCY - 1) void poll();
    });
    underway.add(work);
  };

  const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
  void poll();
  return {
    wake: () => void poll(),
    async stop() {
      stopping = true;
      clearInterval(timer);
      clearTimeout(soon);
      while (polling) await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all(underway);
    },
  };
}

/**
 * Processes, once, everything that is due by `deps.clock`, and what becomes due by it: for callers
 * with a clock of their own.
 */
export async function drainDueTasks(deps: Deps, handlers: TaskHandlers): Promise<void> {
  for (;;) {
    const tasks = await claimTasks(deps.db.pool, { now: deps.clock(), leaseMs: LEASE_MS, limit: CONCURRENCY });
    if (tasks.length === 0) return;
    await Promise.all(tasks.map((task) => runTask(deps, handlers, task)));
  }
}
