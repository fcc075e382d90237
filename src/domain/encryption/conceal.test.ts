import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conceal } from './conceal.ts';

// ASVS 1.2.9
test.each([
  ['12345678000195', 'CNPJ 12.345.678/0001-95 inválido'],
  ['12345678909', 'CPF 123.456.789-09 inválido'],
  ['+5551998259765', 'a chave +5551998259765'],
  ['+5551998259765', 'a chave +55 (51) 99825-9765'],
  ['+5551998259765', 'a chave (51) 99825-9765'],
  ['+5551998259765', 'a chave (((51))) 99825-9765'],
  ['fulano@example.com', 'a chave "Fulano@Example.com"'],
  ['123e4567-e89b-12d3-a456-426655440000', 'a chave 123E4567-E89B-12D3-A456-426655440000'],
  ['123e4567-e89b-12d3-a456-426655440000', 'a chave 123e4567e89b12d3a456426655440000'],
  ['João & Filhos (A+B)', 'o nome JOÃO & FILHOS (A+B) não'],
  ['s3cret:with/signs', 'senha s3cret:with/signs errada'],
])('%s is not left in "%s"', (text, line) => {
  const cleaned = conceal(line, [text]);
  expect(cleaned).toContain('***');
  expect(cleaned).not.toMatch(/\d{3}|fulano|filhos|cret/i);
});

test('what is not to be concealed stays as it is', () => {
  expect(conceal('O valor 12345678 excede o limite.', ['12345678909', '', '@', 'example.com'])).toBe(
    'O valor 12345678 excede o limite.',
  );
});

test('of two texts, one within the other, no rest of the longer one is left', () => {
  expect(conceal('a chave ana@example.com não existe', ['ana', 'ana@example.com'])).toBe('a chave *** não existe');
});

test('a text that is too short to be anybody’s stays', () => {
  expect(conceal('Ana não é ana maria', ['ana', 'ana maria'], 4)).toBe('Ana não é ***');
});

test('a text is found exactly where its characters follow each other, with at most four others between two', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'ç', 'Ç', '1', '𝟙', '-', ' ', '😀'), maxLength: 30 });
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'ç', '1', '-'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(line, text, (line, text) => {
      const characters = text.match(/[\p{L}\p{N}]/gu) ?? [];
      const pattern = new RegExp(characters.join('[^\\p{L}\\p{N}]{0,4}'), 'giu');
      expect(conceal(line, [text])).toBe(characters.length === 0 ? line : line.replace(pattern, '***'));
    }),
  );
});

test('no line and no text takes long', () => {
  const line = 'a'.repeat(4_096);
  expect(conceal(`${line}b`, [`${line}c`, `${'a'.repeat(300)}b`])).toBe(`${'a'.repeat(4_096 - 300)}***`);
});
