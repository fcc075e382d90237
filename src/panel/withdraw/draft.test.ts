import { describe, expect, test } from 'vitest';
import { amountOf, formatPixKey, keyOf } from './draft.ts';

describe('the key that is meant', () => {
  test('one that can only be one thing needs no choice', () => {
    expect(keyOf({ pixKey: ' Maria@Example.com', pixKeyType: null })).toEqual({ type: 'email', key: 'maria@example.com' });
  });

  test('one that is a CPF and a mobile number waits for the choice', () => {
    expect(keyOf({ pixKey: '51998259765', pixKeyType: null })).toBeNull();
    expect(keyOf({ pixKey: '51998259765', pixKeyType: 'cpf' })).toEqual({ type: 'cpf', key: '51998259765' });
    expect(keyOf({ pixKey: '51998259765', pixKeyType: 'phone' })).toEqual({ type: 'phone', key: '+5551998259765' });
  });

  test('a choice made for another key does not stay behind', () => {
    expect(keyOf({ pixKey: '51998259765', pixKeyType: 'email' })).toBeNull();
    expect(keyOf({ pixKey: '123.456.789-09', pixKeyType: 'phone' })).toEqual({ type: 'cpf', key: '12345678909' });
  });
});

test.each([
  ['12345678909', 'cpf', '123.456.789-09'],
  ['11222333000181', 'cnpj', '11.222.333/0001-81'],
  ['+5551998259765', 'phone', '+55 (51) 99825-9765'],
  ['maria@example.com', 'email', 'maria@example.com'],
  ['***.456.789-**', 'cpf', '***.456.789-**'],
] as const)('%s of type %s is read as %s', (key, type, text) => {
  expect(formatPixKey(key, type)).toBe(text);
});

test('an amount is one from a centavo up', () => {
  expect([amountOf({ amount: '' }), amountOf({ amount: 0 }), amountOf({ amount: 0.01 })]).toEqual([null, null, 0.01]);
});
