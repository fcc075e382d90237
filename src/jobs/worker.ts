import { findRailOfTask } from '#db/tasks/find-rail-of-task.ts';
import { claimTasks, LEASE_MS, postponeTask, type Task } from '#db/tasks/tasks.ts';
import type { Deps } from '#services/deps.ts';
import { runTask, type TaskHandlers } from './run-task.ts';
import type { TaskPlaces } from './task-places.ts';

/** Tasks under way at once: most of them wait for another company's server. */
const CONCURRENCY = 64;
/** Without any NOTIFY (its sender died, the connection broke) tasks are found by polling. */
const POLL_INTERVAL_MS = 1_000;
/**
 * Tasks that a task writes are polled for here after this time, without waiting for NOTIFY: one
 * poll finds all those of a moment.
 */
const OWN_TASKS_MS = 2;
/** The server that mail waits for, among the hosts of providers. */
const MAIL = 'mail';

export type Worker = {
  /** Polls now: tasks were written. */
  wake(): void;
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>;
};

/**
 * The claim loop: takes due tasks in batches, runs them side by side, and leaves each either
 * deleted or due again. Those that wait for a server take one of `places`. Any number of workers
 * share the work.
 */
export function startWorker(deps: Deps, handlers: TaskHandlers, places: TaskPlaces): Worker {
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

  /** Null: it waits for none, or none has to be counted now. */
  const serverOf = async (task: Task): Promise<string | null> => {
    if (task.kind === 'send_mail') return MAIL;
    if (!places.areShort(underway.size)) return null;
    // In a database that does not say it, the task finds out by itself.
    const rail = await findRailOfTask(deps.db.pool, task).catch(() => null);
    return rail === null ? null : deps.rails.hostOf(rail);
  };

  const run = async (task: Task) => {
    const server = await serverOf(task);
    if (server === null) return runTask(own, handlers, task);
    const startedMs = performance.now();
    const place = places.enter(server, startedMs);
    if ('stepBackMs' in place) {
      const dueAt = new Date(deps.clock().getTime() + place.stepBackMs);
      // When this fails, the lease ends by itself.
      return postponeTask(deps.db.pool, task, dueAt).catch(() => {});
    }
    await runTask(own, handlers, task);
    place.leave();
    if (server === MAIL) places.note(MAIL, performance.now() - startedMs);
  };

  const begin = (task: Task) => {
    const work = run(task).finally(() => {
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
