import { expect, test } from 'vitest';
import { failureOf } from './rolling-restart.ts';

test('while processes are replaced a request may get a 503 with Retry-After, and no other 5xx or lost answer', () => {
  const answer = (status: number | null, hasRetryAfter = false) => ({ status, hasRetryAfter, reason: '…' });
  expect([answer(200), answer(400), answer(409), answer(503, true)].map(failureOf)).toEqual([null, null, null, null]);
  expect([answer(503), answer(500, true), answer(502), answer(null)].map(failureOf)).toEqual([
    'a request was answered 503: …',
    'a request was answered 500: …',
    'a request was answered 502: …',
    'a request got no answer: …',
  ]);
});
