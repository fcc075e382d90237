import { expect, test } from 'vitest';
import { pollInterval } from './polling.ts';

test.each([
  [5_000, ['loading', 'pending', 'detected', 'unreachable']],
  // A payment can still come.
  [10_000, ['expired', 'review', 'underpaid']],
  [false, ['paid', 'overpaid', 'cancelled', 'failed', 'unknown']],
] as const)('a page without a stream asks again after %s ms when it knows of a charge that it is %s', (ms, states) => {
  for (const viewState of states) expect(pollInterval(viewState)).toBe(ms);
});
