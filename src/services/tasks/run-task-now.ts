import { expediteTask, type RunOutcome } from '#db/tasks/failed-tasks.ts';
import { TASK_KINDS, type TaskKind } from '#db/tasks/tasks.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

export { TASK_KINDS, type TaskKind };

/**
 * Has the worker run a failed task now instead of at its time; the effect is the same. A payout can
 * also be run when it has not failed: if it was sent, its provider is queried. Returns the outcome.
 */
export async function runTaskNow(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'> & AsOperator,
  task: { kind: TaskKind; subjectId: string },
): Promise<RunOutcome> {
  const audit = operatorEntry(deps, INSTALLATION, 'task.run', { subject: `${task.kind} ${task.subjectId}` });
  const outcome = await expediteTask(deps.db.pool, task, deps.clock(), audit);
  if (outcome === 'expedited') deps.wakeWorkers();
  return outcome;
}
