import { expect, test } from 'vitest';
import { expiryOf, readDay } from './expiry.ts';

const NOW = new Date('2026-11-21T02:30:00.000Z');

test.each([
  // NOW is 23:30 of the 20th in São Paulo, whose days end three hours after UTC's.
  ['never', null, null],
  ['30', null, '2026-12-21T02:59:59.999Z'],
  ['365', null, '2027-11-21T02:59:59.999Z'],
  ['date', '2026-11-20', '2026-11-21T02:59:59.999Z'],
  ['date', '2027-01-31', '2027-02-01T02:59:59.999Z'],
  ['date', null, null],
] as const)('a key for %s %s works to the last instant of that day in São Paulo', (choice, day, expected) => {
  expect(expiryOf(choice, day, NOW)?.toISOString() ?? null).toBe(expected);
});

test.each([
  ['31/01/2027', '2027-01-31'],
  ['1/2/2027', '2027-02-01'],
  [' 2027-01-31 ', '2027-01-31'],
  ['29/02/2028', '2028-02-29'],
  ['29/02/2027', null],
  ['31/04/2027', null],
  ['13/13/2027', null],
  ['00/01/2027', null],
  ['31/01/27', null],
  ['amanhã', null],
  ['', null],
])('%j is read as the day %s', (text, day) => {
  expect(readDay(text)).toBe(day);
});
