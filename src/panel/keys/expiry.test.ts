import { expect, test } from 'vitest';
import { expiryOf } from './expiry.ts';

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
