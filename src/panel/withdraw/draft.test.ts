import { beforeAll, describe, expect, test } from 'vitest';
import { amountOf, EMPTY_DRAFT, formatPixKey, issuesOf, keyOf, nameInCode } from './draft.ts';
import { loadWalletChecks } from './wallet-check.ts';

beforeAll(() => loadWalletChecks());

describe('the key that is meant', () => {
  test('one that can only be one thing needs no choice', () => {
    expect(keyOf({ pixKey: ' Maria@Example.com', pixKeyType: null })).toEqual({
      type: 'email',
      key: 'maria@example.com',
    });
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
  const amounts = ['', '0', '0,01', '0,005'].map((amount) => amountOf({ amount }, 'pt-BR'));
  expect(amounts).toEqual([null, null, 0.01, null]);
});

describe('what has to be mended', () => {
  const pix = { ...EMPTY_DRAFT, amount: '10', pixKey: 'maria@example.com' };
  const crypto = {
    ...EMPTY_DRAFT,
    kind: 'crypto' as const,
    amount: '10',
    currency: 'USDT_BSC',
    wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  };

  test.each([
    [pix, {}],
    [{ ...pix, amount: '' }, { amount: 'amount' }],
    [{ ...pix, pixKey: ' ' }, { pixKey: 'keyMissing' }],
    [{ ...pix, pixKey: 'maria' }, { pixKey: 'key' }],
    [{ ...pix, pixKey: '00020126580014br.gov.bcb.pix' }, { pixKey: 'codeBroken' }],
    [{ ...pix, pixKey: '51998259765' }, { pixKeyType: 'keyType' }],
    [{ ...pix, wallet: 'left behind' }, {}],
    [crypto, {}],
    [{ ...crypto, currency: '' }, { currency: 'currency' }],
    [{ ...crypto, wallet: '' }, { wallet: 'walletMissing' }],
    // The address of another network, and one with a wrong letter.
    [{ ...crypto, currency: 'BTC' }, { wallet: 'wallet' }],
    [{ ...crypto, wallet: crypto.wallet.replace('B', 'b') }, { wallet: 'wallet' }],
    [{ ...crypto, memo: '123' }, { memo: 'memo' }],
    [{ ...crypto, currency: 'TON', wallet: `0:${'1'.repeat(64)}`, memo: '123' }, {}],
  ])('%#: it is reported field by field', (draft, issues) => {
    expect(issuesOf(draft, 'pt-BR')).toEqual(issues);
  });
});

test('the name of a code goes with its key only', () => {
  const read = { ...EMPTY_DRAFT, pixKey: '123.456.789-09', codeKey: '12345678909', codeName: 'Maria' };
  expect(nameInCode(read)).toBe('Maria');
  expect(nameInCode({ ...read, pixKey: 'maria@example.com' })).toBeNull();
  expect(nameInCode({ ...EMPTY_DRAFT, pixKey: 'maria@example.com' })).toBeNull();
});
