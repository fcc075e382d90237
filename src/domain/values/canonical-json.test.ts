import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { RoundedNumber } from './parse-exact-json.ts';

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

test('a text is what JSON.stringify writes of the ordered value, however deep it is', () => {
  const own = JSON.parse('{"__proto__":1,"b":"\\u0000\\ud800\\"","10":1,"9":[],"a":{},"":[[],[1,{"z":0,"y":null}]]}');
  own.amount = new RoundedNumber('0.10000000000000000001');
  own.missing = undefined;
  const written =
    '{"9":[],"10":1,"":[[],[1,{"y":null,"z":0}]],"__proto__":1,"a":{},"amount":"0.10000000000000000001",' +
    '"b":"\\u0000\\ud800\\""}';
  expect(canonicalJson(own)).toBe(written);
  const long = JSON.stringify(Array(200_000).fill(1));
  expect(canonicalJson(JSON.parse(long)) === long).toBe(true);
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(30_000)}1${close.repeat(30_000)}`;
    expect(canonicalJson(JSON.parse(deep)) === deep).toBe(true);
  }
});
