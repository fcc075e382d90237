import { expect, test } from 'vitest';
import { readFrom } from './read-from.ts';

test('a day is read as its midnight in São Paulo, and an instant as itself', () => {
  expect(readFrom('2026-12-01')).toEqual(new Date('2026-12-01T03:00:00.000Z'));
  expect(readFrom('2026-12-01T09:30:00-03:00')).toEqual(new Date('2026-12-01T12:30:00.000Z'));
  expect(readFrom('2026-12-01T09:30Z')).toEqual(new Date('2026-12-01T09:30:00.000Z'));
});

test.each(['2026-02-30', '01/12/2026', '2026-12-01T09:30', '2026-12-01T25:00Z', 'tomorrow', ''])(
  'a text that is neither a day nor an instant is rejected: "%s"',
  (text) => {
    expect(() => readFrom(text)).toThrow('Give a day');
  },
);
