import { expect, test } from 'vitest';
import { findDuplicateKey } from './find-duplicate-key.ts';

// ASVS 15.3.7
test.each([
  ['{"amount":1,"amount":2}', 'amount'],
  ['{"a":{"b":1,"c":[{"d":1},{"d":1,"d":2}]}}', 'a.c.1.d'],
  ['{"amount":1,"metadata":{"amount":"1","amount":"2"}}', 'metadata.amount'],
  ['{"a":[[],{},[0,{"b":1,"b":2}]]}', 'a.2.1.b'],
  ['{"amount":1,"amo\\u0075nt":2}', 'amount'],
  ['{"a\\"b":1,"a\\u0022b":2}', 'a"b'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":"{","b":1,"a":"}"}', 'a'],
  [' { "a" : [ ] ,\n "a" : { } } ', 'a'],
  ['{"a":"\\\\","b":"\\\\","a":1}', 'a'],
])('a key that occurs twice in one object is found, with the path to it: %s', (json, key) => {
  expect(JSON.parse(json)).toBeDefined();
  expect(findDuplicateKey(json)).toBe(key);
});

test.each([
  '{}',
  '[]',
  '"a"',
  '1',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  '["a","a",["a","a"]]',
  '{"a":"a","b":"a"}',
  '{"a":"\\"a\\":1,\\"a\\":2"}',
  '{"a":["a","a",{"a":"a"}]}',
  '{"toString":1,"constructor":2,"A":1,"a":2}',
])('equal keys of different objects, and equal values, are no duplicates: %s', (json) => {
  expect(JSON.parse(json)).toBeDefined();
  expect(findDuplicateKey(json)).toBe(null);
});

test('a deep text needs no deep stack', () => {
  const depth = 30_000;
  expect(findDuplicateKey('[{"a":'.repeat(depth) + '1'.padEnd(depth, ' ') + '}]'.repeat(depth))).toBe(null);
});

test('a body made of one long string is read in one pass', () => {
  expect(findDuplicateKey(JSON.stringify({ a: '\\"'.repeat(100_000), b: 1 }))).toBe(null);
  expect(findDuplicateKey(JSON.stringify('"'.repeat(1_000_000)))).toBe(null);
});
