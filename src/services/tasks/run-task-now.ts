import { expediteTask, type RunOutcome } from '#db/tasks/failed-tasks.ts';
import { TASK_KINDS, type TaskKind } from '#db/tasks/tasks.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

export { TASK_KINDS, type TaskKind };

/**
 * Has a task that failed run now, by the worker, as it would at its time: what it does is the same.
 * A payout that was sent asks its provider, whether it failed or not. Gives the outcome.
 */
export async function runTaskNow(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'> & AsOperator,
  task: { kind: TaskKind; subjectId: string },
): Promise<RunOutcome> {
  const about = { merchantId: null, accountId: null };
  const audit = operatorEntry(deps, about, 'task.run', { subject: `${task.kind} ${task.subjectId}` });
  const outcome = await expediteTask(deps.db.pool, task, deps.clock(), audit);
  if (outcome === 'expedited') deps.wakeWorkers();
  return outcome;
}
