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
 * An account's requests count for so long at least, and twice as long at most, towards its share of
 * the wait: as long as the longest wait, after which the one that makes the most comes back.
 */
const COUNTED_MS = WAIT_MS_MAX;

/**
 * Slows down requests that create tasks before more are due than the workers can do: the more are
 * due, the longer each waits. The account that made the most requests in the last moments waits all
 * of it, another one as much of it as it made of that number, because one account's flood is not to
 * slow down the others. None is rejected for it, and none waits while no worker is running: charges
 * that are made then can be paid all the same.
 */
export function createPacing({ db, clock }: Pick<Deps, 'db' | 'clock'>, wait: (ms: number) => Promise<unknown>) {
  let waitMs = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const shareOf = createShares();
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
  /** Waits as long as the queue asks this account to. */
  return async (accountId: string): Promise<void> => {
    const nowMs = clock().getTime();
    const share = shareOf(accountId, nowMs);
    if (Math.abs(nowMs - lookedAtMs) >= LOOK_EVERY_MS) {
      lookedAtMs = nowMs;
      void look();
    }
    const ownMs = waitMs * share;
    if (ownMs > 0) await wait(ownMs);
  };
}

/**
 * Counts an account's request, and returns how many it had made before, as a share of those of the
 * account that had made the most: 0 to 1.
 */
function createShares(): (accountId: string, nowMs: number) => number {
  let before = new Map<string, number>();
  let current = new Map<string, number>();
  let beganMs = Number.NEGATIVE_INFINITY;
  let most = 0;
  return (accountId, nowMs) => {
    const forMs = Math.abs(nowMs - beganMs);
    if (forMs >= COUNTED_MS) {
      before = forMs < 2 * COUNTED_MS ? current : new Map();
      current = new Map();
      beganMs = nowMs;
      most = 0;
      for (const count of before.values()) most = Math.max(most, count);
    }
    const counted = current.get(accountId) ?? 0;
    const own = counted + (before.get(accountId) ?? 0);
    const share = most === 0 ? 0 : own / most;
    current.set(accountId, counted + 1);
    most = Math.max(most, own + 1);
    return share;
  };
}

/** How many milliseconds a request waits while `due` tasks are due. */
export const waitMsFor = (due: number): number =>
  WAIT_MS_MAX * Math.min(1, Math.max(0, (due - DUE_FREE) / (DUE_MAX - DUE_FREE)));
