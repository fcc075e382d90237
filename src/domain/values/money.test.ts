import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_CENTAVOS_MAX, formatBrl, fromDecimal, parseBrl, readBrl, toBrl, toDecimal } from './money.ts';

const amount = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });

describe('parseBrl', () => {
  test.each([
    [1, 100n],
    [0.01, 1n],
    [0.1, 10n],
    [4.35, 435n],
    [1.1, 110n],
    [10.5, 1050n],
    [1e2, 10_000n],
    [1_000_000, AMOUNT_CENTAVOS_MAX],
    [1_000_000.01, 100_000_001n],
    [999_999_999_999.99, 99_999_999_999_999n],
  ])('%d reais are read to the centavo', (value, centavos) => {
    expect(parseBrl(value)).toBe(centavos);
  });

  // ASVS 1.4.2
  test.each([
    0,
    -0,
    -1,
    -0.01,
    0.001,
    1.005,
    10.001,
    12.345,
    0.1 + 0.2,
    1e21,
    1e-7,
    1e12,
    JSON.parse('9007199254740993'),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    JSON.parse('1e400'),
  ])('the number %d is rejected, never rounded', (value) => {
    expect(parseBrl(value)).toBeNull();
  });

  test.each([
    ['10'],
    ['1,50'],
    [''],
    [null],
    [undefined],
    [true],
    [false],
    [[]],
    [[10]],
    [{}],
    [10n],
    [new Number(10)],
  ])('%o is no JSON number and is rejected', (value) => {
    expect(parseBrl(value)).toBeNull();
  });

  test('an amount with three significant decimals is always rejected', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (thousandths) => {
        fc.pre(thousandths % 10 !== 0);
        expect(parseBrl(Number(`${thousandths}e-3`))).toBeNull();
      }),
    );
  });
});

describe('toBrl', () => {
  test('every amount survives the way out to JSON and back in', () => {
    fc.assert(
      fc.property(amount, (centavos) => {
        expect(parseBrl(JSON.parse(JSON.stringify(toBrl(centavos))))).toBe(centavos);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the JSON text has at most two decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (centavos) => {
        expect(JSON.stringify(toBrl(centavos))).toMatch(/^-?\d+(\.\d{1,2})?$/);
        expect(toBrl(centavos)).toBe(Number(toDecimal(centavos)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('zero and negative amounts are numbers too', () => {
    expect(toBrl(0n)).toBe(0);
    expect(toBrl(-105n)).toBe(-1.05);
  });

  test('an amount that no double can hold is an error, not an approximation', () => {
    expect(() => toBrl(1_000_000_000_000_000n)).toThrow(RangeError);
    expect(() => toBrl(-1_000_000_000_000_000n)).toThrow(RangeError);
  });
});

describe('decimal text', () => {
  test.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [3700n, '37.00'],
    [-105n, '-1.05'],
    [-5n, '-0.05'],
    [123_456_789_012_345n, '1234567890123.45'],
  ])('%d centavos are written %s', (centavos, text) => {
    expect(toDecimal(centavos)).toBe(text);
  });

  test('what is written is read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (centavos) => {
        expect(fromDecimal(toDecimal(centavos))).toBe(centavos);
      }),
    );
  });

  test.each([
    '',
    '1',
    '1.0',
    '1.000',
    '.10',
    '1,00',
    '-1.00',
    '+1.00',
    ' 1.00',
    '1.00\n',
    '12345678901.00',
    '1e2.00',
    '١.٠٠',
  ])('the text %j is rejected', (text) => {
    expect(fromDecimal(text)).toBeNull();
  });
});

describe('an amount of any sign and size', () => {
  test.each([
    [0, 0n],
    [-0, 0n],
    [-1, -100n],
    [-0.01, -1n],
    [4.35, 435n],
    [2_000_000, 200_000_000n],
    [1e21, 10n ** 23n],
    [-1e21, -(10n ** 23n)],
  ])('%d is read', (value, centavos) => expect(readBrl(value)).toBe(centavos));

  test.each([
    0.001,
    -0.001,
    1e-7,
    10.005,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '10',
    null,
    undefined,
    true,
    [10],
    10n,
  ])('%s is no amount', (value) => expect(readBrl(value)).toBeNull());

  test('is read as parseBrl reads it, where that reads it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.bigInt(1n, AMOUNT_CENTAVOS_MAX).map(toBrl)), (value) => {
        const centavos = parseBrl(value);
        if (centavos !== null) expect(readBrl(value)).toBe(centavos);
      }),
    );
  });

  test('is written for people', () => {
    expect([1n, 100n, 123_456n, 100_000_000n, 12_345_678_901n].map(formatBrl)).toEqual([
      'R$ 0,01',
      'R$ 1,00',
      'R$ 1.234,56',
      'R$ 1.000.000,00',
      'R$ 123.456.789,01',
    ]);
  });
});
