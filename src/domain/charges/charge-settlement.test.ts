import { describe, expect, test } from 'vitest';
import { CHARGE_TRANSITIONS, type ChargeStatus, mayBecome } from '../transactions/transaction-states.ts';
import { type ChargeState, nextSettlementStep } from './charge-settlement.ts';

const END = new Date('2026-11-21T12:00:00Z');
const BEFORE = new Date(END.getTime() - 1000);
const AFTER = new Date(END.getTime() + 10_000);
const NONE: ReadonlySet<string> = new Set();

const charge = (status: ChargeStatus, endToEndId: string | null = null): ChargeState => ({
  status,
  amountCentavos: 1000n,
  endToEndId,
  expiresAt: END,
  openReviews: status === 'review' ? 1 : 0,
});
const payment = (endToEndId: string, amountCentavos = 1000n) => ({ endToEndId, amountCentavos, paidAt: BEFORE });
const paid = (...payments: ReturnType<typeof payment>[]) => ({ status: 'paid' as const, payments });
const active = { status: 'active' as const, payments: [] };

describe('a payment of exactly the amount', () => {
  test.each(['pending', 'expired', 'cancelled', 'failed'] as const)(
    'is credited when the charge is %s, however late',
    (status) => {
      expect(nextSettlementStep(charge(status), paid(payment('A')), NONE, AFTER)).toEqual({
        step: 'pay',
        payment: payment('A'),
      });
    },
  );
  test('is credited once', () => {
    expect(nextSettlementStep(charge('paid', 'A'), paid(payment('A')), NONE, AFTER)).toBeNull();
  });
  test.each(['paid', 'refunded', 'review'] as const)(
    'waits for review where the charge is %s: it had a payment before',
    (status) => {
      expect(nextSettlementStep(charge(status, 'A'), paid(payment('B')), new Set(['A']), AFTER)).toEqual({
        step: 'review',
        reason: 'second_payment',
        payment: payment('B'),
      });
    },
  );
  test('goes before one of another amount', () => {
    const both = paid(payment('B', 999n), payment('A'));
    expect(nextSettlementStep(charge('pending'), both, NONE, BEFORE)).toMatchObject({
      step: 'pay',
      payment: { endToEndId: 'A' },
    });
    expect(nextSettlementStep(charge('paid', 'A'), both, NONE, BEFORE)).toMatchObject({
      step: 'review',
      payment: { endToEndId: 'B' },
    });
  });
});

describe('a payment that can’t be credited', () => {
  test.each([999n, 1001n, 1n])('of %s centavos waits for review', (centavos) => {
    expect(nextSettlementStep(charge('pending'), paid(payment('A', centavos)), NONE, BEFORE)).toMatchObject({
      step: 'review',
      reason: 'amount_differs',
    });
  });
  test('as a second one waits for review, once', () => {
    const twice = paid(payment('A'), payment('B'));
    expect(nextSettlementStep(charge('paid', 'A'), twice, NONE, BEFORE)).toMatchObject({
      step: 'review',
      reason: 'second_payment',
    });
    expect(nextSettlementStep(charge('paid', 'A'), twice, new Set(['B']), BEFORE)).toBeNull();
  });
});

describe('a charge without a payment', () => {
  test('expires at its end and the grace after it, not before', () => {
    expect(nextSettlementStep(charge('pending'), active, NONE, new Date(AFTER.getTime() - 1))).toBeNull();
    expect(nextSettlementStep(charge('pending'), active, NONE, AFTER)).toEqual({ step: 'close', as: 'expired' });
    expect(nextSettlementStep(charge('pending'), null, NONE, AFTER)).toEqual({ step: 'close', as: 'expired' });
  });
  test('is never expired when the PSP calls it paid without saying by what', () => {
    expect(nextSettlementStep(charge('pending'), paid(), NONE, AFTER)).toBeNull();
  });
  test('stays as it is while its state at the PSP is not known, until a payment is listed', () => {
    const unknown = (...payments: ReturnType<typeof payment>[]) => ({ status: null, payments });
    expect(nextSettlementStep(charge('pending'), unknown(), NONE, AFTER)).toBeNull();
    expect(nextSettlementStep(charge('pending'), unknown(payment('A')), NONE, AFTER)).toMatchObject({ step: 'pay' });
  });
  test('expires although the PSP calls it paid, where all of its payments are booked elsewhere', () => {
    expect(nextSettlementStep(charge('pending'), paid(payment('A')), new Set(['A']), BEFORE)).toBeNull();
    expect(nextSettlementStep(charge('pending'), paid(payment('A')), new Set(['A']), AFTER)).toEqual({
      step: 'close',
      as: 'expired',
    });
  });
  test('is cancelled when the PSP removed it', () => {
    const removed = { status: 'cancelled' as const, payments: [] };
    expect(nextSettlementStep(charge('pending'), removed, NONE, BEFORE)).toEqual({ step: 'close', as: 'cancelled' });
    expect(nextSettlementStep(charge('expired'), removed, NONE, BEFORE)).toBeNull();
  });
});

test('every step is a change that the table of states allows', () => {
  for (const status of Object.keys(CHARGE_TRANSITIONS) as ChargeStatus[]) {
    for (const provider of [
      active,
      paid(),
      paid(payment('X')),
      paid(payment('X', 5n)),
      { status: 'cancelled' as const, payments: [] },
    ]) {
      const step = nextSettlementStep(charge(status, status === 'paid' ? 'A' : null), provider, NONE, AFTER);
      if (step?.step === 'pay') expect(mayBecome(status, 'paid')).toBe(true);
      if (step?.step === 'close') expect(mayBecome(status, step.as)).toBe(true);
    }
  }
});

test('a charge in review is cancelled once all of its payments were decided about without a credit', () => {
  const decided = { ...charge('review'), openReviews: 0 };
  expect(nextSettlementStep(decided, paid(payment('A', 999n)), new Set(['A']), AFTER)).toEqual({
    step: 'close',
    as: 'cancelled',
  });
  expect(nextSettlementStep(charge('review'), paid(payment('A', 999n)), new Set(['A']), AFTER)).toBeNull();
  expect(nextSettlementStep(decided, paid(payment('B', 999n)), new Set(['A']), AFTER)).toMatchObject({
    step: 'review',
  });
});
