import { expect, test } from 'vitest';
import { assertBalanced } from './assert-balanced.ts';

test('a ledger with a discrepancy ends the bench with that discrepancy', () => {
  expect(() => assertBalanced({ discrepancies: [{ rule: 'sum', detail: 'one centavo is missing' }] })).toThrow(
    'one centavo is missing',
  );
  expect(() => assertBalanced({ discrepancies: [] })).not.toThrow();
});
