import { expect, test } from 'vitest';
import { assertAnswered } from './measure.ts';

const LOAD = { requestsPerSecond: 10, p50Ms: 1, p99Ms: 2, requests: 20, failures: 0, firstFailure: null };

test('a load whose answers were all as wanted counts', () => {
  expect(() => assertAnswered('balance', { ...LOAD, requestsByUrl: { a: 11, b: 9 } })).not.toThrow();
});

test('a load with an answer of another status ends the bench', () => {
  expect(() =>
    assertAnswered('balance', { ...LOAD, failures: 1, firstFailure: '500 {}', requestsByUrl: { a: 20 } }),
  ).toThrow('1 of 20 answers to balance at a were not what they should be. The first: 500 {}.');
});

test('a load of which one of two servers answered nothing ends the bench', () => {
  expect(() => assertAnswered('balance', { ...LOAD, requestsByUrl: { a: 20, b: 0 } })).toThrow(
    'b answered nothing to balance.',
  );
});
