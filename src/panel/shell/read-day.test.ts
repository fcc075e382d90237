import { expect, test } from 'vitest';
import { readDay, typedDay } from './read-day.ts';

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

test.each([
  ['28/02/1990', '1990-02-28'],
  ['1971-12-31', '1971-12-31'],
  ['31/04/1990', null],
  ['29/02/1900', null],
])('%j is read as the day %s where it may be an old one, and otherwise as none', (text, day) => {
  expect(readDay(text, { isOld: true })).toBe(day);
  expect(readDay(text)).toBeNull();
});

test('a day is shown as it is typed, whichever the browser’s language: the day, then the month', () => {
  expect(typedDay('2026-12-11')).toBe('11/12/2026');
  expect(readDay(typedDay('2026-12-11'))).toBe('2026-12-11');
});
