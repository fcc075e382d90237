/** What is to be undone, in the order in which it was done. */
export type Closing = (() => Promise<void> | void)[];

/** Works, and then undoes what was done, the last first, whatever happens: a Ctrl-C included. */
export async function withClosing<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
  const closing: Closing = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      for (let undo = closing.pop(); undo; undo = closing.pop()) await undo();
    })();
    return closed;
  };
  const onSignal = () => void close().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    return await work(closing);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    await close();
  }
}
