import { setTimeout as sleep } from 'node:timers/promises';

/** What is to be undone, in the order in which it was done. */
export type Closing = (() => Promise<void> | void)[];

/**
 * After a Ctrl-C, for each step: one may wait for the work that was interrupted, such as the end of
 * a pool for the statement of an hour, which only the steps after it end.
 */
const INTERRUPTED_STEP_MS = 5_000;

/** Works, and then undoes what was done, the last first, whatever happens: a Ctrl-C included. */
export async function withClosing<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
  const closing: Closing = [];
  let closed: Promise<void> | undefined;
  const onSignal = () => {
    closed ??= undoAll(closing, INTERRUPTED_STEP_MS);
    void closed.then(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    return await work(closing);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    closed ??= undoAll(closing);
    await closed;
  }
}

/** Undoes the steps, the last first; with `stepMs` it waits for none of them longer than this. */
export async function undoAll(closing: Closing, stepMs?: number): Promise<void> {
  for (let undo = closing.pop(); undo; undo = closing.pop()) {
    const undone = Promise.resolve(undo());
    await (stepMs === undefined ? undone : Promise.race([undone, sleep(stepMs)]));
  }
}
