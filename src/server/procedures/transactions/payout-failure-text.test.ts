import { describe, expect, test } from 'vitest';
import { PAYOUT_FAILURES } from '#domain/withdrawals/payout-failures.ts';
import { payoutFailureText } from './payout-failure-text.ts';

const GENERAL = 'O pagamento não foi concluído, e o provedor não informou o motivo.';
const SPI = [
  'AB03',
  'AC03',
  'AC06',
  'AC07',
  'AG03',
  'AM02',
  'AM04',
  'BE01',
  'CH11',
  'DS04',
  'DUPL',
  'ED05',
  'FRAD',
  'RR04',
];
const OURS = [
  'key_not_found',
  'wallet_refused',
  'provider_refused',
  'provider_lost',
  'account_stopped',
  'approval_declined',
  'approval_expired',
  'insufficient_balance',
  'owner_changed',
  'schedule_missed',
  'not_a_payee',
  'daily_limit_reached',
  'night_limit_reached',
  'below_minimum',
  'above_maximum',
  'network_failed',
  'provider_says_failed',
  'provider_says_paid',
  'provider_says_completed',
];

test('every code of the SPI and of the product has a sentence, and no other code has one', () => {
  expect([...PAYOUT_FAILURES].sort()).toEqual([...SPI, ...OURS].sort());
});

describe.each([...SPI, ...OURS])('%s', (code) => {
  test('is reported in a short sentence of its own, without the code', () => {
    const text = payoutFailureText(code);
    expect(text).toMatch(/^[A-ZÀ-Ú].*\.$/u);
    expect(text.length).toBeLessThanOrEqual(100);
    expect(text).not.toContain(code);
    expect([...SPI, ...OURS].filter((other) => payoutFailureText(other) === text)).toEqual([code]);
    expect(text).not.toBe(GENERAL);
  });
});

test.each(['', 'XX99', 'ac03', ' AC03', 'toString', 'constructor', '__proto__'])(
  '%j, which we have no words for, is reported in the general sentence',
  (code) => {
    expect(payoutFailureText(code)).toBe(GENERAL);
  },
);
