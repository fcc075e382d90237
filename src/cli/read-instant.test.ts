import { expect, test } from 'vitest';
import { readEffectiveAt, readInstant } from './read-instant.ts';

test('a day is read as its midnight in São Paulo, and an instant as itself', () => {
  expect(readEffectiveAt('2026-12-01')).toEqual(new Date('2026-12-01T03:00:00.000Z'));
  expect(readEffectiveAt('2026-12-01T09:30:00-03:00')).toEqual(new Date('2026-12-01T12:30:00.000Z'));
  expect(readEffectiveAt('2026-12-01T09:30Z')).toEqual(new Date('2026-12-01T09:30:00.000Z'));
});

test.each(['2026-02-30', '01/12/2026', '2026-12-01T09:30', '2026-12-01T25:00Z', 'tomorrow', ''])(
  'a text that is neither a day nor an instant is rejected: "%s"',
  (text) => {
    expect(() => readEffectiveAt(text)).toThrow('Give a day');
  },
);

test.each([
  '2026-12-01T09:30:00',
  '2026-02-30T09:30:00Z',
  '2026-11-31T09:30:00-03:00',
  '2026-12-01',
  '1',
  'Dec 1 2026',
])('an instant has its zone and a day that there is: "%s" is rejected', (text) => {
  expect(readInstant('2026-12-01T09:30:00-03:00')).toEqual(new Date('2026-12-01T12:30:00.000Z'));
  expect(readInstant('2999-01-31T12:00:00Z')).toEqual(new Date('2999-01-31T12:00:00.000Z'));
  expect(() => readInstant(text)).toThrow('with its zone');
  expect(() => readEffectiveAt(text.replace(/^2026-12-01$/, ''))).toThrow('Give a day');
});
