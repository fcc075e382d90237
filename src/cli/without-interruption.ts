import { CommandError } from './context.ts';

/** With them the operator, a supervisor or a closed terminal ends the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is begun is ended in order by the first signal, and at once by the second one. */
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
