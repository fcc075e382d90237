import { expect, test } from 'vitest';
import { feeOfReais } from './fee-of-reais.ts';

test('the fee is reckoned to the centavo as the service reckons it', () => {
  expect(feeOfReais(100.5, { percent: 1, fixed: 0.1 })).toEqual({ fee: 1.11, net: 99.39 });
  expect(feeOfReais(4.35, { percent: 0.99, fixed: 0 })).toEqual({ fee: 0.04, net: 4.31 });
  expect(feeOfReais(0.05, { percent: 1, fixed: 0.1 })).toEqual({ fee: 0.05, net: 0 });
});

test('an empty amount and a zero amount have no fee', () => {
  expect(feeOfReais(null, { percent: 1, fixed: 0.1 })).toBeNull();
  expect(feeOfReais(0, { percent: 1, fixed: 0.1 })).toBeNull();
});
