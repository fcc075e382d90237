import { expect, test } from 'vitest';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { receiptLines } from './receipt-lines.ts';

const detail = (transaction: object) => ({ transaction, ledger: [] }) as unknown as TransactionDetailView;
const charge = detail({
  type: 'pix_in',
  status: 'paid',
  settled: { gross: 100, fees: 1.1, split: 30, refunded: 20, net: 48.9 },
});
const withdrawal = detail({
  type: 'pix_out',
  status: 'paid',
  settled: { gross: -50, fees: 0.9, split: 0, refunded: 0, net: -50.9 },
});

test('the payer’s receipt says what was paid and what came back, and nothing of fee, split and net', () => {
  expect(receiptLines(charge, 'other')).toEqual([
    { name: 'charged', reais: 100 },
    { name: 'refunded', reais: -20 },
  ]);
});

test('the receiver’s receipt says what they got', () => {
  expect(receiptLines(withdrawal, 'other')).toEqual([{ name: 'sent', reais: 50 }]);
});

test('the merchant’s receipt has fee and net', () => {
  expect(receiptLines(charge, 'merchant').map(({ name }) => name)).toEqual([
    'charged',
    'fee',
    'split',
    'refunded',
    'net',
  ]);
  expect(receiptLines(withdrawal, 'merchant').map(({ name }) => name)).toEqual(['sent', 'fee', 'debited']);
});
