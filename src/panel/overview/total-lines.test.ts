import { expect, test } from 'vitest';
import { totalLines } from './total-lines.ts';

const sums = { count: 1, amount: 0 };
const overview = {
  total: { opening: 100, pending_change: 30.5, closing: 246.15 },
  received: { amount: 200, pix: sums, crypto: sums, before: 0, change_percent: null },
  splits: { received: 5, given: 7.35 },
  fees: { amount: 2, received: 1, sent: 1 },
  sent: { amount: 60, pix: sums, crypto: sums },
  refunded: { count: 1, amount: 20 },
};

test('the lines from the opening balance on add up to the closing one', () => {
  const lines = totalLines(overview);
  const centavos = lines.slice(0, -1).reduce((sum, [, reais]) => sum + Math.round(reais * 100), 0);
  expect(centavos).toBe(Math.round((lines.at(-1)?.[1] ?? 0) * 100));
  expect(lines).toHaveLength(9);
});

test('refunds of zero are shown, splits and pending crypto of zero are not', () => {
  const none = { ...overview, splits: { received: 0, given: 0 }, total: { ...overview.total, pending_change: 0 } };
  expect(totalLines(none).map(([name]) => name)).toEqual([
    'opening',
    'received',
    'fees',
    'sent',
    'refunded',
    'closing',
  ]);
});
