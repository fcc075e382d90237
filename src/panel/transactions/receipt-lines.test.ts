import { expect, test } from 'vitest';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { chargeTxid, receiptLines } from './receipt-lines.ts';

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

test('a receipt names the txid of a charge, and none of a payment that came without one or of a withdrawal', () => {
  const transaction_id = '01a22438-7e67-762a-a43d-6571948ee9d2';
  const txidOf = (type: string, pix: object | null) => chargeTxid({ type, transaction_id, pix } as never);
  expect(txidOf('pix_in', { qr_code: '000201' })).toBe('01a224387e67762aa43d6571948ee9d2');
  expect([
    txidOf('pix_in', { qr_code: null }),
    txidOf('pix_out', { qr_code: null }),
    txidOf('crypto_in', null),
  ]).toEqual([null, null, null]);
});
