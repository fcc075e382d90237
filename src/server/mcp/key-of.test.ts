import { expect, test } from 'vitest';
import { keyOf } from './key-of.ts';

test('a key comes in x-api-key, or as a bearer token; nothing else is read as one', () => {
  const of = (headers: Record<string, string>) => keyOf({ headers });
  expect(of({ 'x-api-key': 'tr_test_1' })).toBe('tr_test_1');
  expect(of({ authorization: 'Bearer tr_test_1' })).toBe('tr_test_1');
  expect(of({ authorization: 'bearer  tr_test_1' })).toBe('tr_test_1');
  for (const other of ['tr_test_1', 'Basic dHI6', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b'])
    expect([other, of({ authorization: other })]).toEqual([other, undefined]);
  expect(of({})).toBe(undefined);
});

test('a request with two keys is rejected: neither is chosen', () => {
  const headers = { 'x-api-key': 'tr_test_1', authorization: 'Bearer tr_test_1' };
  expect(() => keyOf({ headers })).toThrow('bad_request');
});
