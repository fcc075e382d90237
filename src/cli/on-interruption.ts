/** The signals by which the operator, a supervisor or a closed terminal ends the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A second signal within this is the same Ctrl-C: the terminal sends it to every process of the
 * command, and npm and `scripts/trilho.mjs` each pass on theirs.
 */
const SAME_SIGNAL_MS = 1_000;
/** As a shell says it of a program that a Ctrl-C has ended. */
const INTERRUPTED_STATUS = 130;

/** How many of those that are called clean up by themselves. */
let cleaningUp = 0;

/**
 * Calls `interrupt` at the first interruption of the command; a second one, more than a second
 * later, ends the process at once. Returns the function that ends this. `defers`: nothing is done
 * while a caller without it cleans up, which still needs what this one would stop.
 */
export function onInterruption(
  interrupt: () => void,
  { exit = process.exit, defers = false }: { exit?: (status: number) => void; defers?: boolean } = {},
): () => void {
  let interruptedAt: number | undefined;
  const onSignal = () => {
    if (defers && cleaningUp > 0) return;
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      interrupt();
    } else if (performance.now() - interruptedAt > SAME_SIGNAL_MS) {
      exit(INTERRUPTED_STATUS);
    }
  };
  let release = () => {
    release = () => {};
    for (const name of SIGNALS) process.off(name, onSignal);
    if (!defers) cleaningUp--;
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  if (!defers) cleaningUp++;
  return () => release();
}
