import { expect, test } from 'vitest';
import { dayStateOf } from './day-state.ts';

const AGREED = {
  checked_at: '2026-11-21T06:31:00.000Z',
  whole: true,
  unexplained: '0.00',
  unreadable: 0,
  acknowledged: null,
};

test.each([
  ['agrees', AGREED],
  ['differs', { ...AGREED, unexplained: '0.00000001', unreadable: 1 }],
  ['known', { ...AGREED, unexplained: '1.00', acknowledged: { at: AGREED.checked_at, reason: 'Tarifa' } }],
  ['unreadable', { ...AGREED, unreadable: 1 }],
  ['underway', { ...AGREED, whole: false }],
  ['waiting', { ...AGREED, checked_at: null, whole: false }],
] as const)('the state "%s" follows from the outcome of a day’s comparison', (state, day) => {
  expect(dayStateOf(day)).toBe(state);
});
