/**
 * How often each outcome was returned; a promise that rejects counts by the name of the constraint
 * that it violates, else by its error.
 */
export async function answersOf(requests: Promise<string>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.allSettled(requests)) {
    const answer = outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason.constraint ?? outcome.reason);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}
