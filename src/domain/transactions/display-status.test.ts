import { expect, test } from 'vitest';
import { statusTextName } from './display-status.ts';

const WHOLE = { subStatus: null, isPartlyRefunded: false } as const;

test('a crypto invoice and a withdrawal over PIX are paid, a crypto withdrawal is completed', () => {
  expect(statusTextName({ ...WHOLE, type: 'crypto_in', status: 'completed' })).toBe('paid');
  expect(statusTextName({ ...WHOLE, type: 'pix_out', status: 'paid' })).toBe('withdrawal_paid');
  expect(statusTextName({ ...WHOLE, type: 'crypto_out', status: 'completed' })).toBe('completed');
});

test('the further state of a crypto invoice is shown instead of its status', () => {
  const invoice = { ...WHOLE, type: 'crypto_in' } as const;
  expect(statusTextName({ ...invoice, status: 'completed', subStatus: 'late' })).toBe('late');
  expect(statusTextName({ ...invoice, status: 'pending', subStatus: 'detected' })).toBe('detected');
});

test('a charge of which a part went back says so', () => {
  const charge = { ...WHOLE, type: 'pix_in', status: 'paid' } as const;
  expect(statusTextName(charge)).toBe('paid');
  expect(statusTextName({ ...charge, isPartlyRefunded: true })).toBe('partially_refunded');
});
