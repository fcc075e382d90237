import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideQuote, type MarketPriceLike, QUOTE_DIVERGENCE_BPS, QUOTE_FRESH_MS, withSpread } from './quote.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const RULES = { freshForMs: QUOTE_FRESH_MS, divergenceBpsMax: QUOTE_DIVERGENCE_BPS };

const priced = (source: string, price: bigint, ageMs = 0): MarketPriceLike => ({
  source,
  price,
  at: new Date(NOW.getTime() - ageMs),
});

describe('a quote', () => {
  test('is the median of three, with its sources by name and the time of the oldest', () => {
    const [a, b, c] = [priced('a', 543n, 20_000), priced('b', 541n, 3_000), priced('c', 545n)];
    expect(decideQuote([c, a, b], NOW, RULES)).toEqual({ quote: { price: 543n, at: a.at, sources: [a, b, c] } });
  });

  test('of two is their mean, rounded down', () => {
    expect(decideQuote([priced('a', 100n), priced('b', 103n)], NOW, RULES)).toMatchObject({ quote: { price: 101n } });
  });

  test('takes one price of a source, the newest, in whatever order they come', () => {
    const newest = [priced('a', 102n, 1_000), priced('b', 100n)];
    const prices = [priced('a', 101n, 2_000), ...newest, priced('a', 100n, 3_000)];
    expect(decideQuote(prices, NOW, RULES)).toMatchObject({ quote: { price: 101n, sources: newest } });
  });

  test('is rejected with one source, however many prices it gives', () => {
    expect(decideQuote([], NOW, RULES)).toEqual({ error: 'too_few_fresh' });
    expect(decideQuote([priced('a', 100n), priced('a', 100n, 1)], NOW, RULES)).toEqual({ error: 'too_few_fresh' });
  });

  test.each<[string, MarketPriceLike]>([
    ['60 s old', priced('b', 100n, 60_000)],
    ['5 s ahead of our clock', priced('b', 100n, -5_000)],
  ])('takes a price that is %s', (_, other) => {
    expect(decideQuote([priced('a', 100n), other], NOW, RULES)).toMatchObject({ quote: { price: 100n } });
  });

  test.each<[string, MarketPriceLike]>([
    ['more than 60 s old', priced('b', 100n, 60_001)],
    ['more than 5 s ahead of our clock', priced('b', 100n, -5_001)],
    ['of no valid time', { source: 'b', price: 100n, at: new Date(Number.NaN) }],
    ['zero', priced('b', 0n)],
    ['negative', priced('b', -100n)],
  ])('takes no price that is %s', (_, other) => {
    expect(decideQuote([priced('a', 100n), other], NOW, RULES)).toEqual({ error: 'too_few_fresh' });
  });

  test('a stale price is left out where two others are fresh', () => {
    const fresh = [priced('a', 100n), priced('b', 102n)];
    const decided = decideQuote([...fresh, priced('c', 900n, 61_000)], NOW, RULES);
    expect(decided).toMatchObject({ quote: { price: 101n, sources: fresh } });
  });

  test('is rejected when the highest exceeds the lowest by more than 3 % of it, not by 3 %', () => {
    const prices = (highest: bigint) => [priced('a', 10_000n), priced('b', 10_001n), priced('c', highest)];
    expect(decideQuote(prices(10_300n), NOW, RULES)).toHaveProperty('quote');
    expect(decideQuote(prices(10_301n), NOW, RULES)).toEqual({ error: 'diverging' });
  });

  test('lies in the middle: half of the prices are at or below it, half at or above, in whatever order they come', () => {
    const prices = fc
      .array(fc.bigInt({ min: 1_000_000n, max: 2_000_000n }), { minLength: 2, maxLength: 9 })
      .map((units) => units.map((price, index) => priced(`market-${index}`, price)));
    const anyOrder = prices.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
    fc.assert(
      fc.property(anyOrder, (list) => {
        const decided = decideQuote(list, NOW, { ...RULES, divergenceBpsMax: 10_000 });
        if (!('quote' in decided)) throw new Error('a quote was due');
        const { price } = decided.quote;

        const units = list.map((one) => one.price).sort(ascending);
        const half = Math.ceil(units.length / 2);
        const below = units[half - 1] as bigint;
        const above = units[units.length - half] as bigint;
        expect(below <= price && price <= above).toBe(true);
        // As far from the one as from the other, but for the rounding down.
        expect([0n, 1n]).toContain(above - price - (price - below));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a spread', () => {
  test.each<[bigint, number, 'in' | 'out', bigint]>([
    [543_000_000n, 100, 'in', 537_570_000n],
    [543_000_000n, 100, 'out', 548_430_000n],
    [543_000_000n, 0, 'in', 543_000_000n],
    [543_000_000n, 0, 'out', 543_000_000n],
    [10_001n, 1, 'in', 9_999n], // 9,999.9999
    [10_001n, 1, 'out', 10_003n], // 10,002.0001
    [1n, 50, 'in', 1n],
    [1n, 50, 'out', 2n],
  ])('on %d of %d basis points, money %s, gives %d', (price, spreadBps, side, expected) => {
    expect(withSpread(price, spreadBps, side)).toBe(expected);
  });

  test('never favours the user, never by more than a step of the price, and never gives zero', () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 16n });
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 9_999 }), (units, spreadBps) => {
        const exactIn = units * BigInt(10_000 - spreadBps);
        const exactOut = units * BigInt(10_000 + spreadBps);
        const lowered = withSpread(units, spreadBps, 'in');
        const raised = withSpread(units, spreadBps, 'out');
        expect(lowered === 1n || lowered * 10_000n <= exactIn).toBe(true);
        expect(exactIn - lowered * 10_000n < 10_000n).toBe(true);
        expect(raised * 10_000n >= exactOut && raised * 10_000n - exactOut < 10_000n).toBe(true);
        expect(lowered > 0n).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([-1, 10_000, 1.5, Number.NaN])('of %d basis points is an error', (spreadBps) => {
    expect(() => withSpread(100n, spreadBps, 'in')).toThrow(RangeError);
    expect(() => withSpread(100n, spreadBps, 'out')).toThrow(RangeError);
  });
});

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
