import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from './assert-property.ts';

const numbers = fc.integer({ min: 0, max: 1_000_000 });

test('every run ends before the property does, and none is left out', async () => {
  let [begun, ended] = [0, 0];
  const run = async () => {
    begun++;
    await new Promise((resolve) => setTimeout(resolve, 1));
    ended++;
  };
  await assertProperty([numbers], run, { numRuns: 20 }, 0);
  expect([begun, ended]).toEqual([20, 20]);
});

test('a failing run is shortened, and for no longer than it may be', async () => {
  const smallest = (searchMs: number) => {
    let least = Number.POSITIVE_INFINITY;
    const run = async (number: number) => {
      if (number < 1_000) return;
      least = Math.min(least, number);
      throw new Error('too large');
    };
    const asserted = assertProperty([numbers], run, { seed: 7, numRuns: 20 }, searchMs);
    return asserted.then(
      () => null,
      (error: Error) => ({ least, seed: error.message.includes('seed: 7') }),
    );
  };
  const [long, short] = [await smallest(60_000), await smallest(0)];
  expect(long).toEqual({ least: 1_000, seed: true });
  expect(short).toEqual({ least: expect.any(Number), seed: true });
  expect(short?.least).toBeGreaterThan(1_000);
});
