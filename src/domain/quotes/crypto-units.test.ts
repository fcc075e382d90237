import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  centavosWorth,
  parseUnits,
  UNIT_DECIMALS,
  unitsBought,
  unitsOwed,
  unitsToDecimal,
  unitsToNumber,
} from './crypto-units.ts';

/** Up to a hundred million coins, and up to a hundred million reais for one. */
const units = fc.bigInt({ min: 0n, max: 10n ** 16n });
const prices = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 16n }), fc.bigInt({ min: 1n, max: 1_000n }));
const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n });
const USDT = 540_000_000n;
const BTC = 540_000n * 10n ** 8n;

describe('a decimal text', () => {
  test.each([
    ['0', 0n],
    ['1', 100_000_000n],
    ['1.89074074', 189_074_074n],
    ['0.00000001', 1n],
    ['0.1', 10_000_000n],
    ['007.50', 750_000_000n],
    ['540000.00', BTC],
    ['999999999999999', 99_999_999_999_999_900_000_000n],
  ])('%s is read exactly', (text, value) => {
    expect(parseUnits(text)).toBe(value);
  });

  test.each([
    ['0.000000019', 1n],
    ['1.999999999999999999', 199_999_999n],
    ['0.000000009999999999999999999999', 0n],
  ])('%s loses what is beyond eight decimals, never gains', (text, value) => {
    expect(parseUnits(text)).toBe(value);
  });

  test.each([
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.5.0',
    '1e-8',
    '0x10',
    'NaN',
    'Infinity',
    '１',
    '1_000',
    '1'.repeat(16),
    `0.${'1'.repeat(31)}`,
  ])('%j is no decimal text', (text) => {
    expect(parseUnits(text)).toBeNull();
  });

  test('of any quantity is read back as that quantity', () => {
    fc.assert(
      fc.property(units, (quantity) => {
        const text = unitsToDecimal(quantity);
        expect(parseUnits(text)).toBe(quantity);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,7}[1-9])?$/);
        expect(unitsToDecimal(-quantity)).toBe(quantity === 0n ? '0' : `-${text}`);
      }),
    );
  });

  test.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [-1n, '-0.00000001'],
    [10_000_000n, '0.1'],
    [200_000_000n, '2'],
    [189_074_074n, '1.89074074'],
    [-1_050_000_000n, '-10.5'],
  ])('of %s units is %s', (quantity, text) => {
    expect(unitsToDecimal(quantity)).toBe(text);
  });
});

describe('the JSON number', () => {
  test.each([
    [189_074_074n, 1.89074074],
    [1n, 1e-8],
    [0n, 0],
    [-1n, -1e-8],
  ])('of %s units is %s', (quantity, number) => {
    expect(unitsToNumber(quantity)).toBe(number);
  });

  test('carries a quantity of up to fifteen digits unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (quantity) => {
        const sent: number = JSON.parse(JSON.stringify(unitsToNumber(quantity)));
        expect(parseUnits(sent.toFixed(UNIT_DECIMALS))).toBe(quantity);
      }),
    );
  });
});

describe('what an amount buys', () => {
  test.each([
    [1021n, USDT, 8, 189_074_074n],
    [1021n, USDT, 6, 189_074_000n],
    [1021n, USDT, 18, 189_074_074n],
    [540n, USDT, 6, 100_000_000n],
    [1n, BTC, 8, 1n],
    [1n, BTC, 6, 0n],
    [1n, 2n * BTC, 8, 0n],
    [0n, USDT, 8, 0n],
  ])('%s centavos at %s with %s decimals: %s units', (centavos, price, decimals, quantity) => {
    expect(unitsBought(centavos, price, decimals)).toBe(quantity);
  });

  test('is never worth more than the amount, and one unit more would be', () => {
    fc.assert(
      fc.property(amounts, prices, (centavos, price) => {
        const bought = unitsBought(centavos, price, UNIT_DECIMALS);
        expect(centavosWorth(bought, price)).toBeLessThanOrEqual(centavos);
        expect((bought + 1n) * price).toBeGreaterThan(centavos * 10n ** 14n);
      }),
    );
  });

  test('does not grow when it is bought in two parts', () => {
    fc.assert(
      fc.property(amounts, amounts, prices, (a, b, price) => {
        expect(unitsBought(a, price, UNIT_DECIMALS) + unitsBought(b, price, UNIT_DECIMALS)).toBeLessThanOrEqual(
          unitsBought(a + b, price, UNIT_DECIMALS),
        );
      }),
    );
  });
});

describe('what has to be paid for an amount', () => {
  test.each([
    [1021n, USDT, 8, 189_074_075n],
    [1021n, USDT, 6, 189_074_100n],
    [540n, USDT, 6, 100_000_000n],
    [1n, BTC, 8, 2n],
    [1021n, USDT, 18, 189_074_075n],
    [1021n, USDT, 0, 200_000_000n],
    [0n, USDT, 6, 0n],
  ])('%s centavos at %s with %s decimals: %s units', (centavos, price, decimals, quantity) => {
    // 1 centavo of a coin at 540,000.00 is 1.85 units.
    expect(unitsOwed(centavos, price, decimals)).toBe(quantity);
  });

  test('is never short, can be paid on the network, and is the least such quantity', () => {
    fc.assert(
      fc.property(amounts, prices, fc.constantFrom(0, 2, 6, 8, 9, 18), (centavos, price, decimals) => {
        const owed = unitsOwed(centavos, price, decimals);
        const step = 10n ** BigInt(Math.max(UNIT_DECIMALS - decimals, 0));
        expect(owed % step).toBe(0n);
        expect(centavosWorth(owed, price)).toBeGreaterThanOrEqual(centavos);
        if (owed > 0n) expect((owed - step) * price).toBeLessThan(centavos * 10n ** 14n);
      }),
    );
  });

  test('is at least what the amount buys', () => {
    fc.assert(
      fc.property(amounts, prices, (centavos, price) => {
        const more = unitsOwed(centavos, price, UNIT_DECIMALS) - unitsBought(centavos, price, UNIT_DECIMALS);
        expect([0n, 1n]).toContain(more);
      }),
    );
  });
});

test('what units are worth is rounded down to the centavo', () => {
  expect(centavosWorth(189_074_074n, USDT)).toBe(1020n);
  expect(centavosWorth(189_074_075n, USDT)).toBe(1021n);
  expect(centavosWorth(1n, BTC)).toBe(0n);
  expect(centavosWorth(2n, BTC)).toBe(1n);
  fc.assert(
    fc.property(units, prices, (quantity, price) => {
      const worth = centavosWorth(quantity, price);
      expect(worth * 10n ** 14n <= quantity * price && quantity * price < (worth + 1n) * 10n ** 14n).toBe(true);
    }),
  );
});

test('a price of zero is an error, not a quantity', () => {
  expect(() => unitsBought(100n, 0n, UNIT_DECIMALS)).toThrow(RangeError);
  expect(() => unitsOwed(100n, 0n, 6)).toThrow(RangeError);
});

test('in however many parts, a withdrawal buys no more units than in one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt(1n, 10_000_000n), { minLength: 1, maxLength: 50 }),
      fc.bigInt(1_000n, 10n ** 14n),
      (parts, price) => {
        const inParts = parts.reduce((sum, part) => sum + unitsBought(part, price, UNIT_DECIMALS), 0n);
        const whole = parts.reduce((sum, part) => sum + part, 0n);
        expect(inParts <= unitsBought(whole, price, UNIT_DECIMALS)).toBe(true);
        expect(centavosWorth(inParts, price) <= whole).toBe(true);
      },
    ),
  );
});
