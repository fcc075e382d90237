import { beforeAll, describe, expect, test } from 'vitest';
import { cryptoWithdrawalInput } from '#contract/quotes/crypto.ts';
import { pixWithdrawalInput } from '#contract/withdrawals/pix-withdrawal.ts';
import { datesForFirst } from '#domain/withdrawals/payout-schedule.ts';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { schemaIssues } from '#panel/shell/schema-rules.ts';
import { type Draft, EMPTY_DRAFT, formatPixKey, issuesOf, keyOf, nameInCode, wireOf } from './draft.ts';
import { errorsOf, isHeldNow } from './schedule.ts';
import { loadWalletChecks } from './wallet-check.ts';

beforeAll(() => loadWalletChecks());

describe('the key that is meant', () => {
  test('a key that can only be one thing needs no choice', () => {
    expect(keyOf({ pixKey: ' Maria@Example.com', pixKeyType: null })).toEqual({
      type: 'email',
      key: 'maria@example.com',
    });
  });

  test('a key that is a CPF and a mobile number waits for the choice', () => {
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
] as const)('the PIX key %s of type %s is written as %s', (key, type, text) => {
  expect(formatPixKey(key, type)).toBe(text);
});

test('a reference is sent with either kind of withdrawal; a draft from before the field has none', () => {
  const pix = { ...EMPTY_DRAFT, pixKey: 'maria@example.com', reference: ' nota-77 ' };
  expect(wireOf(pix, 10)).toMatchObject({ reference: 'nota-77' });
  expect(wireOf({ ...pix, kind: 'crypto' }, 10)).toMatchObject({ reference: 'nota-77' });
  const { reference: _, ...old } = pix;
  expect(wireOf(old as Draft, 10)).toMatchObject({ reference: null });
});

describe('what has to be mended', () => {
  const pix = { ...EMPTY_DRAFT, amount: '10', pixKey: 'maria@example.com' };
  const wallet = { currency: 'USDT_BSC', wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  const crypto = { ...EMPTY_DRAFT, kind: 'crypto' as const, amount: '10', ...wallet };
  const later = { ...pix, isScheduled: true, scheduledFor: datesForFirst(new Date()).from };

  test.each([
    [pix, {}],
    [{ ...pix, amount: '' }, { amount: 'amount' }],
    [{ ...pix, pixKey: ' ' }, { pixKey: 'keyMissing' }],
    [{ ...pix, pixKey: 'maria' }, { pixKey: 'key' }],
    [{ ...pix, pixKey: '00020126580014br.gov.bcb.pix' }, { pixKey: 'codeBroken' }],
    [{ ...pix, pixKey: '51998259765' }, { pixKeyType: 'keyType' }],
    [{ ...pix, wallet: 'left behind' }, {}],
    [{ ...pix, isScheduled: true }, { scheduledFor: 'dateMissing' }],
    [{ ...pix, isScheduled: true, scheduledFor: '2020-01-01' }, { scheduledFor: 'date' }],
    [{ ...later, every: 'month' }, { times: 'times' }],
    [{ ...later, every: 'month', times: '1' }, { times: 'times' }],
    [{ ...later, every: 'year', times: '12' }, { times: 'tooLong' }],
    [{ ...later, every: 'month', times: '12' }, {}],
    [{ ...later, kind: 'crypto' as const, ...wallet, scheduledFor: '' }, {}],
    [crypto, {}],
    [{ ...crypto, currency: '' }, { currency: 'currency' }],
    [{ ...crypto, wallet: '' }, { wallet: 'walletMissing' }],
    // The address of another network, and one with a wrong letter.
    [{ ...crypto, currency: 'BTC' }, { wallet: 'wallet' }],
    [{ ...crypto, wallet: crypto.wallet.replace('B', 'b') }, { wallet: 'wallet' }],
    [{ ...crypto, memo: '123' }, { memo: 'memo' }],
    [{ ...crypto, currency: 'TON', wallet: `0:${'1'.repeat(64)}`, memo: '123' }, {}],
  ])('the issues of draft %# are reported field by field', (draft, issues) => {
    expect(issuesOf(draft, reaisOfText(draft.amount, 'pt-BR'), new Date())).toEqual(issues);
  });

  test('a date that has passed by the clock of a test account is an issue of the form', () => {
    const ahead = new Date(`${later.scheduledFor}T15:00:00.000Z`);
    expect(issuesOf(later, 10, ahead)).toEqual({ scheduledFor: 'date' });
  });

  const schemaFinds = (draft: Draft) => {
    const schema = draft.kind === 'pix' ? pixWithdrawalInput : cryptoWithdrawalInput;
    const issues = schemaIssues(schema, wireOf(draft, reaisOfText(draft.amount, 'pt-BR')));
    return Object.fromEntries(Object.entries(issues).map(([field, { issue }]) => [field, issue]));
  };

  test('a draft is checked by the schema that the service checks it by, in the form’s words where it has them', () => {
    expect(schemaFinds(pix)).toEqual({});
    expect(schemaFinds({ ...later, every: 'week', times: '3', reserve: true })).toEqual({});
    expect(schemaFinds(crypto)).toEqual({});
    expect(schemaFinds({ ...pix, description: 'x'.repeat(1000) })).toEqual({ description: 'too_long' });
    expect(schemaFinds({ ...crypto, memo: 'x'.repeat(1000) })).toEqual({ memo: 'too_long' });
    // The schema finds issues of the form's own texts in the same fields.
    expect(schemaFinds({ ...pix, amount: '' })).toEqual({ amount: 'not_amount' });
    expect(schemaFinds({ ...pix, pixKey: 'maria' })).toEqual({ pixKey: 'not_pix_key' });
    expect(schemaFinds({ ...crypto, wallet: ' ' })).toEqual({ wallet: 'empty' });
    // A number that could be of two types passes: only the form asks which it is.
    expect(schemaFinds({ ...pix, pixKey: '51998259765' })).toEqual({});
  });
});

test('the name from a BR Code is shown with the key of that code only', () => {
  const read = { ...EMPTY_DRAFT, pixKey: '123.456.789-09', codeKey: '12345678909', codeName: 'Maria' };
  expect(nameInCode(read)).toBe('Maria');
  expect(nameInCode({ ...read, pixKey: 'maria@example.com' })).toBeNull();
  expect(nameInCode({ ...EMPTY_DRAFT, pixKey: 'maria@example.com' })).toBeNull();
});

test('a withdrawal for a later date is not rejected for what is checked again on that date', () => {
  const errors = ['kyc_not_approved', 'daily_limit_reached', 'insufficient_funds'] as const;
  const later = { isScheduled: true, reserve: false, kind: 'pix' } as const;
  expect(errorsOf(later, errors)).toEqual(['kyc_not_approved']);
  expect(errorsOf({ ...later, reserve: true }, errors)).toEqual(['kyc_not_approved', 'insufficient_funds']);
  expect(errorsOf({ ...later, isScheduled: false }, errors)).toEqual(errors);
  expect(errorsOf({ ...later, kind: 'crypto' }, errors)).toEqual(errors);
});

test('only a PIX on a later date leaves the balance as it is until then, unless its money is to be held', () => {
  const later = { isScheduled: true, reserve: false, kind: 'pix' } as const;
  expect(isHeldNow(later)).toBe(false);
  expect(isHeldNow({ ...later, reserve: true })).toBe(true);
  expect(isHeldNow({ ...later, isScheduled: false })).toBe(true);
  expect(isHeldNow({ ...later, kind: 'crypto' })).toBe(true);
});
