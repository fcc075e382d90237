import { type FailedTask, listFailedTasks as findFailedTasks } from '#db/tasks/failed-tasks.ts';
import type { TaskKind } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

export type { FailedTask };

/**
 * Tasks whose last attempt failed, those of the newest subjects first, page by page; `next` is null
 * at the end. None of them is given up: each is tried again at its time.
 */
export async function listFailedTasks(
  { db }: Pick<Deps, 'db'>,
  { limit, ...filter }: { kind: TaskKind | null; before: Pick<FailedTask, 'kind' | 'subjectId'> | null; limit: number },
): Promise<{ tasks: FailedTask[]; next: FailedTask | null }> {
  const found = await findFailedTasks(db.pool, { ...filter, limit: limit + 1 });
  const tasks = found.slice(0, limit);
  return { tasks, next: found.length > limit ? (tasks.at(-1) ?? null) : null };
}
