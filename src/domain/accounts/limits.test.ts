import { expect, test } from 'vitest';
import { isLimitName, LIMIT_NAMES, parseLimit } from './limits.ts';

test.each([
  'minimal_value_in_crypto',
  'maximal_value_in_crypto',
  'minimal_value_out_crypto',
  'maximal_value_out_crypto',
  'daily_limit_out_crypto',
])('%s, a limit of the contract, keeps its name', (name) => {
  expect(isLimitName(name)).toBe(true);
});

test('each crypto limit has a PIX counterpart', () => {
  for (const name of LIMIT_NAMES.filter((limit) => limit.endsWith('_crypto')))
    expect(LIMIT_NAMES).toContain(name.replace('_crypto', '_pix'));
});

test.each(['', 'minimal_value_in', 'MINIMAL_VALUE_IN_CRYPTO', 'toString', 'length', '0', '__proto__'])(
  '"%s" is no limit',
  (name) => {
    expect(isLimitName(name)).toBe(false);
  },
);

test.each([
  ['5000.00', 5000_00n],
  ['0.5', 50n],
  ['0', 0n],
  ['none', null],
  ['', undefined],
  ['-1', undefined],
  ['1.001', undefined],
  ['1e3', undefined],
  ['NaN', undefined],
])('an operator’s limit "%s" is %s', (text, limit) => {
  expect(parseLimit(text)).toBe(limit);
});
