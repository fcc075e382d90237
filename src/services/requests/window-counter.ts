import { type RateLimitResult, WINDOW_SECONDS } from './rate-limits.ts';

/**
 * The most counters that are kept: an attacker with many addresses costs some megabytes and no
 * more. The oldest are dropped first; an address that returns after that begins a new window.
 */
const COUNTERS_MAX = 100_000;

export type WindowCounter = {
  /** Takes points for a key if as many are left in its minute; a rejected call takes none. */
  take(key: string, points: number): RateLimitResult;
};

/**
 * Creates counters in the memory of this process, so that a rejection needs no query. `limit`:
 * points of a key in a minute, which begins with its first call. `now` is a monotonic time in
 * milliseconds.
 */
export function createWindowCounter(limit: number, now: () => number = () => performance.now()): WindowCounter {
  const counters = new Map<string, { points: number; endsAt: number }>();
  return {
    take(key, points) {
      const at = now();
      let counter = counters.get(key);
      if (!counter || at >= counter.endsAt) {
        counter = { points: 0, endsAt: at + WINDOW_SECONDS * 1000 };
        counters.delete(key);
        if (counters.size >= COUNTERS_MAX) counters.delete(counters.keys().next().value as string);
        counters.set(key, counter);
      }
      const allowed = counter.points + points <= limit;
      if (allowed) counter.points += points;
      const resetSeconds = Math.max(1, Math.ceil((counter.endsAt - at) / 1000));
      return { allowed, limit, remaining: allowed ? limit - counter.points : 0, resetSeconds };
    },
  };
}
