import { expect, test } from 'vitest';
import { createWindowCounter } from './window-counter.ts';

test('a key has its points for a minute from its first request on, and then all of them again', () => {
  let now = 1_000;
  const counter = createWindowCounter(10, () => now);
  expect(counter.take('a', 7)).toEqual({ allowed: true, limit: 10, remaining: 3, resetSeconds: 60 });
  now += 20_500;
  expect(counter.take('a', 4)).toEqual({ allowed: false, limit: 10, remaining: 0, resetSeconds: 40 });
  // A rejected call takes no points: a cheaper one still fits.
  expect(counter.take('a', 3)).toMatchObject({ allowed: true, remaining: 0 });
  expect(counter.take('b', 10).allowed).toBe(true);
  now += 39_499;
  expect(counter.take('a', 1)).toMatchObject({ allowed: false, resetSeconds: 1 });
  now += 1;
  expect(counter.take('a', 10)).toEqual({ allowed: true, limit: 10, remaining: 0, resetSeconds: 60 });
});
