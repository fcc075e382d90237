import { CommandError } from './context.ts';

/** The signals by which the operator, a supervisor or a closed terminal ends the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A second signal within this is the same Ctrl-C: the terminal sends it to every process of the
 * command, and npm and `scripts/trilho.mjs` each pass on theirs.
 */
const SAME_SIGNAL_MS = 1_000;
/** As a shell says it of a program that a Ctrl-C has ended. */
const INTERRUPTED_STATUS = 130;

/**
 * Runs `work` with a signal that the first interruption aborts; a second one, more than a second
 * later, ends the process at once. Throws CommandError where the work failed after an interruption.
 */
export async function withoutInterruption<T>(
  work: (signal: AbortSignal) => Promise<T>,
  exit: (status: number) => void = process.exit,
): Promise<T> {
  const interruption = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (!interruption.signal.aborted) {
      interruptedAt = performance.now();
      interruption.abort();
    } else if (performance.now() - interruptedAt > SAME_SIGNAL_MS) {
      exit(INTERRUPTED_STATUS);
    }
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError('Interrupted: nothing was changed, and nothing is left behind.');
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
