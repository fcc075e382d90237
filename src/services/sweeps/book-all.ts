import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/** A provider that does not answer costs 15 seconds each time, and a task has 30. */
const UNANSWERED_MAX = 2;

/**
 * Books each of what a provider lists. One that can't be booked holds up no other: the next sweep
 * finds it again. Throws ProviderUnavailable when the provider can't say for UNANSWERED_MAX of
 * them.
 */
export async function bookAll<Listed>(
  deps: Pick<Deps, 'log'>,
  listed: readonly Listed[],
  nameOf: (one: Listed) => Record<string, string>,
  book: (one: Listed) => Promise<unknown>,
): Promise<void> {
  let unanswered = 0;
  for (const one of listed) {
    try {
      await book(one);
    } catch (error) {
      deps.log.error(
        { err: error, ...nameOf(one) },
        'What a provider lists could not be booked; the next sweep finds it again.',
      );
      if (error instanceof ProviderUnavailable && ++unanswered === UNANSWERED_MAX) throw error;
    }
  }
}
