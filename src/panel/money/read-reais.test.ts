import { expect, test } from 'vitest';
import { readReais } from './read-reais.ts';

test.each([
  ['1.234,56', 1234.56],
  ['R$ 1.234,56', 1234.56],
  ['R$\u00a01.234.567,89', 1234567.89],
  ['1,234.56', 1234.56],
  ['1234.56', 1234.56],
  ['1234,5', 1234.5],
  ['0,05', 0.05],
  ['100', 100],
  ['1.234', 1234],
  ['1.234.567', 1234567],
  [' 12,00 ', 12],
])('%s is read as %d', (text, reais) => {
  expect(readReais(text, ',')).toBe(reais);
});

test('what separates thousands in one language separates cents in the other', () => {
  expect([readReais('1.234', ','), readReais('1.234', '.')]).toEqual([1234, null]);
  expect([readReais('1,234', ','), readReais('1,234', '.')]).toEqual([null, 1234]);
});

test.each(['', 'abc', '10,999', '1.23,45', '12.34.56', '1,2,3', '-5', '1e3', '1.234,567', '1234.567,8'])(
  '%j is not guessed at',
  (text) => {
    expect(readReais(text, ',')).toBeNull();
  },
);
