import { expect, test } from 'vitest';
import { approvalOf } from './approval.ts';

test('the question before a withdrawal names the amount and the receiver', () => {
  const pix = { amount: 1234.56, pixKey: '12345678909', pixKeyType: 'cpf', description: null };
  expect(approvalOf({ path: 'withdrawals.pix', input: pix })).toEqual({
    action: 'sendPix',
    reais: 1234.56,
    subject: '123.456.789-09',
  });
  const crypto = {
    amount: 540,
    wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    currency: 'USDT_BSC',
    memo: null,
  };
  expect(approvalOf({ path: 'withdrawals.crypto', input: crypto })).toEqual({
    action: 'sendCrypto',
    reais: 540,
    subject: crypto.wallet,
  });
});

test('the question before a refund names the amount, the one before a change what it is about', () => {
  expect(approvalOf({ path: 'transactions.refund', input: { transactionId: 'x', amount: 20 } })).toEqual({
    action: 'refund',
    reais: 20,
    subject: null,
  });
  const url = 'https://loja.example/hook';
  expect(approvalOf({ path: 'webhooks.setEndpoint', input: { topic: 'deposit', url } }).subject).toBe(url);
  // A password is never shown.
  expect(approvalOf({ path: '/change-password', input: { currentPassword: 'a', newPassword: 'b' } })).toEqual({
    action: 'changePassword',
    reais: null,
    subject: null,
  });
});

test('what is not known is asked about without a name', () => {
  expect(approvalOf({ path: 'something.new', input: undefined })).toEqual({ action: null, reais: null, subject: null });
});
