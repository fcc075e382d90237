import { expect, test } from 'vitest';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookAll } from './book-all.ts';

/** One attempt at a page; returns what was booked, and whether the page is to be tried again. */
async function attemptAt(page: readonly string[], attempt: number, unanswered: readonly string[]) {
  const booked: string[] = [];
  const logged: unknown[] = [];
  const log = { error: (fields: unknown) => logged.push(fields) } as never;
  const book = async (one: string) => {
    if (unanswered.includes(one)) throw new ProviderUnavailable('no answer');
    if (one === 'wrong') throw new Error('wrong');
    booked.push(one);
  };
  const ended = await bookAll({ log }, page, { nameOf: (id) => ({ id }), book, attempt }).then(
    () => 'read',
    () => 'again',
  );
  return { booked, ended, logged: logged.length };
}

test('one payment that can’t be booked, or about which the PSP can’t say anything, holds up no other', async () => {
  expect(await attemptAt(['a', 'wrong', 'wrong', 'b', 'silent', 'c'], 1, ['silent'])).toEqual({
    booked: ['a', 'b', 'c'],
    ended: 'read',
    logged: 3,
  });
});

test('a page is tried again while the PSP can’t say for several on it, but not for ever', async () => {
  const page = ['silent', 'mute', 'a', 'b', 'c', 'd', 'e'];
  const attempts = await Promise.all([1, 2, 3, 4, 5, 6].map((attempt) => attemptAt(page, attempt, ['silent', 'mute'])));
  expect(attempts.map(({ ended }) => ended)).toEqual(['again', 'again', 'again', 'again', 'again', 'read']);
  expect(new Set(attempts.flatMap(({ booked }) => booked))).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
});

test('an attempt asks a PSP that does not answer twice at most', async () => {
  for (const attempt of [1, 6]) expect((await attemptAt(['a', 'b', 'c'], attempt, ['a', 'b', 'c'])).logged).toBe(2);
});
