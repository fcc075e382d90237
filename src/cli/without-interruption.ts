import { CommandError } from './context.ts';

/** The signals by which the operator, a supervisor or a closed terminal ends the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that the first interruption aborts; a second one ends the process at
 * once. Throws CommandError where the work failed after an interruption.
 */
export async function withoutInterruption<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError('Interrupted: nothing was changed, and nothing is left behind.');
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
