import { expect, test } from 'vitest';
import { CURRENCY_CODES, hasMemo } from '#domain/quotes/currencies.ts';
import { parseMemo, parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { networkOf, newWallet } from './networks.ts';

test.each(CURRENCY_CODES)('%s: every deposit address is new, and accepted as it is', (code) => {
  const made = Array.from({ length: 50 }, () => newWallet(code));
  for (const { wallet, memo } of made) {
    expect(parseWallet(wallet, code)).toBe(wallet);
    expect(memo !== null && parseMemo(memo, code) === memo).toBe(hasMemo(code));
  }
  expect(new Set(made.map(({ wallet }) => wallet)).size).toBe(50);
});

test.each([
  ['USDT', /^0x(?=.*[A-F])(?=.*[a-f])[0-9a-fA-F]{40}$/],
  ['USDT_BSC', /^0x(?=.*[A-F])(?=.*[a-f])[0-9a-fA-F]{40}$/],
  ['USDT_TRX', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
  ['USDT_TON', /^UQ[\w-]{46}$/],
  ['BTC', /^bc1q[02-9ac-hj-np-z]{38}$/],
  ['LTC', /^ltc1q[02-9ac-hj-np-z]{38}$/],
  ['DOGE', /^D[1-9A-HJ-NP-Za-km-z]{32,33}$/],
  ['SOL', /^[1-9A-HJ-NP-Za-km-z]{43,44}$/],
] as const)('%s: an address and a hash have the usual form', (code, form) => {
  // A few are shorter by one character or have no capitals, and are valid too.
  expect(Array.from({ length: 20 }, () => newWallet(code).wallet).some((wallet) => form.test(wallet))).toBe(true);
  expect(networkOf(code).newTxHash()).toMatch(/^(0x)?[0-9a-f]{64}$|^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
});
