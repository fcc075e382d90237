import { DomainError } from '../errors/domain-error.ts';

/**
 * How much work of one key (an account, a client's address) may run at once, and how much may wait.
 */
export type GateSettings = {
  /** How much runs at once. */
  running: number;
  /** How much waits for a place; what comes on top is rejected at once. */
  waiting: number;
  /** How long a caller waits before it is rejected, in milliseconds. */
  waitMs: number;
};

export type Gate = {
  /**
   * Waits for a place, and gives the function to call when the work has ended (another call does
   * nothing). `null`: rejected.
   */
  enter(key: string): Promise<(() => void) | null>;
  /** Does the work once there is a place for it. Errors (DomainError): unavailable. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
};

type Place = { running: number; queue: Set<(granted: boolean) => void> };

/**
 * Creates a gate that limits each key separately: one that is full has no effect on the others.
 * First come, first served.
 */
export function createGate({ running, waiting, waitMs }: GateSettings): Gate {
  const places = new Map<string, Place>();

  const leave = (key: string, place: Place) => {
    for (const next of place.queue) {
      // The place passes to the one that waits: `running` stays as it is.
      place.queue.delete(next);
      return next(true);
    }
    place.running--;
    if (place.running === 0) places.delete(key);
  };

  const exitOf = (key: string, place: Place) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave(key, place);
    };
  };

  const gate: Gate = {
    async enter(key) {
      const place = places.get(key) ?? { running: 0, queue: new Set() };
      places.set(key, place);
      if (place.running < running) {
        place.running++;
        return exitOf(key, place);
      }
      if (place.queue.size >= waiting) return null;
      const granted = await new Promise<boolean>((resolve) => {
        const answer = (isGranted: boolean) => {
          clearTimeout(timer);
          place.queue.delete(answer);
          resolve(isGranted);
        };
        const timer = setTimeout(() => answer(false), waitMs);
        place.queue.add(answer);
      });
      return granted ? exitOf(key, place) : null;
    },
    async run(key, work) {
      const leave = await gate.enter(key);
      if (!leave) throw new DomainError('unavailable');
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
  return gate;
}
