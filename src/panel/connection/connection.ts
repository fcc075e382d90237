/** The pauses between checks whether the service is there again; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 3_000] as const;
/** A service that does not respond within this time counts as away. */
const PROBE_MS = 5_000;
/**
 * Statuses that proxies answer for a service that is away, and that a starting or ending service
 * answers.
 */
const AWAY = new Set([502, 503, 504]);

export type Connection = {
  isReachable(): boolean;
  /** Calls back when that changes; returns the function that ends it. */
  subscribe(onChange: () => void): () => void;
  /**
   * Call it after a call failed without a response: it checks repeatedly whether the service is
   * there, and resolves as soon as it is.
   */
  check(): Promise<void>;
  /** Checks at once instead of at the end of the pause: the device says that it is online again. */
  expedite(): void;
};

/**
 * Tracks whether the service can be reached; at first it is taken to be. `probe` resolves to
 * whether it responds.
 */
export function createConnection(probe: () => Promise<boolean>): Connection {
  const listeners = new Set<() => void>();
  let isReachable = true;
  let looking: Promise<void> | null = null;
  let endPause = () => {};
  const set = (next: boolean) => {
    if (next === isReachable) return;
    isReachable = next;
    for (const listener of listeners) listener();
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const look = async () => {
    for (let tries = 0; !(await probe()); tries++) {
      set(false);
      await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0);
    }
    set(true);
  };
  return {
    isReachable: () => isReachable,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    check() {
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    expedite: () => endPause(),
  };
}

/** Whether a status means that the service is away. */
export const isAway = (status: number): boolean => AWAY.has(status);

/** Whether a call was ended by the page itself. */
export const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** The connection of this page. */
export const connection = createConnection(async () => {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) });
    return !isAway(answer.status);
  } catch {
    return false;
  }
});

if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => void connection.check());
  window.addEventListener('online', () => connection.expedite());
}
