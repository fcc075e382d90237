import { expect, test } from 'vitest';
import { erasableFrom, isErasable } from './retention.ts';

test('what has moved money is kept for whole years from the first day of the next one', () => {
  expect(erasableFrom(2026, 10)).toBe('2037-01-01');
  expect(erasableFrom(2026, 5)).toBe('2032-01-01');
});

test('what has never moved money need not be kept', () => {
  expect(erasableFrom(null, 10)).toBeNull();
  expect(isErasable(null, new Date())).toBe(true);
});

test('the retention ends at midnight in São Paulo', () => {
  expect(isErasable('2037-01-01', new Date('2037-01-01T02:59:59Z'))).toBe(false);
  expect(isErasable('2037-01-01', new Date('2037-01-01T03:00:00Z'))).toBe(true);
});
