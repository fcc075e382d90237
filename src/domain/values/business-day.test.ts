import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dateInSaoPaulo, dayStart, nextDayStart, nightWindow } from './business-day.ts';

const HOUR_MS = 3_600_000;
const at = (text: string): Date => new Date(text);
const justBefore = (instant: Date): Date => new Date(instant.getTime() - 1);

/** The date and time of a São Paulo clock, computed in another way than the code's. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const dateOf = (instant: Date): string => CLOCK.format(instant).slice(0, 10);
const timeOf = (instant: Date): string => CLOCK.format(instant).slice(11);

/** From 1975, with the many years of daylight saving time, to 2060. */
const instants = fc.date({ min: at('1975-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z'), noInvalidDate: true });

/** Within three hours of a change of the clocks, to the millisecond. */
const instantsOfChange = fc
  .tuple(
    fc.constantFrom('1985-11-02T03:00Z', '1998-03-01T02:00Z', '2018-11-04T03:00Z', '2019-02-17T02:00Z'),
    fc.integer({ min: -27 * HOUR_MS, max: 27 * HOUR_MS }),
  )
  .map(([change, ms]) => new Date(at(change).getTime() + ms));

test('the date is the one on São Paulo’s clocks, whatever the instant', () => {
  expect(dateInSaoPaulo(at('2026-11-21T02:59:59.999Z'))).toBe('2026-11-20');
  expect(dateInSaoPaulo(at('2026-11-21T03:00:00.000Z'))).toBe('2026-11-21');
  fc.assert(fc.property(instants, (now) => dateInSaoPaulo(now) === dateOf(now)));
});

describe('the day', () => {
  test.each([
    ['2026-11-20T23:59:59.999-03:00', '2026-11-20T03:00:00.000Z', '2026-11-21T03:00:00.000Z'],
    ['2026-11-21T00:00:00.000-03:00', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    ['2026-11-21T00:00:00.001-03:00', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    // In UTC the date is the 21st already.
    ['2026-11-20T21:30:00.000-03:00', '2026-11-20T03:00:00.000Z', '2026-11-21T03:00:00.000Z'],
    ['2028-02-29T12:00:00.000-03:00', '2028-02-29T03:00:00.000Z', '2028-03-01T03:00:00.000Z'],
    ['2026-12-31T23:59:59.999-03:00', '2026-12-31T03:00:00.000Z', '2027-01-01T03:00:00.000Z'],
  ])('of %s is from %s to %s', (now, start, next) => {
    expect(dayStart(at(now)).toISOString()).toBe(start);
    expect(nextDayStart(at(now)).toISOString()).toBe(next);
  });

  test('on which daylight saving time began starts at 01:00 and has 23 hours', () => {
    for (const now of ['2018-11-04T03:00:00.000Z', '2018-11-04T15:00:00Z', '2018-11-05T01:59:59.999Z']) {
      expect(dayStart(at(now))).toEqual(at('2018-11-04T03:00:00Z'));
      expect(nextDayStart(at(now))).toEqual(at('2018-11-05T02:00:00Z'));
    }
    expect(nextDayStart(at('2018-11-04T02:59:59.999Z'))).toEqual(at('2018-11-04T03:00:00Z'));
  });

  test('on which daylight saving time ended has 25 hours, its last one twice', () => {
    for (const now of ['2019-02-16T02:00:00.000Z', '2019-02-17T01:30:00Z', '2019-02-17T02:30:00Z']) {
      expect(dayStart(at(now))).toEqual(at('2019-02-16T02:00:00Z'));
      expect(nextDayStart(at(now))).toEqual(at('2019-02-17T03:00:00Z'));
    }
    expect(dayStart(at('2019-02-17T03:00:00Z'))).toEqual(at('2019-02-17T03:00:00Z'));
  });

  test('holds its instant, and begins and ends where the date changes', () => {
    fc.assert(
      fc.property(fc.oneof(instants, instantsOfChange), (now) => {
        const [start, next] = [dayStart(now), nextDayStart(now)];
        expect(start <= now && now < next).toBe(true);
        expect([dateOf(start), dateOf(justBefore(next))]).toEqual([dateOf(now), dateOf(now)]);
        expect(dateOf(justBefore(start)) < dateOf(now) && dateOf(now) < dateOf(next)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the night', () => {
  test.each([
    ['2026-11-20T20:00:00.000-03:00', '2026-11-20T20:00:00-03:00', '2026-11-21T06:00:00-03:00'],
    ['2026-11-20T23:59:59.999-03:00', '2026-11-20T20:00:00-03:00', '2026-11-21T06:00:00-03:00'],
    ['2026-11-21T00:00:00.000-03:00', '2026-11-20T20:00:00-03:00', '2026-11-21T06:00:00-03:00'],
    ['2026-11-21T05:59:59.999-03:00', '2026-11-20T20:00:00-03:00', '2026-11-21T06:00:00-03:00'],
    ['2027-01-01T03:00:00.000-03:00', '2026-12-31T20:00:00-03:00', '2027-01-01T06:00:00-03:00'],
    // The clock skipped an hour of the first of these nights and repeated one of the second.
    ['2018-11-04T01:30:00-02:00', '2018-11-03T20:00:00-03:00', '2018-11-04T06:00:00-02:00'],
    ['2018-11-03T22:00:00-03:00', '2018-11-03T20:00:00-03:00', '2018-11-04T06:00:00-02:00'],
    ['2019-02-16T23:30:00-02:00', '2019-02-16T20:00:00-02:00', '2019-02-17T06:00:00-03:00'],
    ['2019-02-16T23:30:00-03:00', '2019-02-16T20:00:00-02:00', '2019-02-17T06:00:00-03:00'],
  ])('of %s is from %s to %s', (now, start, end) => {
    expect(nightWindow(at(now))).toEqual({ start: at(start), end: at(end) });
  });

  test.each(['2026-11-20T06:00:00.000-03:00', '2026-11-20T12:00:00.000-03:00', '2026-11-20T19:59:59.999-03:00'])(
    '%s is day',
    (now) => {
      expect(nightWindow(at(now))).toBeNull();
    },
  );

  test('holds its instant, and begins and ends where the clock says so', () => {
    fc.assert(
      fc.property(fc.oneof(instants, instantsOfChange), (now) => {
        const night = nightWindow(now);
        const byDay = timeOf(now) >= '06:00:00' && timeOf(now) < '20:00:00';
        expect(night === null).toBe(byDay);
        if (night === null) return;
        expect(night.start <= now && now < night.end).toBe(true);
        expect([timeOf(justBefore(night.start)), timeOf(night.start)]).toEqual(['19:59:59', '20:00:00']);
        expect([timeOf(justBefore(night.end)), timeOf(night.end)]).toEqual(['05:59:59', '06:00:00']);
        expect((night.end.getTime() - night.start.getTime()) / HOUR_MS).toBeLessThanOrEqual(11);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the machine’s own zone', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(['Pacific/Kiritimati', 'UTC', 'America/Los_Angeles', 'Europe/Lisbon'])('does not matter: %s', (zone) => {
    vi.stubEnv('TZ', zone);
    const now = at('2026-11-21T02:30:00Z');
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' }).format(now);
    expect(`${now.getHours()}`.padStart(2, '0')).toBe(local.slice(0, 2));
    expect(dayStart(now)).toEqual(at('2026-11-20T03:00:00Z'));
    expect(nextDayStart(now)).toEqual(at('2026-11-21T03:00:00Z'));
    expect(nightWindow(now)).toEqual({ start: at('2026-11-20T23:00:00Z'), end: at('2026-11-21T09:00:00Z') });
  });
});

test('an invalid date has no day', () => {
  for (const ask of [dayStart, nextDayStart, nightWindow]) expect(() => ask(new Date(Number.NaN))).toThrow(RangeError);
});
