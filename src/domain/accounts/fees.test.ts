import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feeOf, parseFee } from './fees.ts';

describe('parseFee', () => {
  test.each([
    ['99bps+10', 99, 10n],
    ['99bps', 99, 0n],
    ['+10', 0, 10n],
    ['10', 0, 10n],
    ['0', 0, 0n],
    ['0bps', 0, 0n],
    ['10000bps+10000000', 10_000, 10_000_000n],
  ])('%s is %d basis points and %d centavos', (text, bps, fixedCentavos) => {
    expect(parseFee(text)).toEqual({ bps, fixedCentavos });
  });

  test.each([
    '',
    '+',
    'bps',
    '99bps+',
    '99bps10',
    '10+99bps',
    '-1',
    '1.5bps',
    '99 bps',
    ' 10',
    '10\n',
    '99BPS',
    '10001bps',
    '10000001',
    '99bps+10000001',
    '1e3',
    '99%',
  ])('%j is rejected', (text) => {
    expect(parseFee(text)).toBeNull();
  });
});

describe('feeOf', () => {
  test.each([
    [3_700n, '99bps+10', 47n], // 36.63 + 10
    [10_000n, '99bps', 99n],
    [50n, '100bps', 1n], // exactly half a centavo goes up
    [149n, '100bps', 1n], // less than half goes down
    [49n, '100bps', 1n], // a share is a centavo at least
    [1n, '1bps', 1n],
    [1n, '0bps+0', 0n],
    [150n, '100bps', 2n],
    [100_000_000n, '99bps+10', 990_010n],
    [0n, '99bps+10', 0n],
    [1_000n, '0', 0n],
  ])('for %d centavos at %s is %d', (amountCentavos, text, expected) => {
    expect(feeOf(amountCentavos, parsed(text))).toBe(expected);
  });

  test('a charge smaller than its fee costs all of itself and no more', () => {
    expect(feeOf(5n, parsed('99bps+10'))).toBe(5n);
    expect(feeOf(10n, parsed('+10'))).toBe(10n);
    expect(feeOf(11n, parsed('+10'))).toBe(10n);
  });

  test('a fee of a negative amount is an error', () => {
    expect(() => feeOf(-1n, parsed('10'))).toThrow(RangeError);
  });

  test('is between zero and the amount, and within half a centavo of the exact share', () => {
    const fee = fc.record({
      bps: fc.integer({ min: 0, max: 10_000 }),
      fixedCentavos: fc.bigInt({ min: 0n, max: 10_000_000n }),
    });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 100_000_000n }), fee, (amountCentavos, { bps, fixedCentavos }) => {
        const total = feeOf(amountCentavos, { bps, fixedCentavos });
        expect(total >= 0n && total <= amountCentavos).toBe(true);
        if (total === amountCentavos || (bps > 0 && total === fixedCentavos + 1n)) return;
        const errorIn20000ths = 2n * ((total - fixedCentavos) * 10_000n - amountCentavos * BigInt(bps));
        expect(errorIn20000ths > -10_000n && errorIn20000ths <= 10_000n).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('n small operations never cost less than one large one, but for half a centavo of rounding each, and none is for free', () => {
    const fee = fc.record({
      bps: fc.integer({ min: 1, max: 10_000 }),
      fixedCentavos: fc.bigInt({ min: 0n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 1_000n), fee, (small, n, { bps, fixedCentavos }) => {
        const inParts = n * feeOf(small, { bps, fixedCentavos });
        const inOne = feeOf(small * n, { bps, fixedCentavos });
        const capped = feeOf(small, { bps, fixedCentavos }) === small;
        expect(capped || 2n * inParts + n + 1n >= 2n * inOne).toBe(true);
        expect(inParts >= n).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  function parsed(text: string) {
    const fee = parseFee(text);
    if (fee === null) throw new Error(`${text} is no fee`);
    return fee;
  }
});
