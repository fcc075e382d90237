import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('a number has its noun in the singular for one alone', () => {
  expect([0, 1, 2].map((count) => counted(count, 'transaction'))).toEqual([
    '0 transactions',
    '1 transaction',
    '2 transactions',
  ]);
  expect([1, 2].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
