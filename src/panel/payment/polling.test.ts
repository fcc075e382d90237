import { describe, expect, it } from 'vitest';
import { pollInterval } from './polling.ts';

describe('how often a page without a stream asks', () => {
  it.each(['loading', 'pending', 'detected', 'unreachable'] as const)('is every few seconds when %s', (viewState) => {
    expect(pollInterval(viewState)).toBe(5_000);
  });

  it.each(['expired', 'review', 'underpaid'] as const)(
    'goes on slowly when %s, because a payment can still come',
    (status) => {
      expect(pollInterval(status)).toBe(10_000);
    },
  );

  it.each(['paid', 'overpaid', 'cancelled', 'failed', 'unknown'] as const)('ends when %s', (status) => {
    expect(pollInterval(status)).toBe(false);
  });
});
