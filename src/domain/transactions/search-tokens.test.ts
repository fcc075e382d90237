import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateMasterKeys } from '../encryption/master-keys.ts';
import { createSecretBox } from '../encryption/secret-box.ts';
import { queryTokens, searchTokens } from './search-tokens.ts';

const box = createSecretBox(generateMasterKeys());
const texts = (...words: string[]) => ({ words, phone: null });
const finds = (typed: string, of: Parameters<typeof searchTokens>[2], account = 'a') => {
  const tokens = new Set(searchTokens(box, 'a', of));
  return queryTokens(box, account, typed).some((list) => list.every((token) => tokens.has(token)));
};

test('a text is found by how its words begin, in any order, case and spelling', () => {
  const maria = texts('María José da Conceição', 'maria.jose@example.com');
  for (const typed of ['mar', 'MARIA', 'conceicao', 'jose maria', 'da conc', 'maria.jose@example.com', 'conceição da'])
    expect([typed, finds(typed, maria)]).toEqual([typed, true]);
  for (const typed of ['ma', 'aria', 'jo', 'maria pedro', '', '@', '   '])
    expect([typed, finds(typed, maria)]).toEqual([typed, false]);
});

test('a word is found by its first ten letters and more', () => {
  const long = texts('Constantinopolitano');
  expect([finds('constantin', long), finds('constantinopolitano', long)]).toEqual([true, true]);
});

test('a telephone is found whole and by its ends, and by no other part', () => {
  const of = { words: [], phone: '+5511987654321' };
  for (const typed of ['+5511987654321', '(11) 98765-4321', '987654321', '87654321'])
    expect(finds(typed, of)).toBe(true);
  for (const typed of ['5511', '7654321', '11 98765-4320', '55119876']) expect(finds(typed, of)).toBe(false);
});

test('tokens are of one account and one master key', () => {
  expect(finds('maria', texts('Maria'), 'another')).toBe(false);
  const other = createSecretBox(generateMasterKeys());
  expect(searchTokens(other, 'a', texts('Maria'))).not.toEqual(searchTokens(box, 'a', texts('Maria')));
});

test('what an older master key wrote is found while that key is present', () => {
  const old = generateMasterKeys();
  const both = createSecretBox(`${generateMasterKeys().replace('v1', 'v2')},${old}`);
  const written = new Set(searchTokens(createSecretBox(old), 'a', texts('Maria da Silva')));
  const found = queryTokens(both, 'a', 'maria silva');
  expect(found.some((list) => list.every((token) => written.has(token)))).toBe(true);
});

test('a text of up to 39 characters is found by itself, and no text has more tokens than there is room for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(searchTokens(box, 'a', texts(text)).length).toBeLessThanOrEqual(256);
      if (text.length < 40 && queryTokens(box, 'a', text).length > 0) expect(finds(text, texts(text))).toBe(true);
    }),
  );
});
