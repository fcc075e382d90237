import {
  callbackInput,
  callbacksInput,
  callbacksOutput,
  failedTasksInput,
  failedTasksOutput,
  queueOutput,
  retryOutput,
  taskInput,
} from '#contract/operator/queue.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { listCallbacks } from '#services/callbacks/list-callbacks.ts';
import { retryCallback } from '#services/callbacks/retry-callback.ts';
import { getQueueState } from '#services/tasks/get-queue-state.ts';
import { listFailedTasks } from '#services/tasks/list-failed-tasks.ts';
import { runTaskNow, TASK_KINDS, type TaskKind } from '#services/tasks/run-task-now.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorQueueRouter = operatorRouterOf({
  state: operatorProcedure.output(encoded(queueOutput)).query(async ({ ctx }) => ({
    queue: (await getQueueState(ctx.deps)).map(({ oldestDueSeconds, ...state }) => ({
      ...state,
      oldest_due_seconds: oldestDueSeconds,
    })),
  })),

  callbacks: operatorProcedure
    .input(callbacksInput)
    .output(encoded(callbacksOutput))
    .query(async ({ ctx, input: { cursor: before, ...filter } }) => {
      const { callbacks, next } = await listCallbacks(ctx.deps, { ...filter, before });
      return {
        callbacks: callbacks.map(({ attempts, dueAt, ...one }) => ({
          callback_id: one.id,
          rail: one.rail,
          received_at: one.receivedAt,
          processed_at: one.processedAt,
          outcome: one.outcome,
          task: attempts === null || dueAt === null ? null : { attempts, due_at: dueAt, error: one.lastError },
        })),
        next_cursor: next,
      };
    }),

  /** Has a callback processed again: whatever it names is asked of the provider. */
  retryCallback: operatorProcedure
    .input(callbackInput)
    .output(encoded(retryOutput))
    .mutation(async ({ ctx, input }) => settle(await retryCallback(ctx.acting, input.callback_id))),

  tasks: operatorProcedure
    .input(failedTasksInput)
    .output(encoded(failedTasksOutput))
    .query(async ({ ctx, input: { kind, cursor, limit } }) => {
      const { tasks, next } = await listFailedTasks(ctx.deps, {
        kind: kind === null ? null : kindOf(kind),
        before: cursor && { kind: cursor.kind, subjectId: cursor.subject_id },
        limit,
      });
      return {
        tasks: tasks.map((one) => ({
          kind: one.kind,
          subject_id: one.subjectId,
          attempts: one.attempts,
          due_at: one.dueAt,
          error: one.lastError,
        })),
        next_cursor: next && { kind: next.kind, subject_id: next.subjectId },
      };
    }),

  /** Has a task that failed run now; of a payout its provider is asked. */
  runTask: operatorProcedure
    .input(taskInput)
    .output(encoded(retryOutput))
    .mutation(async ({ ctx, input }) =>
      settle(await runTaskNow(ctx.acting, { kind: kindOf(input.kind), subjectId: input.subject_id })),
    ),
});

function kindOf(typed: string): TaskKind {
  const kind = TASK_KINDS.find((one) => one === typed);
  if (!kind) throw new DomainError('not_found');
  return kind;
}

function settle(outcome: 'expedited' | 'requeued' | 'due' | 'unknown') {
  if (outcome === 'unknown') throw new DomainError('not_found');
  return { outcome: outcome === 'due' ? ('due' as const) : ('queued' as const) };
}
