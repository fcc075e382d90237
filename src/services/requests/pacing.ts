import { countDueTasks } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/** Up to as many due tasks as a worker claims at once, no request waits. */
const DUE_FREE = 64;
/** With this many due tasks, every request waits for WAIT_MS_MAX. */
const DUE_MAX = 1_000;
/**
 * 32 requests of an account run at once: at a second each it makes 32 a second, and those that wait
 * behind them are served within the five seconds of the gate.
 */
const WAIT_MS_MAX = 1_000;
/**
 * With workers that do eighty tasks a second, no task has been due for this long. One that has
 * shows that no worker is running, and waiting would not help.
 */
const AWAY_AFTER_MS = 15_000;
/** The queue changes by some hundreds of tasks in this time. */
const LOOK_EVERY_MS = 250;

/**
 * Slows down requests that create tasks before more are due than the workers can do: the more are
 * due, the longer each waits. None is rejected for it, and none waits while no worker is running:
 * charges that are made then can be paid all the same.
 */
export function createPacing({ db, clock }: Pick<Deps, 'db' | 'clock'>, wait: (ms: number) => Promise<unknown>) {
  let waitMs = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = async () => {
    try {
      const now = clock();
      const { due, oldestDueAt } = await countDueTasks(db.pool, now, DUE_MAX);
      const dueForMs = oldestDueAt ? now.getTime() - oldestDueAt.getTime() : 0;
      waitMs = dueForMs >= AWAY_AFTER_MS ? 0 : waitMsFor(due);
    } catch {
      // An unknown queue slows no request; the request itself reaches the database next.
      waitMs = 0;
    }
  };
  /** Waits as long as the queue asks for. */
  return async (): Promise<void> => {
    const nowMs = clock().getTime();
    if (Math.abs(nowMs - lookedAtMs) >= LOOK_EVERY_MS) {
      lookedAtMs = nowMs;
      void look();
    }
    if (waitMs > 0) await wait(waitMs);
  };
}

/** How many milliseconds a request waits while `due` tasks are due. */
export const waitMsFor = (due: number): number =>
  WAIT_MS_MAX * Math.min(1, Math.max(0, (due - DUE_FREE) / (DUE_MAX - DUE_FREE)));
