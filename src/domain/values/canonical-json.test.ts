import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('two ways to write one object give one text, at every depth', () => {
  const one = { b: [{ y: 1, x: null }], a: 'text' };
  const other = { a: 'text', b: [{ x: null, y: 1 }] };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(JSON.parse(canonicalJson(one))).toEqual(one);
});

test('the order of a list, and every value, make two texts differ', () => {
  const texts = [[1, 2], [2, 1], { a: 1 }, { a: '1' }, { a: null }, {}].map(canonicalJson);
  expect(new Set(texts).size).toBe(texts.length);
});
