import type { Overview } from '#contract/reports/overview.ts';

/** Lines that not every account has: left out where they are zero. */
const RARE = new Set<string>(['splitsReceived', 'splitsGiven', 'pendingChange']);

type TotalOf = Pick<Overview, 'total' | 'received' | 'splits' | 'fees' | 'sent' | 'refunded'>;

/**
 * The lines' names and reais; the opening balance and the lines after it add up to the closing one.
 */
export function totalLines({ total, received, splits, fees, sent, refunded }: TotalOf) {
  const lines = [
    ['opening', total.opening],
    ['received', received.amount],
    ['splitsReceived', splits.received],
    ['splitsGiven', -splits.given],
    ['fees', -fees.amount],
    ['sent', -sent.amount],
    ['refunded', -refunded.amount],
    ['pendingChange', total.pending_change],
    ['closing', total.closing],
  ] as const;
  return lines.filter(([name, reais]) => reais !== 0 || !RARE.has(name));
}
