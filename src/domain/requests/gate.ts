import { DomainError } from '../errors/domain-error.ts';

/**
 * What one key (an account, a client's address) may have at work at once, and how much of it may
 * wait for that.
 */
export type GateSettings = {
  /** At work at once. */
  running: number;
  /** Waiting for one of those to end; what comes on top is rejected at once. */
  waiting: number;
  /** How long one waits before it is rejected, in milliseconds. */
  waitMs: number;
};

export type Gate = {
  /**
   * Gives the function that says that the work has ended (calling it again does nothing); null:
   * rejected.
   */
  enter(key: string): Promise<(() => void) | null>;
  /** Does the work when there is a place for it. Errors (DomainError): unavailable. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
};

type Place = { running: number; queue: Set<(granted: boolean) => void> };

/**
 * A bound for each key by itself: one that is used up has no effect on the others. First come,
 * first served.
 */
export function createGate({ running, waiting, waitMs }: GateSettings): Gate {
  const places = new Map<string, Place>();

  const leave = (key: string, place: Place) => {
    for (const next of place.queue) {
      // The place goes to the one who waits: `running` stays as it is.
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
