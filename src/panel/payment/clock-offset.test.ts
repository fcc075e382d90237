import { describe, expect, it } from 'vitest';
import { clockOffset } from './clock-offset.ts';

const HOUR_MS = 3_600_000;

describe("the server's clock", () => {
  it('is taken from the first answer, however wrong the device is', () => {
    expect(clockOffset(null, 5 * HOUR_MS, 2 * HOUR_MS)).toBe(3 * HOUR_MS);
  });

  it('is not set back by an answer that took longer', () => {
    const quick = clockOffset(null, 10_000, 10_040);
    expect(clockOffset(quick, 11_000, 11_900)).toBe(quick);
  });

  it('is improved by an answer that was quicker', () => {
    const slow = clockOffset(null, 10_000, 10_900);
    expect(clockOffset(slow, 11_000, 11_040)).toBe(-40);
  });

  it('follows when the device is set to another time', () => {
    const before = clockOffset(null, 10_000, 10_000);
    expect(clockOffset(before, 11_000, 11_000 + HOUR_MS)).toBe(-HOUR_MS);
    expect(clockOffset(before, 11_000, 11_000 - HOUR_MS)).toBe(HOUR_MS);
  });
});
