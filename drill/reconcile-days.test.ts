import { expect, test } from 'vitest';
import { judgeDays } from './reconcile-days.ts';

const AGREED = {
  ...{ day: '2026-11-20', rail: 'sandbox', currency: 'BRL', unexplainedAmount: 0n, unreadable: 0, items: [] },
};
const COINS = { ...AGREED, rail: 'sandbox-crypto', currency: 'USDT_BSC' };

test('days that agree break no drill, and sum to a difference of zero', () => {
  expect(judgeDays([AGREED, COINS])).toEqual({ difference: 0, broken: [] });
});

test('a drill is broken by a difference, by an entry that can’t be read, and by having no day of PIX', () => {
  const item = { why: 'missing_here', kind: 'payout', key: '5edf', unexplainedAmount: -50_000_000n } as const;
  const known = { ...item, why: 'other_day', unexplainedAmount: 0n } as const;
  const judged = judgeDays([
    { ...COINS, unexplainedAmount: 50_000_000n, items: [item, known] },
    { ...COINS, unreadable: 2 },
  ]);
  expect(judged.difference).toBe(0.5);
  expect(judged.broken).toEqual([
    'no day of PIX was reconciled',
    '2026-11-20, sandbox-crypto: a difference of 0.5 USDT_BSC, 0 unreadable: missing_here payout 5edf -0.5 USDT_BSC',
    '2026-11-20, sandbox-crypto: a difference of 0 USDT_BSC, 2 unreadable: ',
  ]);
});
