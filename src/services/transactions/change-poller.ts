/** Changes without a NOTIFY (its sender died, the connection broke) are found by polling. */
const POLL_INTERVAL_MS = 1_000;
/** Under load `wake` is called every 20 ms; people need no more polls than this. */
const POLL_INTERVAL_MIN_MS = 200;

export type ChangePoller = {
  start(): void;
  /** Polls soon: something was written. */
  wake(): void;
  stop(): void;
};

/**
 * Calls `poll` once a second between `start` and `stop`, and soon after each `wake`; never twice at
 * the same time. One poll serves every stream of the process.
 */
export function createChangePoller(poll: () => Promise<void>): ChangePoller {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isPolling = false;

  const pollOnce = async () => {
    if (isPolling || timer === undefined) return;
    isPolling = true;
    await poll().finally(() => {
      isPolling = false;
    });
  };

  return {
    start() {
      timer ??= setInterval(() => void pollOnce(), POLL_INTERVAL_MS);
    },
    wake() {
      if (timer === undefined) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void pollOnce();
      }, POLL_INTERVAL_MIN_MS);
    },
    stop() {
      clearInterval(timer);
      clearTimeout(soon);
      timer = soon = undefined;
    },
  };
}
