import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCIES, CURRENCY_CODES, hasMemo, isCurrencyCode } from './currencies.ts';

/** Plisio's codes (its Python SDK) of the coins that are ours. */
const PLISIO_CODES = 'BTC LTC DOGE ETH USDT USDT_TRX USDT_BSC USDT_SOL USDT_TON USDC TRX BNB SOL TON'.split(' ');

test('the codes are Plisio’s', () => {
  expect([...CURRENCY_CODES].sort()).toEqual(PLISIO_CODES.sort());
});

test('the codes that the REST contract names are known', () => {
  for (const code of ['USDT_TRX', 'USDT_BSC']) expect(isCurrencyCode(code)).toBe(true);
});

test.each(['', 'usdt', 'USDT ', 'USDT_ETH', 'BRL', 'toString', 'constructor', '__proto__', 'hasOwnProperty', '0'])(
  '%j is no code',
  (text) => {
    expect(isCurrencyCode(text)).toBe(false);
  },
);

test('no text but a code is a code', () => {
  const words = [...PLISIO_CODES, 'usdt', '_', ' '];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string(), text), (word) => {
      expect(isCurrencyCode(word)).toBe(PLISIO_CODES.includes(word));
    }),
  );
});

describe.each(CURRENCY_CODES)('%s', (code) => {
  const { asset, network, decimals, name } = CURRENCIES[code];

  test('begins with what is quoted, and says the network unless it is Ethereum or the coin’s own', () => {
    const suffixes = { tron: '_TRX', bsc: '_BSC', solana: '_SOL', ton: '_TON' } as const;
    const isToken = asset === 'USDT' || asset === 'USDC';
    const suffix = isToken && network in suffixes ? suffixes[network as keyof typeof suffixes] : '';
    expect(code).toBe(asset + suffix);
  });

  test('has a name of its own, and no more decimals than any network', () => {
    expect(CURRENCY_CODES.filter((other) => CURRENCIES[other].name === name)).toEqual([code]);
    expect(Number.isInteger(decimals) && decimals >= 6 && decimals <= 18).toBe(true);
  });

  test('has a memo only where one address serves many', () => {
    expect(hasMemo(code)).toBe(['TON', 'USDT_TON'].includes(code));
  });
});

test('a coin’s decimals are its network’s', () => {
  const coins = Object.fromEntries(CURRENCY_CODES.map((code) => [code, CURRENCIES[code].decimals]));
  expect(coins).toEqual({
    BTC: 8,
    LTC: 8,
    DOGE: 8,
    ETH: 18,
    BNB: 18,
    TRX: 6,
    SOL: 9,
    TON: 9,
    USDC: 6,
    USDT: 6,
    USDT_TRX: 6,
    USDT_SOL: 6,
    USDT_TON: 6,
    // The token that Binance pegs has eighteen, unlike Tether's own.
    USDT_BSC: 18,
  });
});
