import { countDueTasks } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/** Up to as many due tasks as a worker claims at once, no request waits. */
const DUE_FREE = 64;
/** From here on every request waits for as long as one may. */
const DUE_MAX = 1_000;
/**
 * Of an account 32 requests run at once: at a second each its rate is 32 a second, and who waits
 * behind them is served before the gate's five seconds are over.
 */
const WAIT_MS_MAX = 1_000;
/**
 * Workers that do eighty tasks a second have none that has been due for so long. Where there is one
 * nobody does them: who waited would wait for nothing.
 */
const AWAY_AFTER_MS = 15_000;
/** The queue changes by some hundreds of tasks in this time. */
const LOOK_EVERY_MS = 250;

/**
 * Slows down requests that make work, before more is due than the workers can do: each waits longer
 * the more is due. None is rejected for it, and none waits while every worker is away: money that
 * is asked for then can be paid all the same.
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

/** How long a request waits while so many tasks are due, in milliseconds. */
export const waitMsFor = (due: number): number =>
  WAIT_MS_MAX * Math.min(1, Math.max(0, (due - DUE_FREE) / (DUE_MAX - DUE_FREE)));
