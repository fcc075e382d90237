import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/** With fewer than these the page counts as read: the next sweep finds them again. */
const UNANSWERED_MAX = 2;
/** A provider that does not answer costs 15 seconds each time, and a task has 30. */
const UNANSWERED_MS = 10_000;
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
 * UNANSWERED_MAX of them, once the others are booked, or at once where the provider takes long to
 * say nothing; but not from ATTEMPTS_MAX on: a payment about which it never says anything must not
 * keep the service from all later ones. Each attempt begins at another part of the page, so that
 * what is behind such a payment is reached as well.
 */
export async function bookAll<Listed>(
  deps: Pick<Deps, 'log'>,
  listed: readonly Listed[],
  { nameOf, book, attempt }: Booking<NoInfer<Listed>>,
): Promise<void> {
  const startedAt = performance.now();
  const unanswered: ProviderUnavailable[] = [];
  for (const one of beginningAt(listed, attempt)) {
    try {
      await book(one);
    } catch (error) {
      deps.log.error(
        { err: error, ...nameOf(one) },
        'What a provider lists could not be booked; the next sweep finds it again.',
      );
      if (error instanceof ProviderUnavailable) unanswered.push(error);
      if (unanswered.length >= UNANSWERED_MAX && performance.now() - startedAt >= UNANSWERED_MS) break;
    }
  }
  if (unanswered.length >= UNANSWERED_MAX && attempt < ATTEMPTS_MAX) throw unanswered[0];
}

function beginningAt<Listed>(listed: readonly Listed[], attempt: number): Listed[] {
  const first = Math.floor((listed.length * ((attempt - 1) % ATTEMPTS_MAX)) / ATTEMPTS_MAX);
  return [...listed.slice(first), ...listed.slice(0, first)];
}
