/** In-flight work gets this long; what hangs longer is cut off, so that a stop always ends. */
const DRAIN_MS = 10_000;
/** A second signal within this is the same Ctrl-C, delivered to the whole process group. */
const SAME_SIGNAL_MS = 1_000;

export type Closing = {
  readonly begun: boolean;
  /** Sets the orderly part, which gets at most DRAIN_MS. */
  first(close: () => Promise<void>): void;
  /** Adds what must be closed in any case; the last one added is closed first. */
  last(name: string, close: () => Promise<void> | void): void;
  /** Closes everything, once; later callers wait for the same end. */
  now(): Promise<void>;
};

/** Collects what is to be closed, and closes it once. */
export function createClosing(): Closing {
  const last: { name: string; close: () => Promise<void> | void }[] = [];
  let first: (() => Promise<void>) | undefined;
  let done: Promise<void> | undefined;

  const now = () => {
    done ??= (async () => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS);
      });
      await Promise.race([first?.(), limit]).catch((error: unknown) => console.error(error));
      clearTimeout(timer);
      for (const { name, close } of last.reverse()) {
        await Promise.resolve(close()).catch((error: unknown) => console.error(`closing ${name}:`, error));
      }
    })();
    return done;
  };

  return {
    get begun() {
      return done !== undefined;
    },
    first: (close) => {
      first = close;
    },
    last: (name, close) => {
      last.push({ name, close });
    },
    now,
  };
}

/**
 * Stops the process, in order, on SIGINT, SIGTERM, SIGHUP, or when the process that started it is
 * gone. A second signal more than a second after the first ends it at once. `exceptTerminal`: a
 * Ctrl-C and the end of the terminal, which sends these to all of its processes, are left to the
 * one above.
 */
export function stopOnSignals(closing: Closing, { exceptTerminal = false } = {}): void {
  let signalledAt = 0;
  const onSignal = () => {
    if (signalledAt > 0) {
      if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    void closing.now().then(() => process.exit(0));
  };
  for (const name of ['SIGINT', 'SIGHUP']) process.on(name, exceptTerminal ? () => {} : onSignal);
  process.on('SIGTERM', onSignal);
  if (process.connected) process.on('disconnect', onSignal);
}
