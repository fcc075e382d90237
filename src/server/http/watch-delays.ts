/** How often it is measured how late this process does what is due. */
const EVERY_MS = 250;
/** With a processor to run on it is milliseconds. */
const LATE_MS = 1_000;
/** How long after a delay the process counts as late: it catches up with what came meanwhile. */
const LASTING_MS = 5_000;

export type DelayWatch = {
  /** Whether this process does, or lately did, everything a second late or more. */
  isLate(): boolean;
  stop(): void;
};

/** Watches how late the event loop comes to what is due. */
export function watchDelays(now: () => number = () => performance.now()): DelayWatch {
  let dueAt = now() + EVERY_MS;
  let lateAt = Number.NEGATIVE_INFINITY;
  // Also asked between two runs of the timer: a long turn of the event loop is late before its end.
  const look = () => {
    if (now() - dueAt >= LATE_MS) lateAt = now();
    return now() - lateAt < LASTING_MS;
  };
  const timer = setInterval(() => {
    look();
    dueAt = now() + EVERY_MS;
  }, EVERY_MS).unref();
  return { isLate: look, stop: () => clearInterval(timer) };
}
