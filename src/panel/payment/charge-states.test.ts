import { expect, test } from 'vitest';
import type { CryptoPaymentData, PaymentPageData } from '#contract/charges/payment-status.ts';
import { isPayable, stateOf } from './charge-states.ts';

const CRYPTO: CryptoPaymentData = {
  currency: 'USDT_TRX',
  asset: 'USDT',
  network: 'tron',
  wallet: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
  memo: null,
  provider_url: null,
  amount: '18.7',
  received: '0',
  missing: '18.7',
  confirmations: 0,
  confirmations_needed: null,
};
const PIX: PaymentPageData = {
  transaction_id: '01a1fc74-0489-79b5-9c67-000000000000',
  status: 'pending',
  amount: 100.5,
  merchant_name: 'Loja Azul',
  description: null,
  br_code: null,
  crypto: null,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:30:00.000Z',
  paid_at: null,
  livemode: true,
  server_time: '2026-11-20T12:29:59.999Z',
};
const invoice = (crypto: Partial<CryptoPaymentData> = {}, data: Partial<PaymentPageData> = {}): PaymentPageData => ({
  ...PIX,
  ...data,
  crypto: { ...CRYPTO, ...crypto },
});

test('the page shows a PIX charge in its own status, also when its time is up', () => {
  for (const status of ['pending', 'expired', 'cancelled', 'failed', 'review', 'paid'] as const)
    expect(stateOf(status, { ...PIX, status })).toBe(status);
  expect(stateOf('pending', { ...PIX, server_time: '2026-11-20T12:30:00.000Z' })).toBe('pending');
});

test.each([
  ['expired', 'cryptoExpired'],
  ['cancelled', 'cryptoCancelled'],
  ['failed', 'cryptoFailed'],
  ['underpaid', 'underpaid'],
  ['pending', 'pending'],
] as const)('the page of an invoice that is %s shows the state %s', (status, state) => {
  expect(stateOf(status, invoice())).toBe(state);
});

test('the page asks for the rest once the least part of an invoice has come', () => {
  expect(stateOf('pending', invoice({ received: '0.00000001' }))).toBe('partial');
});

test('the page does not ask for coins after the end, though the server has not closed the invoice yet', () => {
  const late = { server_time: '2026-11-20T12:30:00.000Z' };
  for (const charge of [invoice({}, late), invoice({ received: '1' }, late)])
    expect(isPayable(stateOf('pending', charge))).toBe(false);
  expect(isPayable(stateOf('pending', invoice()))).toBe(true);
  expect(isPayable(stateOf('pending', invoice({}, { expires_at: null, ...late })))).toBe(true);
});

test('the page asks for the payment before anything is known, and not once it is detected, closed or not found', () => {
  expect(isPayable(stateOf('loading', undefined))).toBe(true);
  expect(isPayable(stateOf('unknown', undefined))).toBe(false);
  for (const status of ['detected', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled', 'failed'] as const)
    expect(isPayable(stateOf(status, invoice()))).toBe(false);
});
