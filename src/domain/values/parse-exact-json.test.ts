import { expect, test } from 'vitest';
import { parseExactJson, RoundedNumber } from './parse-exact-json.ts';

test.each([
  '999999.999999999999',
  '10.00000000000000001',
  '-10.00000000000000001',
  '1010000000000000000001e-18',
  '0.00000000000000000010000000000000000001E20',
  '3600.0000000000000000001',
  '1e-2000',
  '0.1000000000000000055511151231257827021181583404541015625',
])('%s is kept as it was written, because a double has fewer decimals', (text) => {
  expect(parseExactJson(`{"a":[{"b":${text}}]}`)).toEqual({ a: [{ b: new RoundedNumber(text) }] });
  expect(parseExactJson(`[${text}]`)).toEqual([new RoundedNumber(text)]);
});

test.each([
  '0',
  '-0',
  '100.5',
  '100.50000000000000000000',
  '10050000000000000000000e-20',
  '0.000e-2000',
  '999999.99',
  '1.005',
  '0.30000000000000004',
  '9007199254740993',
  '1e400',
  '"999999.999999999999"',
  '"\\"a\\":999999.999999999999"',
])('%s is read as JSON.parse reads it', (text) => {
  expect(parseExactJson(`{"a":${text}}`)).toEqual(JSON.parse(`{"a":${text}}`));
});

test('a rounded number is written as the text that it was', () => {
  expect(JSON.stringify(parseExactJson('{"a":999999.999999999999}'))).toBe('{"a":"999999.999999999999"}');
});

test('a long run of zeros costs no more than its length', () => {
  const text = `0.${'0'.repeat(60_000)}1`;
  expect(parseExactJson(`{"a":${text}}`)).toEqual({ a: new RoundedNumber(text) });
});
