import { expect, test } from 'vitest';
import { mayExpireAt } from '#domain/api-keys/api-key-state.ts';
import { addDays } from '#domain/reports/statement-period.ts';
import { expiryDays, expiryOf } from './expiry.ts';

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

test.each(['2026-11-20T03:00:00.000Z', '2026-11-20T15:00:00.000Z', '2026-11-21T02:59:59.998Z'])(
  'at %s every day to whose end a key may work is offered, and no other',
  (at) => {
    const now = new Date(at);
    const { from, to } = expiryDays(now);
    expect([from, to]).toEqual(['2026-11-20', '2036-11-16']);
    const may = (day: string) => mayExpireAt(expiryOf('date', day, now) as Date, now);
    expect([addDays(from, -1), from, to, addDays(to, 1)].map(may)).toEqual([false, true, true, false]);
  },
);
