import { expect, test } from 'vitest';
import type { Language } from '#domain/values/language.ts';
import { parseBrl } from '#domain/values/money.ts';
import { formatsIn } from '../testing/formats-in.ts';
import { reaisOfText } from './reais-of-text.ts';

const textOfReais = (reais: number | null, language: Language) => formatsIn(language).typedReais(reais);

test('a field that is filled with an amount is read as the same amount', () => {
  for (const reais of [0.01, 0.29, 4.35, 100.5, 1234.56, 131_072.01, 999_999.99, 1_000_000]) {
    for (const language of ['pt-BR', 'en'] as const) {
      expect(reaisOfText(textOfReais(reais, language), language)).toBe(reais);
    }
  }
  expect([textOfReais(1234.56, 'pt-BR'), textOfReais(1234.56, 'en')]).toEqual(['1234,56', '1234.56']);
});

test('an amount is sent as the number that the service reads back as the same centavos', () => {
  expect(parseBrl(reaisOfText('131.072,01', 'pt-BR'))).toBe(13_107_201n);
  expect(parseBrl(reaisOfText('999.999,99', 'pt-BR'))).toBe(99_999_999n);
});

test('an empty field and less than a centavo are no amount', () => {
  expect(textOfReais(null, 'en')).toBe('');
  expect(reaisOfText('', 'en')).toBeNull();
  expect(['', '0', '0,01', '0,005'].map((text) => reaisOfText(text, 'pt-BR'))).toEqual([null, null, 0.01, null]);
});
