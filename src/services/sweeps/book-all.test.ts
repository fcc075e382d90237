import { afterEach, expect, test, vi } from 'vitest';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookAll } from './book-all.ts';

afterEach(() => vi.restoreAllMocks());

/**
 * One attempt at a page of payments, each a letter; the PSP says nothing about `silent`, after
 * `eachMs`. Returns what was booked, and whether the page is to be tried again.
 */
async function attemptAt(page: string, silent: string, { attempt = 1, eachMs = 50 } = {}) {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const booked: string[] = [];
  const log = { error: () => {} } as never;
  const book = async (one: string) => {
    if (one === '!') throw new Error('wrong');
    if (!silent.includes(one)) return booked.push(one);
    nowMs += eachMs;
    throw new ProviderUnavailable('silent');
  };
  const ended = await bookAll({ log }, [...page], { nameOf: (id) => ({ id }), book, attempt }).then(
    () => 'read',
    () => 'again',
  );
  return { booked: booked.join(''), ended };
}

test('what can’t be booked, or about which the PSP can’t say anything, holds up nothing else on its page', async () => {
  expect(await attemptAt('a!!bc', '')).toEqual({ booked: 'abc', ended: 'read' });
  expect(await attemptAt('abcd', 'a')).toEqual({ booked: 'bcd', ended: 'read' });
  expect(await attemptAt('abcd', 'ab')).toEqual({ booked: 'cd', ended: 'again' });
});

test('a PSP that takes long to say nothing is not asked about the rest', async () => {
  expect(await attemptAt('abcd', 'a', { eachMs: 15_000 })).toEqual({ booked: 'bcd', ended: 'read' });
  expect(await attemptAt('abcd', 'ab', { eachMs: 15_000 })).toEqual({ booked: '', ended: 'again' });
});

test('a page is tried again while the PSP can’t say for several on it, but not for ever', async () => {
  const ended: string[] = [];
  let booked = '';
  for (let attempt = 1; attempt <= 6; attempt++) {
    const tried = await attemptAt('abcdefg', 'ab', { attempt, eachMs: 15_000 });
    ended.push(tried.ended);
    booked += tried.booked;
  }
  expect(ended).toEqual(['again', 'again', 'again', 'again', 'again', 'read']);
  expect([...new Set(booked)].sort().join('')).toBe('cdefg');
});
