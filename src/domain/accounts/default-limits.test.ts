import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, parseDefaultLimits } from './default-limits.ts';
import { LIMIT_NAMES } from './limits.ts';

test('every limit has a default, and the least of an operation is below its most', () => {
  for (const name of LIMIT_NAMES) expect(DEFAULT_LIMITS[name]).toBeGreaterThan(0n);
  for (const side of ['in_pix', 'out_pix', 'in_crypto', 'out_crypto'] as const) {
    expect(DEFAULT_LIMITS[`minimal_value_${side}`]).toBeLessThan(DEFAULT_LIMITS[`maximal_value_${side}`] as bigint);
  }
});

test('a limit that an installation does not set keeps its default: nothing is unlimited by omission', () => {
  expect(parseDefaultLimits('')).toEqual(DEFAULT_LIMITS);
  expect(parseDefaultLimits('night_limit_out_pix=none, maximal_value_in_pix=99.5')).toEqual({
    ...DEFAULT_LIMITS,
    night_limit_out_pix: null,
    maximal_value_in_pix: 99_50n,
  });
  expect(new Set(Object.values(parseDefaultLimits('none') ?? {}))).toEqual(new Set([null]));
});

test.each(['daily=1', 'daily_limit_out_pix', 'daily_limit_out_pix=', 'daily_limit_out_pix=1=2', 'toString=1'])(
  '"%s" is rejected',
  (text) => expect(parseDefaultLimits(text)).toBeNull(),
);

test('a limit that is named twice is rejected', () => {
  expect(parseDefaultLimits('daily_limit_out_pix=1,daily_limit_out_pix=none')).toBeNull();
});
