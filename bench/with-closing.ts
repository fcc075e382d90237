import { setTimeout as sleep } from 'node:timers/promises';

/** The steps that undo what was done, in the order in which it was done. */
export type Closing = (() => Promise<void> | void)[];

/**
 * How long a step may take after a Ctrl-C: it may wait for the interrupted work, such as the end of
 * a pool for a statement of an hour, which only a later step ends.
 */
const INTERRUPTED_STEP_MS = 5_000;

/**
 * Runs `work`, then undoes what was done, the last first, whatever happens, also after a Ctrl-C.
 */
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
