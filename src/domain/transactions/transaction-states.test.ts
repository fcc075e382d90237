import { expect, test } from 'vitest';
import { CHARGE_TRANSITIONS, type ChargeStatus, mayBecome } from './transaction-states.ts';

const STATES = Object.keys(CHARGE_TRANSITIONS) as ChargeStatus[];

/** All allowed transitions, so that a new one is a decision and never a slip. */
const LEGAL = new Set([
  'pending → paid',
  'pending → expired',
  'pending → cancelled',
  'pending → failed',
  'pending → review',
  'expired → paid',
  'expired → review',
  'cancelled → paid',
  'cancelled → review',
  'failed → paid',
  'failed → review',
  'review → paid',
  'review → cancelled',
  'paid → refunded',
]);

// ASVS 2.3.1
test.each(STATES.flatMap((from) => STATES.map((to): [ChargeStatus, ChargeStatus] => [from, to])))(
  'a charge that is %s may become %s only if the table says so',
  (from, to) => {
    expect(mayBecome(from, to)).toBe(LEGAL.has(`${from} → ${to}`));
  },
);

test('a charge that was paid never becomes unpaid again', () => {
  const reachable = (from: ChargeStatus, seen = new Set<ChargeStatus>()): Set<ChargeStatus> => {
    for (const to of CHARGE_TRANSITIONS[from]) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };
  expect([...reachable('paid')]).toEqual(['refunded']);
});

test('money that arrives is never lost: from every end without money a charge can still be paid or reviewed', () => {
  for (const end of ['expired', 'cancelled', 'failed'] as const)
    expect([mayBecome(end, 'paid'), mayBecome(end, 'review')]).toEqual([true, true]);
});
