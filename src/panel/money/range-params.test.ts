import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import { messages } from '#messages/messages.ts';
import { formatsIn } from '../testing/formats-in.ts';
import { rangeParams } from './range-params.ts';

/** What the pages say of a range: of a charge, of a withdrawal, and among the terms. */
const textsOf = (language: 'pt-BR' | 'en', minimum: number | null, maximum: number | null) => {
  const params = rangeParams(minimum, maximum, formatsIn(language).reais);
  if (params === null) throw new Error('A range without ends has no text.');
  return (['newCharge', 'withdraw', 'terms'] as const).map((page) => {
    const t = createTranslator({ locale: language, messages: messages[language] });
    const key = page === 'terms' ? 'between' : 'range';
    return t(`panel.${page}.${key}` as 'panel.withdraw.range', params).replaceAll('\u00a0', ' ');
  });
};

test.each([
  [1, 500, 'de R$ 1,00 a R$ 500,00', 'from R$ 1.00 to R$ 500.00'],
  [1, null, 'a partir de R$ 1,00', 'at least R$ 1.00'],
  [null, 500, 'até R$ 500,00', 'up to R$ 500.00'],
] as const)(
  'a range from %s to %s names the ends that it has, and no other',
  (minimum, maximum, portuguese, english) => {
    const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
    expect(textsOf('pt-BR', minimum, maximum)).toEqual([
      `Por cobrança: ${portuguese}.`,
      `Por saque: ${portuguese}.`,
      upper(portuguese),
    ]);
    expect(textsOf('en', minimum, maximum)).toEqual([
      `Per charge: ${english}.`,
      `Per withdrawal: ${english}.`,
      upper(english),
    ]);
  },
);

test('a range without ends has no text', () => {
  expect(rangeParams(null, null, String)).toBeNull();
});
