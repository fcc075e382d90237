import { queueState, TASK_KINDS } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/**
 * How many tasks of one kind wait, and for how many seconds the oldest due one has been due; 0:
 * none.
 */
export type QueuedTasks = { kind: string; due: number; scheduled: number; oldestDueSeconds: number };

/** The tasks that wait in the queue now, of every kind, also of those of which none waits. */
export async function getQueueState({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<QueuedTasks[]> {
  const now = clock();
  const states = new Map((await queueState(db.pool, now)).map((state) => [state.kind, state]));
  const kinds = new Set<string>([...TASK_KINDS, ...states.keys()]);
  return [...kinds].map((kind) => {
    const { due = 0, scheduled = 0, oldestDueAt = null } = states.get(kind) ?? {};
    return { kind, due, scheduled, oldestDueSeconds: oldestDueAt ? (now.getTime() - oldestDueAt.getTime()) / 1000 : 0 };
  });
}
