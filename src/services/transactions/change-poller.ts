/** Without any NOTIFY (its sender died, the connection broke) changes are found by looking. */
const LOOK_EVERY_MS = 1_000;
/** Under load wakes come every 20 ms; eyes need no more than this. */
const LOOK_AT_MOST_EVERY_MS = 200;

export type ChangePoller = {
  start(): void;
  /** Polls soon: something was written. */
  wake(): void;
  stop(): void;
};

/**
 * Calls `look` once a second between `start` and `stop`, and soon after each `wake`; never twice at
 * the same time. One look serves every stream of the process.
 */
export function createChangePoller(look: () => Promise<void>): ChangePoller {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isLooking = false;

  const lookOnce = async () => {
    if (isLooking || timer === undefined) return;
    isLooking = true;
    await look().finally(() => {
      isLooking = false;
    });
  };

  return {
    start() {
      timer ??= setInterval(() => void lookOnce(), LOOK_EVERY_MS);
    },
    wake() {
      if (timer === undefined) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void lookOnce();
      }, LOOK_AT_MOST_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      clearTimeout(soon);
      timer = soon = undefined;
    },
  };
}
