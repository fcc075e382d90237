import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/** A provider that does not answer costs 15 seconds each time, and a task has 30. */
const UNANSWERED_MAX = 2;
/**
 * As often one page is tried when the provider can't say for several on it: that takes seven
 * minutes, and most outages are shorter. Then the pages behind it have their turn.
 */
const ATTEMPTS_MAX = 6;

type Booking<Listed> = {
  /** What the log says about one that can't be booked. */
  nameOf(one: Listed): Record<string, string>;
  /** Throws ProviderUnavailable when the provider can't say. */
  book(one: Listed): Promise<unknown>;
  /** Which attempt at the page this is, from 1. */
  attempt: number;
};

/**
 * Books each of what a page of a provider lists. One that can't be booked holds up no other: the
 * next sweep finds it again. Throws ProviderUnavailable when the provider can't say for
 * UNANSWERED_MAX of them, until ATTEMPTS_MAX: a payment about which it never says anything must not
 * keep the service from all later ones. Each attempt begins at another part of the page, so that
 * what is behind such a payment is reached as well.
 */
export async function bookAll<Listed>(
  deps: Pick<Deps, 'log'>,
  listed: readonly Listed[],
  { nameOf, book, attempt }: Booking<NoInfer<Listed>>,
): Promise<void> {
  let unanswered = 0;
  for (const one of beginningAt(listed, attempt)) {
    try {
      await book(one);
    } catch (error) {
      deps.log.error(
        { err: error, ...nameOf(one) },
        'What a provider lists could not be booked; the next sweep finds it again.',
      );
      if (!(error instanceof ProviderUnavailable) || ++unanswered < UNANSWERED_MAX) continue;
      if (attempt >= ATTEMPTS_MAX) return;
      throw error;
    }
  }
}

function beginningAt<Listed>(listed: readonly Listed[], attempt: number): Listed[] {
  const first = Math.floor((listed.length * ((attempt - 1) % ATTEMPTS_MAX)) / ATTEMPTS_MAX);
  return [...listed.slice(first), ...listed.slice(0, first)];
}
