import { expect, test } from 'vitest';
import { parseAsDay } from './parse-as-day.ts';

test.each([
  ['2028-02-29', '2028-02-29'],
  // Some engines take it for the third of March, on which a list would then end.
  ['2026-02-31', null],
  ['2026-13-01', null],
  // The day after it has no instant that a list takes.
  ['9999-12-31', null],
  ['0000-01-01', null],
  ['31/01/2027', null],
  ['', null],
])('%j in an address is the day %s', (text, day) => {
  expect(parseAsDay.parse(text)).toBe(day);
});
