import { CommandError } from './context.ts';
import { onInterruption } from './on-interruption.ts';

/**
 * Runs `work` with a signal that the first interruption aborts; a second one, more than a second
 * later, ends the process at once. Throws CommandError where the work failed after an interruption.
 */
export async function withoutInterruption<T>(
  work: (signal: AbortSignal) => Promise<T>,
  exit: (status: number) => void = process.exit,
): Promise<T> {
  const interruption = new AbortController();
  const release = onInterruption(() => interruption.abort(), { exit });
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError('Interrupted: nothing was changed, and nothing is left behind.');
  } finally {
    release();
  }
}
