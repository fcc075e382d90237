import { describe, expect, it } from 'vitest';
import { pollInterval } from './polling.ts';

describe('how often the page asks', () => {
  it('leaves room for a round trip in the 2 s that a payment may take to show', () => {
    expect(pollInterval('pending', false)).toBeLessThanOrEqual(1_000);
  });

  it('keeps up with confirmations without a rush', () => {
    expect(pollInterval('detected', false)).toBe(3_000);
  });

  it.each(['expired', 'review', 'underpaid'] as const)(
    'goes on slowly when %s, because a payment can still come',
    (status) => {
      expect(pollInterval(status, false)).toBe(10_000);
      expect(pollInterval(status, true)).toBe(10_000);
    },
  );

  it.each(['paid', 'overpaid', 'cancelled', 'failed', 'unknown'] as const)('ends when %s', (status) => {
    expect(pollInterval(status, false)).toBe(false);
    expect(pollInterval(status, true)).toBe(false);
  });

  it('backs off from a server that does not answer, without giving up', () => {
    expect(pollInterval('pending', true)).toBe(3_000);
    expect(pollInterval('unreachable', true)).toBe(3_000);
  });
});
