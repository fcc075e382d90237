import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsBought, unitsOwed } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, CURRENCY_CODES } from '#domain/quotes/currencies.ts';
import { MAGIC_CENTS } from '#domain/sandbox/sandbox-switches.ts';
import { PRICES } from '../quotes/prices.ts';
import { DEPOSIT_PLANS, depositMagic, withdrawalMagic } from './magic.ts';

const centavos = fc.bigInt({ min: 1n, max: 10n ** 12n });
const centsOf = (amount: bigint) => String(amount % 100n).padStart(2, '0');

describe.each(CURRENCY_CODES)('%s, at a spread of 0', (code) => {
  const { asset, decimals } = CURRENCIES[code];
  const price = PRICES[asset];

  test('the crypto amount of a deposit determines its cents in reais', () => {
    const byCents = new Map(Object.entries(MAGIC_CENTS.depositCents));
    const check = (amount: bigint) => {
      const outcome = byCents.get(centsOf(amount));
      const plan = outcome && DEPOSIT_PLANS[outcome];
      expect(depositMagic(unitsOwed(amount, price, decimals), code)).toBe(plan);
    };
    fc.assert(fc.property(centavos, check));
    fc.assert(fc.property(centavos, fc.constantFrom(21n, 22n, 23n, 24n), (n, cents) => check(n * 100n + cents)));
  });

  test('the crypto amount of a withdrawal determines the cents of its net amount', () => {
    const byCents = new Map(Object.entries(MAGIC_CENTS.withdrawalCents));
    const check = (amount: bigint) => {
      const units = unitsBought(amount, price, decimals);
      expect(withdrawalMagic(units, code)).toBe(byCents.get(centsOf(amount)));
    };
    fc.assert(fc.property(centavos, check));
    fc.assert(fc.property(centavos, fc.constantFrom(31n, 32n, 33n, 34n), (n, cents) => check(n * 100n + cents)));
  });
});
