import { beforeAll, expect, test } from 'vitest';
import type { PayeeOutput } from '#contract/payees/payees.ts';
import { findPayees } from '../payees/payee-text.ts';
import { EMPTY_DRAFT } from './draft.ts';
import { payeeOf } from './payee-of.ts';
import { loadWalletChecks } from './wallet-check.ts';

const at = '2026-11-23T12:00:00.000Z';
const common = { pix_key: null, pix_key_type: null, network: null, wallet: null, memo: null };
const rest = { added_by: 'Ana', added_at: at, usable_from: at, waits: false };
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const PAYEES: PayeeOutput[] = [
  { ...common, ...rest, payee_id: 'phone', label: 'Maria', pix_key: '+5511987654321', pix_key_type: 'PHONE' },
  { ...common, ...rest, payee_id: 'wallet', label: 'Corretora', network: 'bsc', wallet: WALLET },
];

beforeAll(() => loadWalletChecks());

const pix = { ...EMPTY_DRAFT, kind: 'pix' as const };
const crypto = { ...EMPTY_DRAFT, kind: 'crypto' as const, currency: 'USDT_BSC', wallet: WALLET };

test.each([
  ['a key as it is read', { ...pix, pixKey: '+55 (11) 98765-4321' }, 'phone'],
  ['another key', { ...pix, pixKey: 'maria@example.com' }, null],
  ['no key yet', { ...pix, pixKey: 'mar' }, undefined],
  ['a wallet, over any currency of its network', { ...crypto, currency: 'BNB' }, 'wallet'],
  ['a wallet in another spelling', { ...crypto, wallet: WALLET.toLowerCase() }, 'wallet'],
  ['a wallet on another network', { ...crypto, currency: 'USDT' }, null],
  ['a wallet with a memo that the payee has not', { ...crypto, memo: '7' }, null],
  ['no wallet yet', { ...crypto, wallet: ' ' }, undefined],
])('the payee of a withdrawal is looked up by %s', (_, draft, expected) => {
  const found = payeeOf(draft, PAYEES);
  expect(found ? found.payee_id : found).toBe(expected);
});

test('payees are found by words of their label, their key and their network', () => {
  const found = (text: string) => findPayees(PAYEES, text).map(({ payee_id: id }) => id);
  expect(found('')).toEqual(['phone', 'wallet']);
  expect(found(' MAR 98765-4321')).toEqual(['phone']);
  expect(found('5511987')).toEqual(['phone']);
  expect(found('bnb corretora')).toEqual(['wallet']);
  expect(found('maria corretora')).toEqual([]);
});
