import {
  type AttemptsAfter,
  failTask,
  finishTask,
  LEASE_MS,
  rescheduleTask,
  type Task,
  type TaskKind,
} from '#db/tasks/tasks.ts';
import type { Deps } from '#services/deps.ts';
import { ProviderUnavailable } from '#services/provider-unavailable.ts';
import { describeFailure } from '#services/tasks/describe-failure.ts';

/**
 * Delays after failed attempts; the last one repeats without end, for no money may be given up on.
 */
const RETRY_DELAYS_MS = [1_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000];

/**
 * 'done': delete the task; 'kept': the task settled this in its own commit; else it is due again.
 */
export type TaskResult = 'done' | 'kept' | { dueAt: Date; attempts: AttemptsAfter };

export type TaskHandlers = Record<TaskKind, (deps: Deps, task: Task) => Promise<TaskResult>>;

/** Runs a claimed task, then deletes it or makes it due again. Never rejects. */
export async function runTask(deps: Deps, handlers: TaskHandlers, task: Task): Promise<void> {
  const started = performance.now();
  const observe = (outcome: 'done' | 'retry' | 'failed') =>
    deps.observe({ kind: 'task', task: task.kind, outcome, durationMs: performance.now() - started });
  try {
    const result = await handlers[task.kind](deps, task);
    if (result === 'done') await finishTask(deps.db.pool, task);
    else if (result !== 'kept') {
      await rescheduleTask(deps.db.pool, task, result.dueAt, result.attempts);
      // A task that does its work in parts goes on with the next one now, not at the next poll.
      if (result.dueAt <= deps.clock()) deps.wakeWorkers();
    }
    observe('done');
  } catch (error) {
    const silent = error instanceof ProviderUnavailable;
    const fields = { task: task.kind, subjectId: task.subjectId, attempts: task.attempts };
    if (silent) deps.log.warn({ ...fields, reason: error.message }, 'The provider can’t say yet; asking again later.');
    else deps.log.error({ ...fields, err: error }, 'A task failed; trying again later.');
    observe(silent ? 'retry' : 'failed');
    const delayMs = RETRY_DELAYS_MS[Math.min(task.attempts, RETRY_DELAYS_MS.length) - 1] ?? LEASE_MS;
    // When even this fails, the lease ends by itself.
    const dueAt = new Date(deps.clock().getTime() + delayMs);
    await failTask(deps.db.pool, task, dueAt, describeFailure(error)).catch(() => {});
  }
}
