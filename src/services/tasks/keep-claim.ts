import { extendLease, LEASE_MS, type Task } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/** So that one extension that fails, or is late, loses no claim. */
const EXTEND_EVERY_MS = LEASE_MS / 3;

/**
 * Does a piece of work of a task that may take longer than a lease: until it ends the task stays
 * claimed, and no other worker begins the same work beside it. The task of a worker that dies comes
 * due again as always.
 */
export async function keepClaim<T>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  task: Task,
  work: () => Promise<T>,
): Promise<T> {
  let extending: Promise<unknown> = Promise.resolve();
  const extend = () => {
    // One after the other: each proves the claim by the lease that the one before has set.
    extending = extending.then(() => extendLease(db.pool, task, clock())).catch(() => {});
  };
  const timer = setInterval(extend, EXTEND_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await extending;
  }
}
